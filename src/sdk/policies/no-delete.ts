/**
 * What carries the label `platform.cozystack.io/no-delete` is not deleted, by nobody: to do so on purpose, remove the label first.
 */
import { policy } from "./policy.ts";

export const noDeleteLabel = "platform.cozystack.io/no-delete";

export function noDelete() {
  return policy("cozystack-no-delete-guardrail", {
    matchConstraints: {
      resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["DELETE"], resources: ["*"] }],
      objectSelector: { matchLabels: { [noDeleteLabel]: "true" } },
    },
    validations: [
      {
        expression: "false",
        message: `the platform needs this object: it is labelled ${noDeleteLabel}; to delete it on purpose, remove the label first`,
        reason: "Forbidden",
      },
    ],
  });
}

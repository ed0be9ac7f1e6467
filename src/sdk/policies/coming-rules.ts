/**
 * Warns, as an application is written, of what the next version will refuse. Nothing is refused by it.
 */
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../../kube/core-kinds.ts";
import type { App } from "../app.ts";
import { comingText } from "../tightening.ts";
import type { BoundPolicy } from "./policy.ts";

type Tightened = Pick<App, "group" | "plural" | "tightening">;

/** A policy for each application that has such rules. */
export function comingRules(apps: readonly Tightened[]): readonly BoundPolicy[] {
  return apps.flatMap(({ group, plural, tightening = [] }) => {
    if (tightening.length === 0) return [];
    const name = `cozystack-coming-rules-${plural}`;
    const match = {
      apiGroups: [group],
      apiVersions: ["*"],
      operations: ["CREATE", "UPDATE"],
      resources: [plural],
    } as const;
    const validations = tightening.map((coming) => ({
      // The rule reads the spec by the name that it will have in the definition.
      expression: `!has(object.spec) || [object.spec].all(self, ${coming.rule})`,
      message: comingText(coming),
    }));
    return [
      {
        policy: ValidatingAdmissionPolicy(name, {
          spec: { failurePolicy: "Ignore", matchConstraints: { resourceRules: [match] }, validations },
        }),
        binding: ValidatingAdmissionPolicyBinding(name, { spec: { policyName: name, validationActions: ["Warn"] } }),
      },
    ];
  });
}

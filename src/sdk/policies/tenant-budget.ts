/**
 * The budget of a tenant that is being deleted stays as it is: the budget gate lets such objects alone, so that nothing can
 * hold their deletion up.
 */
import { applications, policy } from "./policy.ts";

const quotas = (object: string): string => `${object}.?spec.?resourceQuotas.orValue({})`;

export function tenantBudget() {
  return policy("cozystack-tenant-budget", {
    matchConstraints: { resourceRules: [applications(["UPDATE"], ["tenants"])] },
    matchConditions: [{ name: "being-deleted", expression: "has(object.metadata.deletionTimestamp)" }],
    validations: [
      {
        expression: `${quotas("object")} == ${quotas("oldObject")}`,
        message: "spec.resourceQuotas: the budget of a tenant that is being deleted cannot be changed",
        reason: "Forbidden",
      },
    ],
  });
}

/**
 * A tenant's DNS domain is given by the platform: whoever could set it could take another tenant's names.
 */
import { callerIn, hostGroups } from "./callers.ts";
import { applications, policy } from "./policy.ts";

const hostOf = (object: string) => `has(${object}.spec) && has(${object}.spec.host) ? ${object}.spec.host : ''`;

export function tenantHost() {
  return policy("cozystack-tenant-host-policy", {
    matchConstraints: { resourceRules: [applications(["CREATE", "UPDATE"], ["tenants"])] },
    variables: [
      { name: "host", expression: hostOf("object") },
      { name: "oldHost", expression: `oldObject == null ? '' : (${hostOf("oldObject")})` },
    ],
    validations: [
      {
        expression: `variables.host == variables.oldHost || ${callerIn(hostGroups)}`,
        message:
          "spec.host: only the platform's administrators may set, change or clear the domain of a tenant; leave it out for a subdomain of the parent's",
        reason: "Forbidden",
      },
    ],
  });
}

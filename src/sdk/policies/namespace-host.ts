/**
 * The label that says which DNS domain a namespace has, the first write included: other policies trust it.
 */
import { callerIn, hostGroups } from "./callers.ts";
import { policy } from "./policy.ts";

const label = "namespace.cozystack.io/host";
const labelOf = (object: string) =>
  `has(${object}.metadata.labels) && '${label}' in ${object}.metadata.labels ? [${object}.metadata.labels['${label}']] : []`;

export function namespaceHost() {
  return policy("cozystack-namespace-host-label-policy", {
    matchConstraints: {
      resourceRules: [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["namespaces"] },
      ],
    },
    variables: [
      // Lists, so that a label that is missing differs from an empty one.
      { name: "host", expression: labelOf("object") },
      { name: "oldHost", expression: `oldObject == null ? [] : (${labelOf("oldObject")})` },
    ],
    validations: [
      {
        expression: `variables.host == variables.oldHost || ${callerIn(hostGroups)}`,
        message: `metadata.labels[${label}]: only the platform's administrators may set, change or remove the domain of a namespace`,
        reason: "Forbidden",
      },
    ],
  });
}

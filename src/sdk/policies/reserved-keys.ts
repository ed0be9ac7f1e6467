/**
 * Keys of a spec that begin with `_` belong to the platform: `_cluster` and `_namespace` once came to releases this way.
 */
import { applications, policy } from "./policy.ts";

export function reservedKeys() {
  return policy("cozystack-reserved-keys", {
    matchConstraints: { resourceRules: [applications(["CREATE", "UPDATE"])] },
    validations: [
      {
        expression: "!has(object.spec) || object.spec.all(key, !key.startsWith('_'))",
        message: "spec: keys that begin with _ are reserved for the platform; remove them",
        messageExpression:
          "'spec.' + object.spec.filter(key, key.startsWith('_'))[0] + ': keys that begin with _ are reserved for the platform; remove it'",
        reason: "Invalid",
      },
    ],
  });
}

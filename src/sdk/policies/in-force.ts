/**
 * How one sees that the admission policies are in force. The API server takes them up some time after they were stored; this one is
 * stored last, refuses one name that nobody uses, and says which set of policies it came with.
 */
import { ConfigMap } from "../../kube/kinds/core.ts";
import { policy } from "./policy.ts";

/** The object that it refuses, with the field that tells the set. */
export const inForceProbe = ConfigMap("cozystack-policies-in-force", { namespace: "cozy-system" });

/** @param digest of the policies that were stored before it */
export function inForce(digest: string) {
  return policy("cozystack-policies-in-force", {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: [""],
          apiVersions: ["v1"],
          operations: ["CREATE"],
          resources: ["configmaps"],
          resourceNames: [inForceProbe.metadata.name],
        },
      ],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": inForceProbe.metadata.namespace ?? "" } },
    },
    validations: [{ expression: "false", message: `policies ${digest}` }],
  });
}

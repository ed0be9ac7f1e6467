/**
 * Building the access control objects that applications render.
 */
import type { RoleRef, Subject } from "../kube/core-kinds.ts";

export { Role, RoleBinding } from "../kube/core-kinds.ts";

const apiGroup = "rbac.authorization.k8s.io";

/** The reference to a Role in the binding's own namespace, or to a ClusterRole. */
export function roleRef(name: string, kind: RoleRef["kind"] = "Role"): RoleRef {
  return { apiGroup, kind, name };
}

export function group(name: string): Subject {
  return { apiGroup, kind: "Group", name };
}

export function serviceAccount(name: string, namespace: string): Subject {
  return { kind: "ServiceAccount", name, namespace };
}

/**
 * Kinds of the group `rbac.authorization.k8s.io`.
 */
import type { KubeObject } from "../kube/object.ts";
import { defineBuiltin } from "./builtin.ts";
import type { LabelSelector } from "./pod.ts";

const rbac = { group: "rbac.authorization.k8s.io", version: "v1" } as const;

export interface RbacRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

export interface Subject {
  readonly kind: "User" | "Group" | "ServiceAccount";
  readonly name: string;
  readonly namespace?: string;
  readonly apiGroup?: string;
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: "Role" | "ClusterRole";
  readonly name: string;
}

export interface RoleObject extends KubeObject {
  readonly rules?: readonly RbacRule[];
}
export const Role = defineBuiltin<RoleObject>({ ...rbac, kind: "Role", plural: "roles", namespaced: true });

export interface ClusterRoleObject extends RoleObject {
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] };
}
export const ClusterRole = defineBuiltin<ClusterRoleObject>({
  ...rbac,
  kind: "ClusterRole",
  plural: "clusterroles",
  namespaced: false,
});

export interface RoleBindingObject extends KubeObject {
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[];
}
export const RoleBinding = defineBuiltin<RoleBindingObject>({
  ...rbac,
  kind: "RoleBinding",
  plural: "rolebindings",
  namespaced: true,
  impact: { otherwise: "inPlace", at: { roleRef: "replaces" } },
});

export const ClusterRoleBinding = defineBuiltin<RoleBindingObject>({
  ...rbac,
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
  impact: { otherwise: "inPlace", at: { roleRef: "replaces" } },
});

export const rbacKinds = [Role, ClusterRole, RoleBinding, ClusterRoleBinding] as const;

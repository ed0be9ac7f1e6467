/**
 * Who may do what, and who leads.
 */
import { defineKind } from "../define-kind.ts";
import type { KubeObject } from "../object.ts";
import type { LabelSelector } from "./common-fields.ts";

const rbac = { group: "rbac.authorization.k8s.io", version: "v1" } as const;

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
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

export interface Role extends KubeObject {
  readonly rules: readonly PolicyRule[];
}
export const Role = defineKind<Role>({ ...rbac, kind: "Role", plural: "roles", namespaced: true });

export interface RoleBinding extends KubeObject {
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[];
}
export const RoleBinding = defineKind<RoleBinding>({
  ...rbac,
  kind: "RoleBinding",
  plural: "rolebindings",
  namespaced: true,
});

export interface ClusterRole extends KubeObject {
  readonly rules?: readonly PolicyRule[];
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] };
}
export const ClusterRole = defineKind<ClusterRole>({
  ...rbac,
  kind: "ClusterRole",
  plural: "clusterroles",
  namespaced: false,
});

export interface ClusterRoleBinding extends KubeObject {
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[];
}
export const ClusterRoleBinding = defineKind<ClusterRoleBinding>({
  ...rbac,
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
});

export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    /** RFC 3339 with microseconds. */
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}
export const Lease = defineKind<Lease>({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  namespaced: true,
});

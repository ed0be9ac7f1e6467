/** The access control kinds that applications render. */
import { defineKind } from "../kube/define-kind.ts";
import type { KubeObject } from "../kube/object.ts";
import type { PolicyRule } from "./app.ts";

export interface Subject {
  readonly kind: "ServiceAccount" | "Group" | "User";
  readonly name: string;
  /** ServiceAccounts only. */
  readonly namespace?: string;
  /** Groups and users only. */
  readonly apiGroup?: "rbac.authorization.k8s.io";
}

export interface RoleRef {
  readonly apiGroup: "rbac.authorization.k8s.io";
  readonly kind: "Role" | "ClusterRole";
  readonly name: string;
}

export interface RoleObject extends KubeObject {
  readonly rules: readonly PolicyRule[];
}

export interface RoleBindingObject extends KubeObject {
  readonly subjects: readonly Subject[];
  readonly roleRef: RoleRef;
}

const names = { group: "rbac.authorization.k8s.io", version: "v1", namespaced: true } as const;

export const Role = defineKind<RoleObject>({ ...names, kind: "Role", plural: "roles" });
export const RoleBinding = defineKind<RoleBindingObject>({ ...names, kind: "RoleBinding", plural: "rolebindings" });

/** The reference to a Role in the binding's own namespace. */
export function roleRef(name: string, kind: RoleRef["kind"] = "Role"): RoleRef {
  return { apiGroup: "rbac.authorization.k8s.io", kind, name };
}

export function group(name: string): Subject {
  return { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name };
}

export function serviceAccount(name: string, namespace: string): Subject {
  return { kind: "ServiceAccount", name, namespace };
}

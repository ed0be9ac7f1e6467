/** Who tries, in a cluster of this test file's own, and how a refusal is told from a fault. */
import assert from "node:assert/strict";
import { Role, RoleBinding } from "../../../src/kube/core-kinds.ts";
import { defineKind } from "../../../src/kube/define-kind.ts";
import { isApiError } from "../../../src/kube/errors.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { kindOf } from "../../schema/install.ts";
import { appOf } from "../../support/cloud.ts";
import { places, securityCluster } from "../support/cluster.ts";

export type Loose = Readonly<Record<string, unknown>>;

export const cluster = await securityCluster();
await cluster.stopControllers();
export const { admin } = cluster;
export const namespace = places.own;
export const dryRun = { dryRun: true } as const;

/** The most powerful of a tenant. */
export const strongest = { "super-admin": cluster.as("super-admin"), account: cluster.as("account") } as const;

/** Somebody to whom an administrator gave everything in the tenant's namespace. */
export const given = "given-everything";
export const apiGroup = "rbac.authorization.k8s.io";
await admin.create(Role, Role(given, { namespace, rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] }));
await admin.create(
  RoleBinding,
  RoleBinding(given, {
    namespace,
    roleRef: { apiGroup, kind: "Role", name: given },
    subjects: [given, "system:serviceaccounts:cozy-operator"].map((name) => ({
      apiGroup,
      kind: "Group" as const,
      name,
    })),
  }),
);
/** An operator, which makes pods as its own wisdom says. */
export const operator = admin.as({
  user: "system:serviceaccount:cozy-operator:operator",
  groups: ["system:serviceaccounts", "system:serviceaccounts:cozy-operator", "system:authenticated"],
});
export const everything = admin.as({ user: "given@example.org", groups: [given, "system:authenticated"] });

export const loose = (group: string, version: string, kind: string, plural: string) =>
  defineKind<KubeObject & { readonly spec?: unknown }>({ group, version, kind, plural, namespaced: true });
export const Tenant = kindOf(appOf("Tenant"));

/** The call must be refused with such words. */
export async function refusedBy(what: RegExp, act: () => Promise<unknown>): Promise<void> {
  await assert.rejects(act, (error) => {
    assert.ok(isApiError(error, "Forbidden", "Invalid"), String(error));
    assert.match(error.message, what);
    return true;
  });
}
/** The words of a refusal by rights. */
export const byRights = /cannot \w+ resource/;

import assert from "node:assert/strict";
import { test } from "node:test";
import { platformEngine } from "../../test/support/platform.ts";
import { ClusterRole, RoleBinding } from "../contracts/rbac.ts";
import { defineKind } from "../kube/define-kind.ts";
import type { KubeObject } from "../kube/object.ts";
import { systemWorld } from "../kube/world.ts";
import { tenantClusterRoles } from "./tenant-roles.ts";

interface SubjectAccessReviewObject extends KubeObject {
  readonly spec: {
    readonly user: string;
    readonly groups: readonly string[];
    readonly resourceAttributes: {
      readonly namespace: string;
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string;
    };
  };
  readonly status?: { readonly allowed: boolean };
}
const SubjectAccessReview = defineKind<SubjectAccessReviewObject>({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  namespaced: false,
});

const LEVELS = ["", "view", "use", "admin", "super-admin"] as const;
type Level = (typeof LEVELS)[number];
const name = (level: Level): string => (level === "" ? "account" : level);

const engine = await platformEngine();
const client = engine.client();
const namespace = await engine.namespace("tenant-roles");
for (const level of LEVELS) {
  const role = level === "" ? "cozy:tenant" : `cozy:tenant:${level}`;
  await client.apply(
    RoleBinding,
    RoleBinding(role, {
      namespace,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: `${namespace}-${name(level)}` }],
    }),
  );
}

/** The rules of an aggregating role are filled in by the API server's controller, in its own time. */
async function aggregated(): Promise<void> {
  const deadline = Date.now() + 20_000;
  const roles = tenantClusterRoles().filter((role) => role.aggregationRule !== undefined);
  for (const role of roles) {
    while (((await client.get(ClusterRole, role.metadata.name))?.rules ?? []).length === 0) {
      assert.ok(Date.now() < deadline, `${role.metadata.name} has rules`);
      await systemWorld.sleep(50);
    }
  }
}
await aggregated();

const APPS = "apps.cozystack.io";
const ALL: readonly Level[] = LEVELS;
const rows: readonly { why: string; verb: string; group: string; resource: string; may: readonly Level[] }[] = [
  { why: "read pods", verb: "list", group: "", resource: "pods", may: ["", "view", "use", "admin", "super-admin"] },
  { why: "delete pods", verb: "delete", group: "", resource: "pods", may: ["admin", "super-admin"] },
  { why: "create pods", verb: "create", group: "", resource: "pods", may: [] },
  { why: "read Secrets", verb: "get", group: "", resource: "secrets", may: [] },
  { why: "read quotas", verb: "get", group: "", resource: "resourcequotas", may: ALL },
  { why: "change quotas", verb: "update", group: "", resource: "resourcequotas", may: [] },
  { why: "read applications", verb: "watch", group: APPS, resource: "postgreses", may: ALL },
  {
    why: "order an application",
    verb: "create",
    group: APPS,
    resource: "postgreses",
    may: ["", "admin", "super-admin"],
  },
  { why: "order a module", verb: "create", group: APPS, resource: "etcds", may: ["", "super-admin"] },
  { why: "make a tenant", verb: "create", group: APPS, resource: "tenants", may: ["", "super-admin"] },
  { why: "write status", verb: "update", group: APPS, resource: "postgreses/status", may: ["", "super-admin"] },
  {
    why: "delete many at once",
    verb: "deletecollection",
    group: APPS,
    resource: "postgreses",
    may: ["", "super-admin"],
  },
  { why: "read security groups", verb: "get", group: "sdn.cozystack.io", resource: "securitygroups", may: ALL },
  {
    why: "change security groups",
    verb: "patch",
    group: "sdn.cozystack.io",
    resource: "securitygroups",
    may: ["", "admin", "super-admin"],
  },
  { why: "read monitors", verb: "list", group: "cozystack.io", resource: "workloadmonitors", may: ALL },
  { why: "change monitors", verb: "update", group: "cozystack.io", resource: "workloadmonitors", may: [] },
  {
    why: "see tenant secrets",
    verb: "list",
    group: "core.cozystack.io",
    resource: "tenantsecrets",
    may: ["", "use", "admin", "super-admin"],
  },
  { why: "see options", verb: "get", group: "core.cozystack.io", resource: "options", may: ALL },
  {
    why: "open a console",
    verb: "get",
    group: "subresources.kubevirt.io",
    resource: "virtualmachineinstances/vnc",
    may: ["use", "admin", "super-admin"],
  },
  {
    why: "restart a machine",
    verb: "update",
    group: "subresources.kubevirt.io",
    resource: "virtualmachines/restart",
    may: ["use", "admin", "super-admin"],
  },
  { why: "touch internal objects", verb: "get", group: "internal.cozystack.io", resource: "inventories", may: [] },
  { why: "show a CA", verb: "create", group: "internal.cozystack.io", resource: "tenantprojections", may: [] },
  { why: "make a Gateway module", verb: "create", group: "internal.cozystack.io", resource: "gateways", may: [] },
  { why: "write network policies", verb: "create", group: "cilium.io", resource: "ciliumnetworkpolicies", may: [] },
  { why: "bind roles", verb: "create", group: "rbac.authorization.k8s.io", resource: "rolebindings", may: [] },
  { why: "read roles", verb: "get", group: "rbac.authorization.k8s.io", resource: "roles", may: ALL },
];

for (const { why, verb, group, resource, may } of rows) {
  test(`who may ${why}: ${may.map(name).join(", ") || "nobody"}`, async () => {
    const [plural = "", subresource] = resource.split("/");
    const allowed = await Promise.all(
      LEVELS.map(async (level) => {
        const review = SubjectAccessReview("", {
          spec: {
            user: "somebody",
            groups: [`${namespace}-${name(level)}`],
            resourceAttributes: {
              namespace,
              verb,
              group,
              resource: plural,
              ...(subresource === undefined ? {} : { subresource }),
            },
          },
        });
        return (await client.create(SubjectAccessReview, review)).status?.allowed === true ? [level] : [];
      }),
    );
    assert.deepEqual(allowed.flat(), may);
  });
}

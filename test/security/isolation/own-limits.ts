/** A tenant's own limits are its parent's and the platform's to set. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Namespace,
  Role,
  RoleBinding,
} from "../../../src/kube/core-kinds.ts";
import { defineKind } from "../../../src/kube/define-kind.ts";
import { valueAt } from "../../../src/kube/json.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { reservedTenantNames } from "../../../src/sdk/names.ts";
import { unexplained } from "../powers.ts";
import { places } from "../support/cluster.ts";
import {
  admin,
  apiGroup,
  byRights,
  dryRun,
  everything,
  given,
  namespace,
  refusedBy,
  strongest,
  Tenant,
} from "./people.ts";

describe("a tenant's own limits", () => {
  const patch = { metadata: { annotations: { tried: "1" } } };
  const loosen = [
    ["ResourceQuota", "", "v1", "resourcequotas", { spec: { hard: {} } }],
    ["LimitRange", "", "v1", "limitranges", { spec: { limits: [] } }],
    ["Role", apiGroup, "v1", "roles", { rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] }],
    [
      "RoleBinding",
      apiGroup,
      "v1",
      "rolebindings",
      {
        roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" },
        subjects: [{ apiGroup, kind: "User", name: "super-admin@example.org" }],
      },
    ],
    ["NetworkPolicy", "networking.k8s.io", "v1", "networkpolicies", { spec: { podSelector: {}, egress: [{}] } }],
    [
      "CiliumNetworkPolicy",
      "cilium.io",
      "v2",
      "ciliumnetworkpolicies",
      { spec: { endpointSelector: {}, egress: [{ toEntities: ["all"] }] } },
    ],
    ["ServiceAccount", "", "v1", "serviceaccounts", {}],
  ] as const;
  for (const [kind, group, version, plural, body] of loosen) {
    test(`${kind}: nobody of a tenant makes, changes or removes one`, async () => {
      const of = defineKind<KubeObject>({ group, version, kind, plural, namespaced: true });
      for (const client of Object.values(strongest)) {
        const object: KubeObject = {
          apiVersion: group === "" ? version : `${group}/${version}`,
          kind,
          metadata: { name: "tried", namespace },
          ...body,
        };
        await refusedBy(byRights, () => client.create(of, object, dryRun));
        await refusedBy(byRights, () => client.apply(of, object, dryRun));
        await refusedBy(byRights, () => client.mergePatch(of, "tenant-quota", namespace, patch, dryRun));
        await refusedBy(byRights, () => client.delete(of, "tenant-quota", namespace, dryRun));
      }
    });
  }

  test("budget, domain and modules: the tenant's own object is its parent's", async () => {
    for (const client of Object.values(strongest)) {
      for (const spec of [{ resourceQuotas: null }, { host: "example.org" }, { ingress: true }]) {
        await refusedBy(byRights, () => client.mergePatch(Tenant, "own", places.parent, { spec }, dryRun));
      }
      await refusedBy(byRights, () => client.mergePatch(Namespace, places.own, undefined, patch, dryRun));
    }
  });

  test("escalate, bind and impersonate: nobody becomes somebody else", async () => {
    const [{ account }] = [strongest];
    await refusedBy(byRights, () =>
      account.raw("POST", `/api/v1/namespaces/${places.child}/serviceaccounts/${places.child}/token`, {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: {},
      }),
    );
    for (const identity of [
      { user: "system:admin", groups: ["system:masters"] },
      { user: "view@example.org", groups: [`${places.sibling}-super-admin`] },
      { user: "system:serviceaccount:cozy-system:cozystack-controller" },
    ]) {
      await refusedBy(byRights, () => account.as(identity).get(ConfigMap, "x", places.own));
    }
    // Even with every right in the namespace nobody gives away what they have not cluster-wide.
    const binding = RoleBinding("tried", {
      namespace: places.own,
      roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup, kind: "Group", name: given }],
    });
    await refusedBy(/cannot|attempting to grant/, () =>
      everything.create(
        RoleBinding,
        { ...binding, metadata: { ...binding.metadata, namespace: places.sibling } },
        dryRun,
      ),
    );
  });

  test("no role or binding in the cluster has a power that nobody explained", async () => {
    const lists = await Promise.all(
      [ClusterRole, Role, ClusterRoleBinding, RoleBinding].map((kind) => admin.list(kind)),
    );
    const ours = lists
      .flatMap(({ items }): readonly KubeObject[] => items)
      .filter(({ metadata }) => metadata.labels?.["kubernetes.io/bootstrapping"] === undefined)
      // What it was filled with is judged where it comes from.
      .filter((object) => valueAt(object, "aggregationRule") === undefined)
      .filter(({ metadata }) => metadata.name !== given);
    assert.ok(ours.filter(({ kind }) => kind === "RoleBinding").length > 20);
    assert.deepEqual(unexplained(ours), []);
  });

  for (const [name, why] of Object.entries(reservedTenantNames)) {
    test(`a tenant ${name}: ${why}`, async () => {
      const tenant = (where: string) => Tenant(name, { namespace: where, spec: {} });
      await refusedBy(/is reserved/, () => strongest["super-admin"].create(Tenant, tenant(places.own), dryRun));
      await refusedBy(/is reserved/, () => admin.create(Tenant, tenant(places.own), dryRun));
      await admin.create(Tenant, tenant(places.root), dryRun);
      await strongest["super-admin"].create(Tenant, Tenant(`${name}x`, { namespace: places.own, spec: {} }), dryRun);
    });
  }
});

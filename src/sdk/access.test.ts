import assert from "node:assert/strict";
import { test } from "node:test";
import { dashboardAccess, levelsFrom, subjects } from "./access.ts";

const deep = { tenant: { namespace: "tenant-a-b", ancestors: ["tenant-root", "tenant-a"] } };
const root = { tenant: { namespace: "tenant-root", ancestors: [] } };

test("levels at or above, in alphabetical order", () => {
  assert.deepEqual(levelsFrom("use"), ["admin", "super-admin", "use"]);
  assert.deepEqual(levelsFrom("super-admin"), ["super-admin"]);
  assert.deepEqual(levelsFrom("view"), ["admin", "super-admin", "use", "view"]);
});

test("subjects are the tenant and its ancestors, the root last", () => {
  const names = subjects("admin", deep).map(({ kind, name }) => `${kind} ${name}`);
  assert.deepEqual(names, [
    "ServiceAccount tenant-a",
    "Group tenant-a-admin",
    "Group tenant-a-super-admin",
    "ServiceAccount tenant-a-b",
    "Group tenant-a-b-admin",
    "Group tenant-a-b-super-admin",
    "ServiceAccount tenant-root",
    "Group tenant-root-admin",
    "Group tenant-root-super-admin",
  ]);
});

test("accounts carry their namespace and no group, groups the other way", () => {
  assert.deepEqual(subjects("super-admin", root), [
    { kind: "ServiceAccount", name: "tenant-root", namespace: "tenant-root" },
    { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "tenant-root-super-admin" },
  ]);
});

const verbs = ["get", "list", "watch"];
const rows = [
  {
    why: "rules stand in the order in which the lists are written",
    exposure: { ingresses: ["i"], secrets: ["s"], services: ["v"], monitors: ["m"] },
    rules: [
      { apiGroups: ["networking.k8s.io"], resources: ["ingresses"], resourceNames: ["i"], verbs },
      { apiGroups: [""], resources: ["secrets"], resourceNames: ["s"], verbs },
      { apiGroups: [""], resources: ["services"], resourceNames: ["v"], verbs },
      { apiGroups: ["cozystack.io"], resources: ["workloadmonitors"], resourceNames: ["m"], verbs },
    ],
  },
  // A rule without names would be a rule over all of them.
  { why: "an empty list exposes nothing", exposure: { secrets: [] }, rules: [] },
  {
    why: "other rules come last",
    exposure: { rules: [{ apiGroups: ["x"], resources: ["y"], verbs }], services: ["v"] },
    rules: [
      { apiGroups: [""], resources: ["services"], resourceNames: ["v"], verbs },
      { apiGroups: ["x"], resources: ["y"], verbs },
    ],
  },
];
for (const { why, exposure, rules } of rows) {
  test(`dashboard role: ${why}`, () => assert.deepEqual(dashboardAccess("redis-x", exposure, root)[0].rules, rules));
}

test("the binding's level is `use` unless the application says otherwise", () => {
  const [, usual] = dashboardAccess("x", {}, root);
  const [, strict] = dashboardAccess("x", { level: "super-admin" }, root);
  assert.equal(usual.subjects?.length, 4);
  assert.equal(strict.subjects?.length, 2);
  assert.equal(usual.metadata.name, "x-dashboard-resources");
});

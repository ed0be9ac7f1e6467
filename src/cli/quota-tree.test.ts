import assert from "node:assert/strict";
import { test } from "node:test";
import { Tenant, type TenantObject } from "../tenancy/quota/tenant-kind.ts";
import { namesOf, quotaText, quotaTree } from "./quota-tree.ts";

const plain = (text: string): string => text;
const paint = { strong: plain, good: plain, bad: plain, warn: plain, dim: plain };
const tenant = (name: string, namespace: string, quota?: object, conditions: readonly object[] = []): TenantObject =>
  Tenant(name, { namespace, status: { ...(quota === undefined ? {} : { quota }), conditions } });

const over = { type: "QuotaOvercommitted", status: "True", message: "cpu: 8 allocated of 5, 3 too much" };
const tenants = [
  tenant("root", "tenant-root"),
  tenant(
    "a",
    "tenant-root",
    {
      budget: { cpu: "5" },
      allocated: { cpu: "8" },
      used: { cpu: "1" },
      left: { cpu: "-4" },
    },
    [over],
  ),
  tenant("z", "tenant-a", { used: { cpu: "1" }, from: { cpu: "tenant-a" } }),
  tenant("b", "tenant-a", { budget: { cpu: "8" }, allocated: { cpu: "0" }, used: { cpu: "0" }, left: { cpu: "8" } }),
];

test("budgets are shown as a tree of tenants, in the order of their names", () => {
  const tree = quotaTree(tenants, "tenant-root");
  assert.deepEqual(namesOf(tree), ["tenant-root", "tenant-a", "tenant-a-b", "tenant-a-z"]);
  const [a] = tree.children;
  assert.equal(a?.overcommitted, over.message);
  assert.deepEqual(a?.children[1]?.resources, [{ resource: "cpu", used: "1", from: "tenant-a" }]);
});

test("the tree of one tenant begins with it", () => {
  assert.deepEqual(namesOf(quotaTree(tenants, "tenant-a")), ["tenant-a", "tenant-a-b", "tenant-a-z"]);
});

test("the text has a line for each tenant and resource, and says what is too much and whose budget is drawn from", () => {
  const text = quotaText(quotaTree(tenants, "tenant-root"), paint);
  const lines = text.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "));
  assert.deepEqual(lines, [
    "TENANT | RESOURCE | BUDGET | ALLOCATED | USED | LEFT",
    "root | -",
    "└─ a | cpu | 5 | 8 | 1 | -4",
    " | │ | cpu: 8 allocated of 5, 3 too much",
    " | ├─ b | cpu | 8 | 0 | 0 | 8",
    " | └─ z | cpu | 1 | from tenant-a",
  ]);
});

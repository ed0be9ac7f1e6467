/** No role of ours has escalate, bind, impersonate or a wildcard but those that are written down with a reason. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { apps } from "../../src/apps/index.ts";
import { ClusterRole } from "../../src/kube/core-kinds.ts";
import { systemObjects } from "../../src/platform/base-objects.ts";
import { serverRole } from "../../src/server/access.ts";
import { corpus } from "./corpus.ts";
import { powersOf, stale, unexplained } from "./powers.ts";

const installed = [...systemObjects(), serverRole("cozystack-api", apps)];

test("what is installed with the platform has no power that nobody explained", () => {
  assert.ok(installed.filter(({ kind }) => kind === "ClusterRole").length > 8);
  assert.deepEqual(unexplained(installed), []);
});

test("every explanation is of something that is there", () => assert.deepEqual(stale(installed), []));

test("no application renders a role with such power", () => {
  const rendered = corpus().map(({ object }) => object);
  assert.ok(rendered.filter(({ kind }) => kind === "Role").length > 10);
  assert.deepEqual(unexplained(rendered), []);
});

const rows = [
  { why: "a verb for all", rule: { apiGroups: [""], resources: ["pods"], verbs: ["*"] }, found: ["* on pods"] },
  { why: "all resources", rule: { apiGroups: ["a"], resources: ["*"], verbs: ["get"] }, found: ["get on a/*"] },
  {
    why: "all subresources",
    rule: { apiGroups: [""], resources: ["pods/*"], verbs: ["get"] },
    found: ["get on pods/*"],
  },
  { why: "all groups", rule: { apiGroups: ["*"], resources: ["a"], verbs: ["get"] }, found: ["get on */a"] },
  {
    why: "escalate",
    rule: { apiGroups: ["r"], resources: ["roles"], verbs: ["get", "escalate"] },
    found: ["get escalate on r/roles"],
  },
  { why: "bind", rule: { apiGroups: ["r"], resources: ["roles"], verbs: ["bind"] }, found: ["bind on r/roles"] },
  {
    why: "impersonate",
    rule: { apiGroups: [""], resources: ["users"], verbs: ["impersonate"] },
    found: ["impersonate on users"],
  },
  { why: "nothing of the kind", rule: { apiGroups: [""], resources: ["pods"], verbs: ["get"] }, found: [] },
];
for (const { why, rule, found } of rows) {
  test(`found: ${why}`, () => assert.deepEqual(powersOf(ClusterRole("x", { rules: [rule] })), found));
}

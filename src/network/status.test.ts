import assert from "node:assert/strict";
import { test } from "node:test";
import { SecurityGroup } from "../contracts/sdn-cozystack-io.ts";
import type { Effect } from "./effect.ts";
import { type StatusFacts, statusOf } from "./status.ts";

const applied: StatusFacts["verdict"] = { status: "True", reason: "PolicyApplied", message: "in place" };
const idle = (rule: string, reason: Effect["reason"] = "NoPeers"): Effect => ({
  rule,
  effective: false,
  reason,
  message: "why",
});
const adds: Effect = { rule: "spec.ingress[0]", effective: true, reason: "Adds" };
const facts = (rest: Partial<StatusFacts> = {}): StatusFacts => ({
  verdict: applied,
  members: [],
  effects: [adds],
  dangling: [],
  ...rest,
});
const group = SecurityGroup("g", { metadata: { generation: 3 } });
const conditionOf = (given: StatusFacts, type: string) =>
  statusOf(group, given, "2026-01-01T00:00:00Z").conditions?.find((one) => one.type === type);

const rows: readonly { why: string; given: StatusFacts; type: string; says: string; message: RegExp }[] = [
  { why: "applied", given: facts(), type: "Ready", says: "True PolicyApplied", message: /in place/ },
  {
    why: "a policy of somebody else",
    given: facts({ verdict: { status: "False", reason: "PolicyNameTaken", message: "taken" } }),
    type: "Ready",
    says: "False PolicyNameTaken",
    message: /taken/,
  },
  { why: "every rule adds", given: facts(), type: "RulesEffective", says: "True AllAdd", message: /restrict nothing/ },
  {
    why: "no rules",
    given: facts({ effects: [] }),
    type: "RulesEffective",
    says: "False NoRules",
    message: /restrict nothing/,
  },
  {
    why: "one rule is idle",
    given: facts({ effects: [adds, idle("spec.egress[0]")] }),
    type: "RulesEffective",
    says: "False NoPeers",
    message: /^spec\.egress\[0\]: why\. .*restrict nothing/,
  },
  {
    why: "idle for different reasons",
    given: facts({ effects: [idle("a"), idle("b", "EmptyRule")] }),
    type: "RulesEffective",
    says: "False Several",
    message: /a: why; b: why/,
  },
  {
    why: "very many are idle",
    given: facts({ effects: Array.from({ length: 100 }, (_, at) => idle(`r${at}`)) }),
    type: "RulesEffective",
    says: "False NoPeers",
    message: /r4: why; and 95 more/,
  },
  { why: "all found", given: facts(), type: "ReferencesResolved", says: "True AllFound", message: /exists/ },
  {
    why: "dangling",
    given: facts({ dangling: [{ field: "f", message: "there is no x" }] }),
    type: "ReferencesResolved",
    says: "False NotFound",
    message: /^f: there is no x$/,
  },
];
for (const { why, given, type, says, message } of rows) {
  test(`status ${type}: ${why}`, () => {
    const condition = conditionOf(given, type);
    assert.equal(`${condition?.status} ${condition?.reason}`, says);
    assert.match(condition?.message ?? "", message);
    assert.equal(condition?.observedGeneration, 3);
  });
}

test("members are counted, and the first hundred listed with what controls them", () => {
  const members = Array.from({ length: 120 }, (_, at) => ({
    name: `p${String(999 - at)}`,
    owner: at % 2 === 0 ? "b" : "a",
  }));
  const status = statusOf(group, facts({ members }), "2026-01-01T00:00:00Z");
  assert.equal(status.members, 120);
  assert.equal(status.pods?.length, 100);
  assert.equal(status.pods?.[0], "p880");
  assert.deepEqual(status.podOwners, ["a", "b"]);
});

test("the same facts later give the same status; only what changed moves its time", () => {
  const first = statusOf(group, facts(), "2026-01-01T00:00:00Z");
  const known = { ...group, status: first };
  assert.deepEqual(statusOf(known, facts(), "2026-02-02T00:00:00Z"), first);
  const later = statusOf(known, facts({ effects: [] }), "2026-02-02T00:00:00Z");
  assert.deepEqual(
    later.conditions?.map(({ lastTransitionTime }) => lastTransitionTime.slice(5, 7)),
    ["01", "01", "02"],
  );
});

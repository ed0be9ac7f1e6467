import assert from "node:assert/strict";
import { test } from "node:test";
import { type Classified, outcomeOf, type Severity } from "./check.ts";
import { checks } from "./index.ts";
import { standingOf } from "./run.ts";

const finding = (severity: Severity) => ({
  object: { group: "", kind: "Pod", name: "x" },
  severity,
  what: "is odd",
  remedy: ["mend it"],
});
const untold = { what: "pods", problem: "denied" };

const rows: readonly {
  readonly why: string;
  readonly all: readonly Classified[];
  readonly is: ReturnType<typeof standingOf>;
}[] = [
  { why: "nothing found", all: [{}, { applies: false }], is: "clean" },
  { why: "something to know", all: [{ findings: [finding("information")] }], is: "clean" },
  { why: "a warning", all: [{}, { findings: [finding("warning")] }], is: "failing" },
  { why: "something that blocks", all: [{ findings: [finding("blocking")] }], is: "failing" },
  { why: "something that could not be read", all: [{}, { unread: [untold] }], is: "couldNotTell" },
  {
    why: "something that could not be read, and a failure",
    all: [{ findings: [finding("blocking")] }, { unread: [untold] }],
    is: "couldNotTell",
  },
];
for (const { why, all, is } of rows)
  test(`together: ${why}: ${is}`, () => assert.equal(standingOf(all.map((one) => outcomeOf(one))), is));

test("what could not be read is never clean, whatever else is said", () => {
  for (const classified of [{}, { applies: false }, { findings: [finding("information")] }, { notes: ["x"] }])
    assert.equal(outcomeOf(classified, [untold]).verdict, "couldNotTell");
});

test("there is one check for each of P1 to P21, in order, with all that people are told (feature 11)", () => {
  assert.deepEqual(
    checks.map(({ id }) => id),
    Array.from({ length: 21 }, (_, index) => `P${index + 1}`),
  );
  for (const { id, title, why, remedy, reads } of checks) {
    assert.ok(title !== "" && why.endsWith(".") && remedy.length > 0 && reads.length > 0, id);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { claimsOf } from "./feature-claims.ts";

const source = [
  'test("one thing (FEATURE 3)", f);',
  'test("two things, it\'s said (FEATUREs 4, 5 and 6)", f);',
  'for (const { why } of [{ why: "a row (FEATURE 7)" }]) test(`a table: @{why}`, f);',
  "test(`a table of (FEATURE 8): @{why}`, f);",
  'test("FEATURE creep is no claim, nor are 9 FEATUREs", f);',
]
  .join("\n")
  .replaceAll("@", "$")
  .replaceAll("FEATURE", "feature");
const file = "a.test.ts";
const ran = (title: string, outcome = "passed") => ({ title, file, outcome });
const claims = (...outcomes: readonly ReturnType<typeof ran>[]) =>
  Object.fromEntries(
    [...claimsOf(new Map([[file, source]]), outcomes)].map(([number, all]) => [number, all.map((one) => one.outcome)]),
  );

test("a title claims each feature that it names; what was not run is said so", () => {
  const none = ["not run"];
  assert.deepEqual(claims(), { 3: none, 4: none, 5: none, 6: none, 8: none });
  assert.deepEqual(claims(ran("one thing (feature 3)"), ran("two things, it's said (features 4, 5 and 6)", "failed")), {
    3: ["passed"],
    4: ["failed"],
    5: ["failed"],
    6: ["failed"],
    8: none,
  });
});

test("a test of a suite that stands in another file counts", () => {
  const elsewhere = { title: `an answer (${"feature"} 9)`, file: "suite.ts", outcome: "passed" };
  assert.deepEqual(claimsOf(new Map([[file, source]]), [elsewhere]).get(9), [elsewhere]);
});

test("a title that is made of parts counts as it ran, each time it did", () => {
  const { 7: row, 8: table } = claims(
    ran("a table: a row (feature 7)"),
    ran("a table of (feature 8): x"),
    ran("a table of (feature 8): y", "skipped"),
  );
  assert.deepEqual([row, table], [["passed"], ["passed", "skipped"]]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { faultsOf, type PathRefusal, planPath } from "./path.ts";
import { compatibleVersion, parseVersion, slotsBetween, type Version, versionText } from "./versions.ts";

function version(text: string): Version {
  const parsed = parseVersion(text);
  assert.ok(parsed, text);
  return parsed;
}

interface Row {
  readonly why: string;
  readonly stamp?: number;
  readonly version?: string;
  readonly to?: string;
  /** `FROM > TO by WHO: FIRST-LAST`. */
  readonly steps?: readonly string[];
  readonly refused?: PathRefusal["code"];
  readonly noted?: RegExp;
}

const rows: readonly Row[] = [
  {
    why: "stamp 45 of 1.5.2 goes through 1.5.4 (features 12 and 19)",
    stamp: 45,
    version: "1.5.2",
    steps: ["1.5.2 > 1.5.4 by upstream: 45-45", "1.5.4 > 1.6.2 by cozystack: 46-55"],
  },
  {
    why: "stamp 45 alone says as much",
    stamp: 45,
    steps: ["a version from 1.5.0 to 1.5.3 > 1.5.4 by upstream: 45-45", "1.5.4 > 1.6.2 by cozystack: 46-55"],
  },
  {
    why: "1.5.4 goes straight, and its slot 45 is not had again",
    stamp: 46,
    version: "1.5.4",
    steps: ["1.5.4 > 1.6.2 by cozystack: 46-55"],
  },
  {
    why: "1.5.4 whose own migration has not ended ends it first",
    stamp: 45,
    version: "1.5.4",
    steps: ["1.5.4 > 1.5.4 by upstream: 45-45", "1.5.4 > 1.6.2 by cozystack: 46-55"],
    noted: /1\.5\.4 is installed, but the stamp is 45 instead of 46/,
  },
  {
    why: "1.4 goes straight",
    stamp: 40,
    version: "1.4.3",
    steps: ["1.4.3 > 1.6.2 by cozystack: 40-55"],
  },
  {
    why: "1.6.0 goes to 1.6.2",
    stamp: 54,
    version: "1.6.0",
    steps: ["1.6.0 > 1.6.2 by cozystack: 54-55"],
  },
  {
    why: "an upgrade to 1.6 that stopped goes on",
    stamp: 50,
    version: "1.6.2",
    steps: ["1.6.2 > 1.6.2 by cozystack: 50-55"],
    noted: /its migrations have not ended/,
  },
  {
    why: "1.6 that began without 1.5.4 does not go back",
    stamp: 45,
    version: "1.6.1",
    steps: ["1.6.1 > 1.6.2 by cozystack: 45-55"],
    noted: /instead of 54/,
  },
  { why: "what is there already has no way to go", stamp: 56, version: "1.6.2", steps: [], noted: /after 1\.6\.2/ },
  { why: "nor has what this program has upgraded", stamp: 56, steps: [] },
  {
    why: "1.5.4 as the end",
    stamp: 45,
    version: "1.5.0",
    to: "1.5.4",
    steps: ["1.5.0 > 1.5.4 by upstream: 45-45"],
  },
  { why: "a target with silent faults", stamp: 46, version: "1.5.4", to: "1.6.0", refused: "FaultyTarget" },
  { why: "its candidate", stamp: 46, version: "1.5.4", to: "1.6.2-rc.1", refused: "FaultyTarget" },
  { why: "a target that is not known", stamp: 46, version: "1.5.4", to: "1.7.0", refused: "UnknownTarget" },
  { why: "a target before 1.5.4", stamp: 45, version: "1.5.0", to: "1.5.2", refused: "UnknownTarget" },
  { why: "no stamp", version: "1.5.4", refused: "StampMissing" },
  { why: "an old stamp of an unknown version", stamp: 40, refused: "StampUnknown" },
  { why: "a version before 1.4", stamp: 30, version: "1.3.9", refused: "TooOld" },
  { why: "back to an older version", stamp: 54, version: "1.6.1", to: "1.5.4", refused: "AlreadyBeyond" },
  { why: "an unknown stamp", stamp: 57, refused: "AlreadyBeyond" },
];

for (const row of rows)
  test(`path: ${row.why}`, () => {
    const start = { stamp: row.stamp, version: row.version === undefined ? undefined : version(row.version) };
    const path = planPath(start, row.to === undefined ? compatibleVersion : version(row.to));
    assert.deepEqual(
      path.refusals.map(({ code }) => code),
      row.refused === undefined ? [] : [row.refused],
    );
    assert.deepEqual(
      path.steps.map(({ from, to, by, slots }) => `${from} > ${to} by ${by}: ${slots[0]}-${slots.at(-1)}`),
      row.steps ?? [],
    );
    for (const step of path.steps) assert.ok(step.reasons.length > 0, "every step has its reasons");
    if (row.noted === undefined) assert.deepEqual(path.notes, []);
    else assert.match(path.notes.join("\n"), row.noted);
  });

test("a target of 1.6.0 lacks four mends that nobody would notice (feature 12)", () => {
  assert.equal(faultsOf(version("1.6.0")).length, 4);
  assert.equal(faultsOf(version("1.6.1")).length, 3);
  assert.deepEqual(faultsOf(version("1.6.2")), []);
  const [refusal] = planPath({ stamp: 46, version: undefined }, version("1.6.0")).refusals;
  for (const fault of faultsOf(version("1.6.0"))) assert.ok(refusal?.message.includes(fault), fault);
});

test("the slots of a path are each had once, in order, up to the end", () => {
  fc.assert(
    fc.property(fc.integer({ min: 45, max: 56 }), (stamp) => {
      const { steps } = planPath({ stamp, version: undefined }, compatibleVersion);
      assert.deepEqual(
        steps.flatMap(({ slots }) => slots),
        slotsBetween(stamp, 56),
      );
      for (const [index, step] of steps.entries()) if (index > 0) assert.equal(step.from, steps[index - 1]?.to);
      assert.equal(steps.at(-1)?.to ?? "1.6.2", versionText(compatibleVersion));
    }),
  );
});

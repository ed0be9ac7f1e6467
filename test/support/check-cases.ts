/** Tables over the checks of an upgrade: each check has a row for every verdict. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClassifiedCheck, Facts, Severity, Verdict } from "../../src/upgrade/checks/check.ts";
import type { Answer, Source } from "../../src/upgrade/checks/source.ts";

/** A list that was refused. */
export const denied: Answer<never> = { is: "unreadable", what: "things", problem: "forbidden (Forbidden)" };

interface CaseOf<F> {
  readonly why: string;
  readonly facts: F;
  readonly is: Verdict;
  /** Objects of findings, `NAMESPACE/NAME` or `NAME`; not looked at when absent. */
  readonly objects?: readonly string[];
  /** What findings, remedies, notes and problems together say. */
  readonly says?: RegExp;
  readonly never?: RegExp;
  /** Of every finding. */
  readonly severity?: Severity;
}

const verdicts: readonly Verdict[] = ["pass", "fail", "notApplicable", "couldNotTell"];

/** A test for each row, and one that all verdicts are among them. */
export function cases<S extends Readonly<Record<string, Source<unknown>>>>(
  check: ClassifiedCheck<S>,
  rows: readonly CaseOf<Facts<S>>[],
): void {
  for (const { why, facts, is, objects, says, never, severity } of rows)
    test(`${check.id} ${is}: ${why}`, () => {
      const outcome = check.classify(facts);
      assert.equal(outcome.verdict, is, JSON.stringify(outcome));
      const named = outcome.findings.map(({ object: { namespace, name } }) =>
        namespace === undefined ? name : `${namespace}/${name}`,
      );
      if (objects !== undefined) assert.deepEqual(named, objects);
      for (const finding of outcome.findings) {
        assert.ok(finding.remedy.length > 0, "each finding has a remedy");
        if (severity !== undefined) assert.equal(finding.severity, severity);
      }
      assert.equal(outcome.unread.length > 0, is === "couldNotTell");
      const said = JSON.stringify(outcome);
      if (says !== undefined) assert.match(said, says);
      if (never !== undefined) assert.doesNotMatch(said, never);
    });
  test(`${check.id} is tried with every verdict`, () => {
    assert.deepEqual(
      verdicts.filter((verdict) => !rows.some(({ is }) => is === verdict)),
      [],
    );
  });
}

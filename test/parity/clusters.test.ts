/**
 * Clusters and pools of machines, before their kinds are served by their applications: every case that is at hand renders as it
 * should, but for what is declared.
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { kubernetes } from "../../src/apps/kubernetes/index.ts";
import { kubernetesNodes } from "../../src/apps/kubernetes-nodes/index.ts";
import { loadCases } from "./case.ts";
import { deviations } from "./deviations.ts";
import { judge, stale, type Verdict } from "./judge.ts";
import { formatDifferences } from "./print.ts";

const cases = loadCases(resolve(import.meta.dirname, "../../../shared/parity")) ?? [];
const skip = cases.length > 0 ? false : "the cases are not at hand";

for (const app of [kubernetes, kubernetesNodes]) {
  const own = cases.filter(({ kind }) => kind === app.kind);
  const declared = deviations[own[0]?.app ?? ""] ?? [];

  test(`${app.kind} renders what runs, case by case, and every deviation occurs`, { skip }, async () => {
    const verdicts: Verdict[] = [];
    for (const testCase of own) {
      const verdict = await judge(testCase, app, declared, async () => undefined);
      assert.ok(verdict !== undefined);
      const told = `${verdict.problem ?? ""}\n${formatDifferences(verdict.differences, false)}`;
      assert.ok(verdict.passed, `${testCase.case}: ${told}`);
      verdicts.push(verdict);
    }
    assert.ok(verdicts.length > 20);
    assert.deepEqual(stale(declared, verdicts, true), []);
  });
}

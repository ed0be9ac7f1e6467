/**
 * `npm run parity -- [DIR] [--app NAME]... [--case NAME]... [--verbose]`: renders the cases of a directory and compares.
 * The last line is `N passed, N failed`; the exit code is 1 when anything failed.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { explainWhenAsked } from "../../scripts/usage.ts";
import { apps } from "../../src/apps/index.ts";
import { loadCases, type ParityCase } from "./case.ts";
import { deviations } from "./deviations.ts";
import { judge, stale, type Verdict } from "./judge.ts";
import { formatDifferences } from "./print.ts";
import { caseServer } from "./server.ts";

explainWhenAsked(import.meta.filename);

const DEFAULT_DIRECTORY = resolve(import.meta.dirname, "../../../shared/parity");

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    app: { type: "string", multiple: true },
    case: { type: "string", multiple: true },
    verbose: { type: "boolean", short: "v", default: false },
  },
});
const directory = resolve(positionals[0] ?? DEFAULT_DIRECTORY);
const appNames = options.app === undefined ? undefined : new Set(options.app);
const caseNames = options.case === undefined ? undefined : new Set(options.case);

function wanted(testCase: ParityCase): boolean {
  return (appNames?.has(testCase.app) ?? true) && (caseNames?.has(testCase.case) ?? true);
}

function report(verdict: Verdict): void {
  const name = `${verdict.case.app}/${verdict.case.case}`;
  if (verdict.passed) {
    if (options.verbose)
      console.log(`ok   ${name}${verdict.used.size === 0 ? "" : ` (${verdict.used.size} declared deviations)`}`);
    return;
  }
  console.log(`FAIL ${name}${verdict.problem === undefined ? "" : `: ${verdict.problem}`}`);
  if (verdict.differences.length > 0) console.log(formatDifferences(verdict.differences, options.verbose));
}

async function main(): Promise<void> {
  const all = loadCases(directory);
  if (all === undefined) {
    console.log(`${directory} does not exist: no cases to compare with.`);
    process.exitCode = 1;
    console.log("0 passed, 0 failed");
    return;
  }
  const byKind = new Map(apps.map((app) => [app.kind, app]));
  const cases = all.filter(wanted);
  const server = caseServer(apps);
  const verdicts: Verdict[] = [];
  const skipped = new Map<string, number>();
  for (const testCase of cases) {
    const app = byKind.get(testCase.kind);
    if (app === undefined) {
      skipped.set(testCase.kind, (skipped.get(testCase.kind) ?? 0) + 1);
      continue;
    }
    const verdict = await judge(testCase, app, deviations[testCase.app] ?? [], server.refuses);
    report(verdict);
    verdicts.push(verdict);
  }
  await server.close();
  const complete = directory === DEFAULT_DIRECTORY && caseNames === undefined;
  const unneeded = Object.entries(deviations).flatMap(([app, declared]) => {
    const own = verdicts.filter((verdict) => verdict.case.app === app);
    return own.length === 0 ? [] : stale(declared, own, complete).map((text) => `${app}: ${text}`);
  });
  for (const text of unneeded) console.log(`FAIL declared deviation no longer occurs: ${text}`);
  if (skipped.size > 0) {
    const list = [...skipped].map(([kind, count]) => `${kind} ${count}`).join(", ");
    console.log(`skipped, kinds that do not exist yet: ${list}`);
  }
  const passed = verdicts.filter((verdict) => verdict.passed).length;
  const failed = verdicts.length - passed + unneeded.length;
  if (failed > 0) process.exitCode = 1;
  console.log(`${passed} passed, ${failed} failed`);
}

await main();

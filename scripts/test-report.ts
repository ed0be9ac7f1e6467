/** What a run of test files says: a line a file as it ends, failures in full, and every outcome for later readers. */
import { relative, resolve } from "node:path";
import { run } from "node:test";
import { inspect } from "node:util";
import { concurrently } from "../src/reconcile/concurrently.ts";

export interface TestOutcome {
  readonly title: string;
  readonly file: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why it was skipped. */
  readonly reason?: string;
  /** It did not end by itself. */
  readonly hung?: true;
}

export interface RunOptions {
  readonly root: string;
  readonly concurrency: number;
  readonly print: (text: string) => void;
  readonly signal?: AbortSignal;
  /** Milliseconds after which a file is ended, ten minutes unless told. */
  readonly limit?: number;
}

/** A file that hangs is ended after ten minutes: long enough for one that waits for the engine's first build. */
const defaultLimit = 600_000;

/**
 * Runs test files, each in a process of its own, and gives the outcome of every test in them. What a file did not say within
 * the limit failed.
 */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<TestOutcome[]> {
  const runNext = async (file: string): Promise<readonly TestOutcome[]> =>
    options.signal?.aborted === true ? [] : runFile(file, options);
  return (await concurrently(files, options.concurrency, runNext)).flat();
}

/**
 * One file a run: the runner's own events name the file that a test was written in, which may be one that the test file
 * imports, and its own timeout does not end a file without tests.
 */
async function runFile(
  path: string,
  { root, print, signal, limit = defaultLimit }: RunOptions,
): Promise<TestOutcome[]> {
  const file = relative(root, resolve(root, path));
  const overdue = AbortSignal.timeout(limit);
  const outcomes: TestOutcome[] = [];
  const stream = run({
    files: [path],
    concurrency: 1,
    cwd: root,
    signal: signal === undefined ? overdue : AbortSignal.any([signal, overdue]),
  });
  for await (const event of stream) {
    if (event.type === "test:stdout" || event.type === "test:stderr") print(event.data.message);
    if (event.type === "test:summary" && event.data.file !== undefined) {
      const { success, counts, duration_ms: duration } = event.data;
      const skipped = counts.skipped === 0 ? "" : `, ${counts.skipped} skipped`;
      print(`${success ? "✔" : "✖"} ${file} (${counts.tests} tests${skipped}, ${Math.round(duration)} ms)\n`);
    }
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { name, skip, todo, details } = event.data;
    const title = resolve(root, name) === resolve(root, path) ? file : name; // the file itself failed, outside any test
    if (details.type === "suite" && event.type === "test:pass") continue; // its tests were counted
    const reason = skip ?? todo;
    if (reason !== undefined && reason !== false) {
      outcomes.push({ title, file, outcome: "skipped", reason: reason === true ? "no reason given" : reason });
      continue;
    }
    outcomes.push({ title, file, outcome: event.type === "test:pass" ? "passed" : "failed" });
    if (event.type === "test:fail") print(`✖ ${file}: ${title}\n${indent(describe(event.data.details.error))}\n`);
  }
  if (overdue.aborted) {
    const title = `ended after ${Math.round(limit / 1000)} s`;
    print(`✖ ${file}: ${title}\n`);
    outcomes.push({ title, file, outcome: "failed", hung: true });
  }
  return outcomes;
}

function describe(error: Error): string {
  // The runner wraps what the test threw; the wrapper's own stack says nothing.
  const { cause } = error;
  return cause === undefined ? error.message : cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

/** The closing lines: tests that failed, and those that were skipped, by reason and file with their number. */
export function summary(outcomes: readonly TestOutcome[]): string[] {
  const of = (wanted: TestOutcome["outcome"]) => outcomes.filter(({ outcome }) => outcome === wanted);
  const lines = of("failed").map(({ file, title }) => `failed: ${file}: ${title}`);
  for (const [reason, skipped] of Map.groupBy(of("skipped"), ({ reason = "" }) => reason)) {
    const files = [...Map.groupBy(skipped, ({ file }) => file)].map(([file, tests]) => `${file} (${tests.length})`);
    lines.push(`skipped: ${skipped.length} tests, ${reason}: ${files.join(", ")}`);
  }
  lines.push(`${of("passed").length} passed, ${of("failed").length} failed, ${of("skipped").length} skipped`);
  return lines;
}

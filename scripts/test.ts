/**
 * Runs the tests: `node scripts/test.ts [--strict] [--list] [PATTERN...]`. Without a pattern all suites; with patterns
 * only test files whose path contains one of them. All files share one engine, started here and ended with the run; a file
 * that failed on it is run once more, alone.
 * --strict  a test that was skipped counts as failed
 * --list    only says which files each suite would run
 */
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Engine, purge, startEngine } from "../embedded/engine.ts";
import { exitCodeOf } from "./run-program.ts";
import { runFiles, summary, type TestOutcome } from "./test-report.ts";
import { explainWhenAsked } from "./usage.ts";

explainWhenAsked(import.meta.filename);

interface Suite {
  readonly name: string;
  /** Test files, or an npm script that is a suite by itself. */
  readonly files?: readonly string[];
  readonly script?: string;
  /** Whether it needs the API server. */
  readonly engine: boolean;
  /** Whether its files, each a whole platform at work, take turns. */
  readonly turns?: boolean;
  /** Whether it has nothing to do without ../shared. */
  readonly shared?: boolean;
}

const root = resolve(import.meta.dirname, "..");
const hasShared = existsSync(join(root, "../shared"));

const all = globSync("{src,embedded,scripts,bench,test,web}/**/*.test.ts", {
  cwd: root,
  exclude: (name) => name.includes("node_modules"),
});
const inSuite = (prefix: string, file: string): boolean => file.startsWith(prefix);
const ownSuites = ["test/chaos/", "test/recipes/", "test/security/"];
const common = all.filter((file) => !ownSuites.some((prefix) => inSuite(prefix, file))).sort();

const suites: readonly Suite[] = [
  { name: "check", script: "check", engine: false },
  { name: "unit", files: common.filter((file) => !file.endsWith(".engine.test.ts")), engine: false },
  { name: "engine", files: common.filter((file) => file.endsWith(".engine.test.ts")), engine: true },
  { name: "parity", script: "parity", engine: false, shared: true },
  { name: "recipes", files: all.filter((file) => inSuite("test/recipes/", file)).sort(), engine: true, turns: true },
  { name: "security", files: all.filter((file) => inSuite("test/security/", file)).sort(), engine: true, turns: true },
  { name: "chaos", files: all.filter((file) => inSuite("test/chaos/", file)).sort(), engine: true, turns: true },
];

const { values, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: { strict: { type: "boolean", default: false }, list: { type: "boolean", default: false } },
});
const chosen = suites.flatMap((suite): Suite[] => {
  if (patterns.length === 0) return suite.script !== undefined || (suite.files ?? []).length > 0 ? [suite] : [];
  const files = suite.files?.filter((file) => patterns.some((pattern) => file.includes(pattern))) ?? [];
  return files.length > 0 ? [{ ...suite, files }] : [];
});
if (chosen.length === 0) {
  console.error(`No test file's path contains ${patterns.join(" or ")}.`);
  process.exit(1);
}
if (values.list) {
  for (const { name, files, script } of chosen) console.log(`${name}\n  ${files?.join("\n  ") ?? `npm run ${script}`}`);
  process.exit(0);
}

const cancelled = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => cancelled.abort());

const print = (text: string): void => void process.stdout.write(text);
const started = performance.now();
const outcomes: TestOutcome[] = [];
const failedSuites: string[] = [];

// Its start overlaps with the suites that do without it.
const engine = chosen.some((suite) => suite.engine) ? startTestEngine() : undefined;
engine?.catch(() => undefined); // told where it is awaited
try {
  for (const suite of chosen) {
    if (cancelled.signal.aborted) break;
    print(`\n── ${suite.name}\n`);
    const began = performance.now();
    await runSuite(suite);
    print(`── ${suite.name}: ${Math.round((performance.now() - began) / 1000)} s\n`);
  }
} finally {
  await engine?.then(
    async ({ running, dataDir }) => {
      await running.stop();
      purge(dataDir);
    },
    () => undefined,
  );
}

mkdirSync(join(root, ".cache"), { recursive: true });
if (patterns.length === 0)
  writeFileSync(join(root, ".cache/test-results.json"), JSON.stringify(outcomes, undefined, 1));
print(`\n${summary(outcomes).join("\n")}\n`);
const skipped = outcomes.some(({ outcome }) => outcome === "skipped");
if (values.strict && skipped) failedSuites.push("skipped tests (--strict)");
if (cancelled.signal.aborted) failedSuites.push("cancelled");
print(
  `${failedSuites.length === 0 ? "All suites passed" : `Failed: ${failedSuites.join(", ")}`} in ${Math.round((performance.now() - started) / 1000)} s.\n`,
);
process.exitCode = failedSuites.length === 0 ? 0 : 1;

async function runSuite({
  name,
  files,
  script,
  engine: needsEngine,
  turns = false,
  shared = false,
}: Suite): Promise<void> {
  const skip = (reason: string): void => {
    print(`skipped: ${reason}\n`);
    outcomes.push({ title: name, file: `suite ${name}`, outcome: "skipped", reason });
  };
  if (shared && !hasShared) return skip("needs ../shared");
  if (script !== undefined) {
    const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts ?? {};
    if (scripts[script] === undefined) return skip(`package.json has no script ${script}`);
    const code = await exitCodeOf("npm", ["run", "--silent", script], { cwd: root, signal: cancelled.signal });
    if (code !== 0) failedSuites.push(name);
    outcomes.push({ title: name, file: `npm run ${script}`, outcome: code === 0 ? "passed" : "failed" });
    return;
  }
  if (needsEngine && engine !== undefined) {
    try {
      process.env["COZYSTACK_TEST_KUBECONFIG"] = (await engine).running.kubeconfigPath;
    } catch (error) {
      print(`The engine did not start: ${error instanceof Error ? error.message : String(error)}\n`);
      outcomes.push({ title: "the engine starts", file: `suite ${name}`, outcome: "failed" });
      failedSuites.push(name);
      return;
    }
  }
  const results = await runFiles(files ?? [], {
    root,
    concurrency: turns ? 1 : availableParallelism(),
    print,
    signal: cancelled.signal,
  });
  const final = needsEngine ? await repeatFailed(results) : results;
  outcomes.push(...final);
  if (final.some(({ outcome }) => outcome === "failed")) failedSuites.push(name);
}

/**
 * Files that failed beside others on one busy API server are run once more, alone; what they then say counts. That a file
 * needed it is printed: it waits for something that is not in its hands. What hung is not waited for again.
 */
async function repeatFailed(results: readonly TestOutcome[]): Promise<readonly TestOutcome[]> {
  const filesOf = (some: readonly TestOutcome[]) => new Set(some.map(({ file }) => file));
  const hung = filesOf(results.filter((one) => one.hung === true));
  const failed = [...filesOf(results.filter(({ outcome }) => outcome === "failed"))].filter((file) => !hung.has(file));
  if (failed.length === 0 || cancelled.signal.aborted) return results;
  print(`once more, alone: ${failed.join(", ")}\n`);
  const again = await runFiles(failed, { root, concurrency: 1, print, signal: cancelled.signal });
  return [...results.filter(({ file }) => !failed.includes(file)), ...again];
}

async function startTestEngine(): Promise<{ running: Engine; dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), "cozystack-test-"));
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  const running = await startEngine({ dataDir, fsync: false, log: (line) => print(`${line}\n`) });
  void running.ended.then((crash) => {
    if (crash === undefined) return;
    print(`${crash.message}\n`);
    failedSuites.push("the engine crashed");
  });
  return { running, dataDir };
}

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { summary, type TestOutcome } from "./test-report.ts";

const directory = mkdtempSync(join(tmpdir(), "report-"));
after(() => rmSync(directory, { recursive: true }));

/** Runs the files in a process of their own: the test runner does not run inside a test. */
function runApart(
  files: Readonly<Record<string, string>>,
  limit = 60_000,
): { outcomes: TestOutcome[]; printed: string } {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const tests = Object.keys(files).filter((name) => name.endsWith(".test.mjs"));
  const paths = tests.map((name) => join(directory, name));
  const program = `
    import { runFiles } from ${JSON.stringify(join(import.meta.dirname, "test-report.ts"))};
    let printed = "";
    const options = { root: ${JSON.stringify(directory)}, concurrency: 1, limit: ${limit}, print: (text) => { printed += text; } };
    const outcomes = await runFiles(${JSON.stringify(paths)}, options);
    console.log(JSON.stringify({ outcomes, printed }));`;
  const env = { ...process.env };
  delete env["NODE_TEST_CONTEXT"];
  const programFile = join(directory, "program.mjs");
  writeFileSync(programFile, program); // not `-e`: the runner hands that on to the processes of the files
  const { stdout, stderr } = spawnSync(process.execPath, [programFile], { encoding: "utf8", env });
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout);
}

test("every outcome is kept, with the reason of a skip, and failures are printed with their place", () => {
  const { outcomes, printed } = runApart({
    "mixed.test.mjs": `
      import { test, describe, it } from "node:test";
      test("right", () => {});
      test("wrong", () => { throw new Error("the value was 3"); });
      test("later", { skip: "needs ../shared" }, () => {});
      describe("group", () => { it("inside", () => {}); });`,
    "broken.test.mjs": "import './no-such-file.mjs';",
  });
  assert.deepEqual(outcomes, [
    { title: "right", file: "mixed.test.mjs", outcome: "passed" },
    { title: "wrong", file: "mixed.test.mjs", outcome: "failed" },
    { title: "later", file: "mixed.test.mjs", outcome: "skipped", reason: "needs ../shared" },
    { title: "inside", file: "mixed.test.mjs", outcome: "passed" },
    { title: "broken.test.mjs", file: "broken.test.mjs", outcome: "failed" },
  ]);
  assert.match(printed, /✖ mixed\.test\.mjs: wrong\n {4}Error: the value was 3\n {4} *at .*mixed\.test\.mjs/);
  assert.match(printed, /no-such-file\.mjs/);
});

test("a test belongs to the file that was run, wherever it was written", () => {
  const { outcomes } = runApart({
    "prove.mjs": `
      import { test } from "node:test";
      export const prove = () => test("proven", () => { throw new Error("no"); });`,
    "proof.test.mjs": "import { prove } from './prove.mjs'; prove();",
  });
  assert.deepEqual(outcomes, [{ title: "proven", file: "proof.test.mjs", outcome: "failed" }]);
});

test("a file that hangs is ended, fails, and says so; the others count", () => {
  const { outcomes, printed } = runApart(
    {
      "hang.test.mjs": "setInterval(() => {}, 1000);",
      "quick.test.mjs": "import { test } from 'node:test'; test('right', () => {});",
    },
    2_000,
  );
  const failed = outcomes.filter(({ outcome }) => outcome === "failed");
  assert.deepEqual([...new Set(failed.map(({ file }) => file))], ["hang.test.mjs"]);
  assert.ok(outcomes.some(({ title, outcome }) => title === "right" && outcome === "passed"));
  assert.match(printed, /✖ hang\.test\.mjs: ended after 2 s/);
});

test("the summary names what failed and counts what was skipped by reason and file", () => {
  const outcomes: TestOutcome[] = [
    { title: "a", file: "x.test.ts", outcome: "passed" },
    { title: "b", file: "x.test.ts", outcome: "failed" },
    { title: "c", file: "x.test.ts", outcome: "skipped", reason: "needs ../shared" },
    { title: "d", file: "y.test.ts", outcome: "skipped", reason: "needs ../shared" },
    { title: "e", file: "y.test.ts", outcome: "skipped", reason: "needs ../shared" },
  ];
  assert.deepEqual(summary(outcomes), [
    "failed: x.test.ts: b",
    "skipped: 3 tests, needs ../shared: x.test.ts (1), y.test.ts (2)",
    "1 passed, 1 failed, 3 skipped",
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { exitCodeOf } from "./run-program.ts";

const cwd = import.meta.dirname;

test("a program's exit code is told", async () => {
  const { signal } = new AbortController();
  assert.equal(await exitCodeOf("sh", ["-c", "exit 3"], { cwd, signal }), 3);
  assert.equal(await exitCodeOf("true", [], { cwd, signal }), 0);
});

test("a program that is cancelled has ended, and that is no error", async () => {
  const cancelled = new AbortController();
  const ended = exitCodeOf("sleep", ["600"], { cwd, signal: cancelled.signal });
  cancelled.abort();
  assert.equal(await ended, null);
  assert.equal(
    await exitCodeOf("sleep", ["600"], { cwd, signal: cancelled.signal }),
    null,
    "cancelled before it began",
  );
});

test("a program that is not there is an error", async () => {
  const { signal } = new AbortController();
  await assert.rejects(exitCodeOf("/nonexistent/program", [], { cwd, signal }), { code: "ENOENT" });
});

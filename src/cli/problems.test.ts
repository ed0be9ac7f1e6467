import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineError } from "../../embedded/errors.ts";
import { ApiError } from "../kube/errors.ts";
import { duration } from "./duration.ts";
import { problemLine, problemLines } from "./problems.ts";

const rows: { readonly why: string; readonly error: unknown; readonly debug?: boolean; readonly lines: RegExp[] }[] = [
  {
    why: "the program's errors have code and remedy",
    error: new ApiError("Forbidden", "no"),
    lines: [/^error: no \(Forbidden\)$/, /^ {2}Ask an administrator/],
  },
  {
    why: "the engine's too",
    error: new EngineError("EngineInUse", "in use", "Use it."),
    lines: [/^error: in use \(EngineInUse\)$/, /^ {2}Use it\.$/],
  },
  { why: "others say how to see more", error: new Error("x"), lines: [/^error: x$/, /COZYSTACK_DEBUG=1/] },
  {
    why: "and then show where they come from",
    error: new Error("x"),
    debug: true,
    lines: [/^error: x$/, /at .*problems/],
  },
  { why: "a thrown text", error: "odd", lines: [/^error: odd$/, /COZYSTACK_DEBUG/] },
];

for (const { why, error, debug, lines } of rows) {
  test(`a problem is printed: ${why}`, () => {
    const printed = problemLines(error, debug);
    assert.equal(printed.length, lines.length);
    for (const [at, line] of lines.entries()) assert.match(printed[at] ?? "", line);
  });
}

test("a failure in a log is one line with its code, and no stack", () => {
  const thrown = new Error("cannot read\nproperty x\n    at play (stage.ts:1:1)\n    at work (queue.ts:2:2)");
  assert.deepEqual([new ApiError("Network", "watch Pod: other side closed\n"), thrown, "odd"].map(problemLine), [
    "watch Pod: other side closed (Network)",
    "cannot read property x (unexpected)",
    "odd (unexpected)",
  ]);
});

test("times on the command line", () => {
  assert.deepEqual(["90s", "5m", "1h30m", "500ms"].map(duration), [90_000, 300_000, 5_400_000, 500]);
  for (const text of ["", "5", "m", "5 m", "-1s", "1d"]) assert.throws(() => duration(text), /90s, 5m or 1h30m/, text);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { apps } from "../apps/index.ts";
import { appNamed } from "./applications.ts";
import type { Row } from "./follow.ts";
import { progressTable } from "./progress-table.ts";
import { paintWith, type Terminal } from "./terminal.ts";

const redis = appNamed("redis", apps);
const row = (reason: string, more: Partial<Row> = {}): Row => ({
  app: redis,
  name: "q",
  namespace: "tenant-a",
  object: undefined,
  standing: { ready: "Unknown", reason, message: "why", stalled: false },
  done: false,
  ...more,
});

/** A terminal that remembers; `screen` is its size. */
function recorded(screen: Terminal["screen"]) {
  const out: string[] = [];
  const lines: string[] = [];
  const terminal: Terminal = {
    format: "text",
    interactive: screen !== undefined,
    paint: paintWith(false),
    paintProgress: paintWith(false),
    width: undefined,
    screen,
    get said() {
      return lines.length;
    },
    progress: (line) => void lines.push(line),
    write: (text) => void out.push(text),
    result: () => undefined,
    confirm: () => Promise.resolve(false),
  };
  return { terminal, out, lines };
}

test("without a screen each change is one line, said once", () => {
  const { terminal, out, lines } = recorded(undefined);
  const shown = progressTable(terminal);
  shown.show([row("Pending")]);
  shown.show([row("Pending")]);
  shown.show([row("Progressing")]);
  shown.show([row("Ready", { done: true, took: 3_000 })]);
  assert.deepEqual(lines, [
    "Redis  tenant-a/q  Pending  why",
    "Redis  tenant-a/q  Progressing  why",
    "Redis  tenant-a/q  ready  after 3s",
  ]);
  assert.deepEqual(out, []);
});

test("without a screen a message is whole, however long, and on one line", () => {
  const { terminal, lines } = recorded(undefined);
  const message = `exceeded quota: ${"requests.cpu=1,".repeat(40)}\nlimited: all`;
  progressTable(terminal).show([
    row("Progressing", { standing: { ready: "False", reason: "R", message, stalled: false } }),
  ]);
  assert.deepEqual(lines, [`Redis  tenant-a/q  R  ${message.replace("\n", " ")}`]);
});

test("on a screen the table is drawn over itself, and under what was said meanwhile", () => {
  const { terminal, out } = recorded({ columns: 80, rows: 24 });
  const shown = progressTable(terminal);
  const up = "\u001b[2A";
  shown.show([row("Pending")]);
  shown.show([row("Pending")]);
  assert.equal(out.length, 1, "nothing new is not drawn");
  shown.show([row("Progressing")]);
  assert.ok(out[1]?.startsWith(up));
  terminal.progress("a controller says something");
  shown.show([row("Progressing")]);
  assert.ok(out[2] !== undefined && !out[2].startsWith(up));
});

test("lines are no wider than the screen, and a table that is higher is not drawn over itself", () => {
  const { terminal, out } = recorded({ columns: 30, rows: 24 });
  progressTable(terminal).show([row("A reason that is longer than the screen is wide")]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what begins a mark
  for (const line of (out[0] ?? "").replaceAll(/\u001b\[2K/g, "").split("\n")) assert.ok(line.length < 30, line);
  const small = recorded({ columns: 80, rows: 3 });
  progressTable(small.terminal).show([row("Pending"), row("Pending", { name: "r" })]);
  assert.equal(small.lines.length, 2);
});

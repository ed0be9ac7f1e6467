/**
 * Applications on their way: on a screen a table that is redrawn, elsewhere a line for each change. Only what is redrawn is cut:
 * a line that wraps could not be drawn over.
 */
import { keyOf } from "../kube/object.ts";
import type { Row } from "./follow.ts";
import { cut, oneLine, span, table } from "./table.ts";
import type { Terminal } from "./terminal.ts";

export interface ProgressTable {
  show(rows: readonly Row[]): void;
}

function cells(row: Row, end: string, { paintProgress: paint }: Terminal): string[] {
  const { app, name, namespace, standing, took, done } = row;
  const state = done ? paint.good(end) : standing === undefined ? "-" : standing.reason;
  const marked = standing?.stalled === true ? paint.bad(state) : done ? state : paint.warn(state);
  const detail = done ? (took === undefined ? "" : paint.dim(`after ${span(took)}`)) : oneLine(standing?.message ?? "");
  return [app.kind, `${namespace}/${name}`, marked, detail];
}

const heading = ["KIND", "NAME", "STATE", ""];

/** A table on stderr. `end` is what those are that are done. */
export function progressTable(terminal: Terminal, end: "ready" | "gone" = "ready"): ProgressTable {
  let drawn: { readonly text: string; readonly lines: number; readonly said: number } | undefined;
  const said = new Map<string, string>();
  const redraw = (rows: readonly Row[], columns: number): void => {
    const lines = table(
      heading,
      rows.map((row) => cells(row, end, terminal)),
    ).split("\n");
    const text = lines.map((line) => `\u001b[2K${cut(line, columns - 1)}\n`).join("");
    // A line that somebody said meanwhile stands below the table: a new one begins under it.
    const isLast = drawn?.said === terminal.said;
    if (drawn !== undefined && isLast && drawn.text === text) return;
    const up = drawn !== undefined && isLast ? `\u001b[${drawn.lines}A` : "";
    terminal.write(up + text);
    drawn = { text, lines: lines.length, said: terminal.said };
  };
  const say = (rows: readonly Row[]): void => {
    for (const row of rows) {
      const { app, name, namespace } = row;
      const key = keyOf({ group: app.group, kind: app.kind, namespace, name });
      const line = cells(row, end, terminal)
        .filter((cell) => cell !== "")
        .join("  ");
      if (said.get(key) === line) continue;
      said.set(key, line);
      terminal.progress(line);
    }
  };
  return {
    show(rows) {
      const { screen } = terminal;
      if (screen === undefined || rows.length + 2 > screen.rows) say(rows);
      else redraw(rows, screen.columns);
    },
  };
}

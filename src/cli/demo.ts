/**
 * The demonstration: a tenant that orders some applications, from examples/demo.
 */
import { join, resolve } from "node:path";
import type { App } from "../sdk/app.ts";
import { applyDocuments } from "./apply-documents.ts";
import type { Target } from "./cluster.ts";
import { parseDocuments, readSources } from "./documents.ts";
import { type FollowEnd, follow, type Row } from "./follow.ts";
import { planner } from "./planner.ts";
import { progressTable } from "./progress-table.ts";
import type { Terminal } from "./terminal.ts";

/** What the demonstration orders. */
export const demoFolder = resolve(import.meta.dirname, "../../examples/demo");

export interface DemoOptions {
  readonly target: Target;
  readonly apps: readonly App[];
  readonly terminal: Terminal;
  /** Milliseconds until everything must be ready. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Orders everything and shows it on its way to ready. */
export async function runDemo(
  options: DemoOptions,
): Promise<{ readonly end: FollowEnd; readonly rows: readonly Row[] }> {
  const { target, apps, terminal, timeout, signal } = options;
  terminal.progress(`Ordering what ${join("examples", "demo")} describes:`);
  const { plan } = planner({ target, apps, namespace: target.namespace });
  const planned = [];
  for (const document of parseDocuments(readSources([demoFolder]))) planned.push(await plan(document));
  const followed = await applyDocuments(planned, { target, patience: timeout, consents: [], signal });
  const shown = progressTable(terminal);
  return follow(followed, {
    client: target.client,
    until: "ready",
    timeout,
    signal,
    onChange: (rows) => shown.show(rows),
  });
}

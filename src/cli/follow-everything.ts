/**
 * Follows every application that there is.
 */

import { kindOfApp } from "../reconcile/instance.ts";
import type { App } from "../sdk/app.ts";
import { listOf } from "./applications.ts";
import type { Target } from "./cluster.ts";
import { type FollowEnd, type Followed, follow, type Row } from "./follow.ts";
import { progressTable } from "./progress-table.ts";
import type { Terminal } from "./terminal.ts";

export interface FollowEverythingOptions {
  readonly target: Target;
  readonly apps: readonly App[];
  readonly terminal: Terminal;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Until all that exist now are ready. */
export async function followEverything(
  options: FollowEverythingOptions,
): Promise<{ readonly end: FollowEnd; readonly rows: readonly Row[] }> {
  const { target, apps, terminal, timeout, signal } = options;
  const lists = await Promise.all(
    apps.map(async (app): Promise<readonly Followed[]> => {
      const objects = await listOf(target.client, kindOfApp(app), undefined);
      return objects.map(({ metadata }) => ({ app, name: metadata.name, namespace: metadata.namespace ?? "" }));
    }),
  );
  const shown = progressTable(terminal);
  const onChange = (rows: readonly Row[]) => shown.show(rows);
  return follow(lists.flat(), { client: target.client, until: "ready", timeout, signal, onChange });
}

/**
 * The cluster that an upgrade works on: one that is named or runs; else the embedded engine, started for it with the twin.
 */
import { existsSync } from "node:fs";
import { runningEngine, startEngine } from "../../embedded/engine.ts";
import { startTwin } from "../twin/index.ts";
import { type ClusterFlags, controllerManager, dataDirectoryOf, isGiven, openTarget, type Target } from "./cluster.ts";
import { simulationBanner } from "./next-steps.ts";
import type { Terminal } from "./terminal.ts";

export interface Place {
  readonly target: Target;
  /** Aborted when the cluster itself has ended. */
  readonly signal: AbortSignal;
  /** Where the twin plays the Grafana of a namespace; absent where no twin of ours plays. */
  readonly grafanaAt?: (namespace: string) => string;
}

/** Opens it for `work`, and ends afterwards what was started. */
export async function onUpgradePlace<T>(
  flags: ClusterFlags,
  terminal: Terminal,
  signal: AbortSignal,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const dataDir = dataDirectoryOf(flags);
  if (isGiven(flags) || runningEngine(dataDir) !== undefined || !existsSync(dataDir)) {
    const target = openTarget(flags, controllerManager);
    return work({ target, signal }).finally(() => target.client.close());
  }
  const engine = await startEngine({ dataDir, log: (line) => terminal.progress(line), signal });
  const over = new AbortController();
  const crashed = engine.ended.then((error) => over.abort(error));
  const target = openTarget(flags, controllerManager);
  const until = AbortSignal.any([signal, over.signal]);
  terminal.progress(simulationBanner(terminal.paintProgress));
  let played: Promise<void> | undefined;
  try {
    const twin = await startTwin({ client: target.client, signal: until });
    played = twin.ended;
    return await work({ target, signal: until, grafanaAt: twin.grafanaAt });
  } finally {
    over.abort();
    await played?.catch(() => undefined);
    await target.client.close();
    await engine.stop();
    await crashed;
    terminal.progress(`The control plane is stopped; its data is kept in ${dataDir}.`);
  }
}

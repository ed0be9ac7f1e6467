/**
 * One case: a scenario in a namespace of its own, with one fault under it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../src/kube/client.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { kindOfApp } from "../../src/reconcile/instance.ts";
import { isObserved } from "../../src/reconcile/status.ts";
import { type Fault, type Injected, type Interference, interference, isByChance, momentsOf } from "./faults.ts";
import { begin } from "./life.ts";
import { beginProcess } from "./process.ts";
import type { Scenario, Step } from "./scenario.ts";
import { type Snapshot, snapshot } from "./snapshot.ts";
import { witness } from "./witness.ts";

export interface CaseOptions {
  readonly kubeconfig: string;
  readonly admin: Client;
  readonly namespace: string;
  readonly scenario: Scenario;
  readonly fault: Fault;
}

export interface CaseResult {
  /** After each step, in the state that does not change any more. */
  readonly snapshots: readonly Snapshot[];
  readonly complaints: readonly string[];
  /** Writes of all lives of the controller together. */
  readonly writes: number;
  readonly injected: number;
}

const STEP_SECONDS = 120;
/** How long nothing must happen before a state counts as its last. */
const QUIET_MS = 400;

/** Runs a case to its end. Rejects when a step does not come to rest in time. */
export async function runCase(options: CaseOptions): Promise<CaseResult> {
  const { admin, namespace, scenario, fault } = options;
  const over = new AbortController();
  const injected: Injected = { count: 0 };
  const seen = await witness(admin, namespace, scenario, over.signal);
  const complaints: string[] = [];
  const snapshots: Snapshot[] = [];
  let writes = 0;
  let killed = false;
  const harm = interference(fault, injected, () => {
    killed = true;
  });
  let life = await begin(options, harm());

  const restart = async (next?: Interference): Promise<void> => {
    writes += life.progress().writes;
    await life.end();
    life = await begin(options, next);
  };
  /** A real process, killed at a moment of chance, as often as the fault says. */
  const killProcesses = async (): Promise<void> => {
    for (const ms of momentsOf(fault)) {
      const child = await beginProcess(options);
      await sleep(ms);
      await child.kill();
      injected.count += 1;
    }
  };
  const rest = async (title: string, until: Step["until"] = async () => true): Promise<void> => {
    const end = Date.now() + STEP_SECONDS * 1000;
    for (let quietSince = 0, before = ""; ; await sleep(25)) {
      if (killed) {
        killed = false;
        await restart();
      }
      const progress = life.progress();
      const now = JSON.stringify(progress);
      const still = now === before && progress.idle && (await isSettled(options)) && (await until(options));
      if (!still) [quietSince, before] = [Date.now(), now];
      if (still && Date.now() - quietSince >= QUIET_MS) return;
      if (Date.now() > end) throw new Error(`${title}: not at rest after ${STEP_SECONDS} s`);
    }
  };

  try {
    for (const step of scenario.steps) {
      if (fault.is === "sigkill") await life.end();
      await step.act(options);
      if (fault.is === "sigkill") {
        await killProcesses();
        await restart();
      }
      // What the controller never heard of it cannot come to rest about: it only must not do harm.
      if (fault.is === "droppedEvents") await sleep(1_000);
      else await rest(step.title, step.until);
      // What failed by chance comes right by itself; the state is taken by a controller that nothing is done to.
      if (isByChance(fault)) {
        await restart();
        await rest(step.title, step.until);
      }
      snapshots.push(await snapshot(admin, namespace, scenario.apps));
      if (isByChance(fault)) await restart(harm());
    }
    await restart();
    await rest("after a restart");
    const idly = life.progress().writes;
    if (idly > 0) complaints.push(`${idly} writes at rest after a restart`);
  } finally {
    over.abort();
    await life.end();
  }
  return { snapshots, complaints: [...complaints, ...seen.complaints()], writes, injected: injected.count };
}

/** Whether every application of the run speaks of its spec as it is, or is gone. */
async function isSettled({ admin, scenario, namespace }: CaseOptions): Promise<boolean> {
  const namespaces = [namespace, ...(scenario.children ?? []).map((child) => `${namespace}-${child}`)];
  for (const app of scenario.apps) {
    for (const each of namespaces) {
      const { items } = await admin.list(kindOfApp(app), { namespace: each });
      const isOld = ({ metadata, ...object }: KubeObject): boolean =>
        metadata.deletionTimestamp !== undefined || !isObserved(valueAt(object, "status"), metadata.generation ?? 0);
      if (items.some(isOld)) return false;
    }
  }
  return true;
}

/**
 * One case: a scenario in a namespace of its own, with one fault under it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { valueAt } from "../../src/kube/json.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import type { ContextSource } from "../../src/reconcile/context.ts";
import { type Controller, startController } from "../../src/reconcile/controller.ts";
import { isObserved } from "../../src/reconcile/status.ts";
import { testContext } from "../support/synthetic-app.ts";
import { type Fault, type Injected, type Interference, interference } from "./faults.ts";
import type { Scenario } from "./scenario.ts";
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

interface Life {
  readonly client: Client;
  readonly controller: Controller;
  end(): Promise<void>;
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
    writes += life.client.counters.writes();
    await life.end();
    life = await begin(options, next);
  };
  const rest = async (title: string): Promise<void> => {
    const end = Date.now() + STEP_SECONDS * 1000;
    for (let quietSince = 0, before = ""; ; await sleep(25)) {
      if (killed) {
        killed = false;
        await restart();
      }
      const now = `${life.client.counters.writes()} ${life.controller.waiting} ${life.controller.working}`;
      const idle = life.controller.hasSynced && now.endsWith(" 0 0");
      const still = now === before && idle && (await isSettled(options));
      if (!still) [quietSince, before] = [Date.now(), now];
      if (still && Date.now() - quietSince >= QUIET_MS) return;
      if (Date.now() > end) throw new Error(`${title}: not at rest after ${STEP_SECONDS} s`);
    }
  };

  try {
    for (const step of scenario.steps) {
      await step.act(options);
      // What the controller never heard of it cannot come to rest about: it only must not do harm.
      if (fault.is === "droppedEvents") await sleep(1_000);
      else await rest(step.title);
      // What failed by chance comes right by itself; the state is taken by a controller that nothing is done to.
      if (fault.is !== "none" && fault.is !== "kill") {
        await restart();
        await rest(step.title);
      }
      snapshots.push(await snapshot(admin, namespace, scenario.apps));
      if (fault.is !== "none" && fault.is !== "kill") await restart(harm());
    }
    await restart();
    await rest("after a restart");
    if (life.client.counters.writes() > 0)
      complaints.push(`${life.client.counters.writes()} writes at rest after a restart`);
  } finally {
    over.abort();
    await life.end();
  }
  return { snapshots, complaints: [...complaints, ...seen.complaints()], writes, injected: injected.count };
}

async function begin(options: CaseOptions, harm?: Interference): Promise<Life> {
  const access = await loadKubeconfig(options.kubeconfig);
  const client = connect({ ...access, fieldManager: "cozystack", ...harm });
  const abort = new AbortController();
  const controller = startController(
    {
      client,
      apps: options.scenario.apps,
      context: contextFor(options.namespace),
      scope: (namespace) => namespace === options.namespace || namespace.startsWith(`${options.namespace}-`),
      backoff: { base: 20, cap: 200, gap: 10 },
      pruneSettle: 100,
    },
    abort.signal,
  );
  return {
    client,
    controller,
    async end() {
      abort.abort();
      await client.close();
      await controller.ended;
    },
  };
}

/** The root of the run is a child of tenant-root, what begins with its name a child of it. */
function contextFor(root: string): ContextSource {
  const cluster = { "root-host": "example.org", "cluster-domain": "cozy.local", "oidc-enabled": "false" };
  return {
    contextOf: (namespace) => {
      const ancestors = namespace === root ? ["tenant-root"] : ["tenant-root", root];
      const context = { ...testContext, cluster, tenant: { namespace, ancestors } };
      return Promise.resolve({ is: "known", context } as const);
    },
    onChange: () => () => undefined,
  };
}

/** Whether the application speaks of its spec as it is, or is gone. */
async function isSettled({ admin, scenario, namespace }: CaseOptions): Promise<boolean> {
  const object = await admin.get(scenario.kind, scenario.object, namespace);
  if (object === undefined) return true;
  if (object.metadata.deletionTimestamp !== undefined) return false;
  return isObserved(valueAt(object, "status"), object.metadata.generation ?? 0);
}

/**
 * The real controller over the small application of synthetic-app.ts, each run in a namespace of its own, and what its
 * tests ask of the cluster.
 */
import type { TestContext } from "node:test";
import { ConfigMap, PersistentVolumeClaim, Secret, Service } from "../../src/contracts/core.ts";
import { Inventory } from "../../src/contracts/internal-cozystack-io.ts";
import type { Client } from "../../src/kube/client.ts";
import { valueAt } from "../../src/kube/json.ts";
import { Job } from "../../src/kube/kinds/workloads.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { fixedContext } from "../../src/reconcile/context.ts";
import { type Controller, type ControllerOptions, startController } from "../../src/reconcile/controller.ts";
import { conditionsOf } from "../../src/reconcile/status.ts";
import { testEngine } from "./engine.ts";
import { eventually } from "./eventually.ts";
import { letGo } from "./leftovers.ts";
import { Gizmo, gizmo, installKinds, testContext } from "./synthetic-app.ts";

const engine = await testEngine();

/** A client of the administrator. */
export const admin = engine.client();
await installKinds(admin, [gizmo]);

/** Makes a namespace for a test; it goes when the test file ends. */
export const newNamespace = (): Promise<string> => engine.namespace("reconcile");

export interface Running {
  readonly ns: string;
  readonly client: Client;
  readonly controller: Controller;
  readonly errors: string[];
  stop(): Promise<void>;
}

/** Starts a controller that sees one namespace alone; it stops with the test. */
export async function run(t: TestContext, ns: string, more: Partial<ControllerOptions> = {}): Promise<Running> {
  const client = engine.client("cozystack");
  const abort = new AbortController();
  const errors: string[] = [];
  const controller = startController(
    {
      client,
      apps: [gizmo],
      context: fixedContext(testContext),
      scope: (namespace) => namespace === ns,
      backoff: { base: 50, cap: 500, gap: 20 },
      onError: (what, error) => errors.push(`${what}: ${error}`),
      ...more,
    },
    abort.signal,
  );
  const stop = async () => {
    abort.abort();
    await controller.ended;
  };
  t.after(async () => {
    await stop();
    await letGo(admin, ns, [gizmo]);
  });
  return { ns, client, controller, errors, stop };
}

/** The same in a new namespace. */
export async function start(t: TestContext, more: Partial<ControllerOptions> = {}): Promise<Running> {
  return run(t, await newNamespace(), more);
}

/** The condition Ready. */
const ready = (object: KubeObject | undefined) =>
  conditionsOf(valueAt(object, "status")).find(({ type }) => type === "Ready");

export async function untilReady(ns: string, name: string): Promise<KubeObject> {
  return eventually(`${name} is ready`, async () => {
    const object = await admin.get(Gizmo, name, ns);
    const condition = ready(object);
    const current = condition?.status === "True" && condition.observedGeneration === object?.metadata.generation;
    return current ? object : undefined;
  });
}

/** Waits until Ready has this reason; gives its message. */
export async function untilReason(ns: string, name: string, reason: string): Promise<string> {
  return eventually(`${name} says ${reason}`, async () => {
    const condition = ready(await admin.get(Gizmo, name, ns));
    return condition?.reason === reason ? condition.message : undefined;
  });
}

/** `Kind name` of everything in a namespace that these tests know of. */
export const names = async (ns: string): Promise<readonly string[]> => {
  const lists = await Promise.all(
    [ConfigMap, Secret, Service, Job, Inventory, PersistentVolumeClaim].map((kind) =>
      admin.listMetadata(kind, { namespace: ns }),
    ),
  );
  return lists
    .flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`))
    .filter((name) => name !== "ConfigMap kube-root-ca.crt")
    .sort();
};

/** The generated password of Gizmo `a`, encoded. */
export const password = async (ns: string): Promise<unknown> =>
  valueAt(await admin.get(Secret, "gizmo-a-auth", ns), "data", "password");

/** Merges into the spec of Gizmo `a`. */
export async function setSpec(ns: string, spec: Readonly<Record<string, unknown>>): Promise<void> {
  await admin.mergePatch(Gizmo, "a", ns, { spec });
}

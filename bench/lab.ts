/**
 * Where measurements are made: an engine of their own on an empty directory, with the platform installed and one tenant.
 * Nothing else runs in it but what a measurement starts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEngine } from "../embedded/engine.ts";
import type { EtcdSize } from "../embedded/etcd.ts";
import { apps } from "../src/apps/index.ts";
import type { Client } from "../src/kube/client.ts";
import { connect } from "../src/kube/connect.ts";
import { Namespace } from "../src/kube/core-kinds.ts";
import { loadKubeconfig } from "../src/kube/kubeconfig.ts";
import type { AnyKind } from "../src/kube/object.ts";
import { systemWorld } from "../src/kube/world.ts";
import { installPlatform } from "../src/platform/install.ts";
import { kindOfApp } from "../src/reconcile/instance.ts";
import { startServer } from "../src/server/index.ts";
import { type Child, startChild } from "./children.ts";
import { etcdSizes } from "./etcd-size.ts";

export interface EngineOptions {
  /** Run the scheduler and all controllers, for a twin to play with. Default false. */
  readonly playing?: boolean;
  /** More flags of kube-apiserver: features that are not on by default. */
  readonly apiserver?: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

/** An engine with the platform installed, and a user of it. */
export interface BenchEngine {
  /** An administrator's client, whose requests are not counted as ours. */
  readonly client: Client;
  readonly kubeconfig: string;
  readonly pids: ReadonlyMap<string, number>;
  etcd(): Promise<ReadonlyMap<string, EtcdSize>>;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

export interface LabOptions extends EngineOptions {
  /** A directory for CPU profiles of our process. */
  readonly profile?: string;
}

export interface Lab extends BenchEngine {
  readonly controllers: Child;
  /** Namespace of the tenant in which applications are ordered. */
  readonly namespace: string;
}

/** The controllers of kube-controller-manager without which nothing is deleted; they act on no object of ours by themselves. */
const cleaning = ["garbage-collector-controller", "namespace-controller", "serviceaccount-controller"];

/** The kind of an application. */
export function appKind(kind: string): AnyKind {
  const app = apps.find((each) => each.kind === kind);
  if (app === undefined) throw new Error(`no application ${kind}`);
  return kindOfApp(app);
}

/** Starts an engine on an empty directory and installs the platform, other people's kinds included. */
export async function openEngine({ playing = false, apiserver = {}, log }: EngineOptions): Promise<BenchEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), "cozystack-bench-"));
  const engine = await startEngine({
    dataDir,
    log,
    apiserver,
    ...(playing ? {} : { components: ["kube-controller-manager"], controllers: cleaning }),
  });
  const client = connect({ ...loadKubeconfig(engine.kubeconfigPath), fieldManager: "bench-user" });
  const close = async () => {
    await client.close();
    await engine.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await installPlatform(client, { twin: true });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    client,
    kubeconfig: engine.kubeconfigPath,
    pids: engine.pids,
    etcd: () => etcdSizes(engine.etcdSocket),
    close,
  };
}

/** Opens a lab with our controllers running and its tenant there; `playing` starts the twin as well. */
export async function openLab(options: LabOptions): Promise<Lab> {
  const engine = await openEngine(options);
  const children: Child[] = [];
  const close = async () => {
    for (const child of children) await child.stop();
    await engine.close();
  };
  try {
    const pids = new Map<string, number>(engine.pids);
    if (options.playing === true) {
      const twin = await startChild("twin", engine.kubeconfig);
      children.push(twin);
      pids.set("twin", twin.pid);
    }
    const controllers = await startChild("controllers", engine.kubeconfig, options.profile);
    children.push(controllers);
    pids.set("ours", controllers.pid);
    await engine.client.create(appKind("Tenant"), tenant("bench"));
    const namespace = "tenant-bench";
    const exists = async () => (await engine.client.get(Namespace, namespace)) !== undefined;
    await until("the tenant's namespace", 60_000, exists);
    await quiet(controllers);
    return { ...engine, pids, controllers, namespace, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function tenant(name: string) {
  return {
    apiVersion: "apps.cozystack.io/v1alpha1",
    kind: "Tenant",
    metadata: { name, namespace: "tenant-root" },
    spec: {},
  };
}

/** Polls until it is so. @throws Error after `patience` milliseconds */
export async function until(what: string, patience: number, look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patience;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${patience / 1000} s`);
    await systemWorld.sleep(100);
  }
}

/** Waits until our controllers have asked nothing of the API server for two seconds. */
export async function quiet(controllers: Child): Promise<void> {
  let before = await controllers.counts();
  for (;;) {
    await systemWorld.sleep(2_000);
    const now = await controllers.counts();
    if (now.writes === before.writes && now.reads === before.reads) return;
    before = now;
  }
}

/** Our server in front of an engine, registered and answering, while `work` runs. */
export async function withServer<T>(kubeconfig: string, work: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const client = connect({ ...loadKubeconfig(kubeconfig), fieldManager: "cozystack-api" });
  const server = await startServer({
    client,
    apps,
    version: "0.0.0",
    controllerManager: "cozystack",
    reach: { by: "loopback" },
    unregister: true,
    signal: stop.signal,
  });
  try {
    await server.registered;
    return await work();
  } finally {
    stop.abort();
    await server.ended;
    await client.close();
  }
}

/**
 * The engine of a rehearsal: filled with the copy while nothing acts on it, then started with Kubernetes' controllers. It and
 * its data end with the rehearsal.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, purge, startEngine } from "../../../embedded/engine.ts";
import { type Etcd, openEtcd } from "../../../embedded/etcd.ts";
import { defaultControllers } from "../../../embedded/flags.ts";

/** What would change the copy by the clock, by what is not there, or by what another cluster's machines say. */
const pausedControllers = [
  "cronjob-controller",
  "device-taint-eviction-controller",
  "horizontal-pod-autoscaler-controller",
  "node-lifecycle-controller",
  "pod-garbage-collector-controller",
  "taint-eviction-controller",
  "token-cleaner-controller",
  "ttl-after-finished-controller",
];

export interface CopyEngineOptions {
  /** Fills its etcd. */
  readonly fill: (etcd: Etcd) => Promise<void>;
  /**
   * PEM of the authority of the cluster that is copied: it is among what tenants' values are made of, and in the Secrets of
   * ServiceAccounts. Absent: nothing in the copy knows one.
   */
  readonly rootCertificate?: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface CopyEngine {
  readonly engine: Engine;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

/** An engine over a copy. Nothing of it is left where that fails. */
export async function copyEngine({ fill, rootCertificate, log, signal }: CopyEngineOptions): Promise<CopyEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), "cozystack-rehearsal-"));
  const remove = () => void purge(dataDir);
  // For what ends the process before `close` does; a second Ctrl-C, say. The engine's processes end with ours.
  process.once("exit", remove);
  const common = { dataDir, fsync: false, log: () => undefined, signal };
  try {
    log("Starting a control plane for the copy ...");
    const quiet = await startEngine({ ...common, components: [] });
    try {
      const etcd = openEtcd(quiet.etcdSocket);
      await fill(etcd).finally(() => etcd.close());
    } finally {
      await quiet.stop();
    }
    const controllers = [...defaultControllers, ...pausedControllers.map((name) => `-${name}`)];
    const rootCaFile = join(dataDir, "copied-ca.crt");
    if (rootCertificate !== undefined) writeFileSync(rootCaFile, rootCertificate);
    const authority = rootCertificate === undefined ? {} : { rootCaFile };
    const engine = await startEngine({ ...common, ...authority, controllers });
    return {
      engine,
      async close() {
        await engine.stop();
        process.removeListener("exit", remove);
        remove();
      },
    };
  } catch (error) {
    process.removeListener("exit", remove);
    remove();
    throw error;
  }
}

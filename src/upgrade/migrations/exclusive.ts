/**
 * One run at a time: under a Lease, with writes that are refused once it is lost.
 */
import type { Client } from "../../kube/client.ts";
import { Lease } from "../../kube/core-kinds.ts";
import { fenced, whileLeading } from "../../kube/leader.ts";
import { LeaseLostError } from "../../kube/lease.ts";
import type { World } from "../../kube/world.ts";
import { stampObject } from "../versions.ts";
import { MigrationError } from "./errors.ts";
import { recordName } from "./record.ts";

export interface ExclusiveOptions {
  readonly client: Client;
  readonly world: World;
  /** Must differ between processes, also between two lives of one pod. */
  readonly identity: string;
  readonly version: string;
  readonly signal?: AbortSignal;
  /** Seconds after which a run that died makes room. Default 15. */
  readonly leaseSeconds?: number;
}

/**
 * Runs `work` while nobody else does, with a client whose writes are refused once the lease is lost. Outlasts the lease of a
 * run that died.
 * @throws MigrationError `MigrationsRunning` while another run goes on
 */
export async function exclusively<T>(
  options: ExclusiveOptions,
  work: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { client, world, identity, version, leaseSeconds = 15 } = options;
  const over = new AbortController();
  const signal = options.signal === undefined ? over.signal : AbortSignal.any([options.signal, over.signal]);
  let trouble: unknown;
  let result: { readonly value: T } | undefined;
  let begun = false;
  const patience = world
    .sleep(leaseSeconds * 2_000, signal)
    .then(() => {
      if (!begun) over.abort();
    })
    .catch(() => {});
  const lease = {
    client,
    world,
    identity,
    version,
    namespace: stampObject.namespace,
    name: recordName,
    durationSeconds: leaseSeconds,
    onError: (error: unknown) => {
      trouble = error;
    },
  };
  await whileLeading(lease, signal, async (term) => {
    begun = true;
    try {
      result = {
        value: await work(
          fenced(client, recordName, () => term.lease.held()),
          term.signal,
        ),
      };
    } catch (error) {
      const taken = !term.lease.held() && options.signal?.aborted !== true;
      throw taken ? new LeaseLostError(recordName) : error;
    } finally {
      over.abort();
    }
  });
  await patience;
  options.signal?.throwIfAborted();
  if (result === undefined) throw trouble ?? (await busy(client));
  return result.value;
}

async function busy(client: Client): Promise<MigrationError> {
  const lease = await client.get(Lease, recordName, stampObject.namespace);
  return new MigrationError(
    "MigrationsRunning",
    `migrations are being run by ${lease?.spec?.holderIdentity ?? "another process"}`,
    `Wait until it has ended: kubectl get lease ${recordName} -n ${stampObject.namespace} -o yaml`,
  );
}

/**
 * What no quota has room for, of what an application lacks, as far as the caller may see.
 */
import { PersistentVolumeClaim, Pod, ResourceQuota } from "../contracts/core.ts";
import { WorkloadMonitor } from "../contracts/cozystack-io.ts";
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import type { KubeObject } from "../kube/object.ts";
import { type Shortage, scarcities } from "../reconcile/quota-shortage.ts";

/** Objects of an application that lack something. */
export interface Lacking {
  readonly namespace: string;
  /** Its monitors' names. */
  readonly monitors: readonly string[];
  /** What operators are asked for and is not healthy. */
  readonly unhealthy: readonly KubeObject[];
}

/** Asks the cluster for all that decides it. */
export async function quotaShortages(client: Client, lacking: Lacking): Promise<readonly Shortage[]> {
  const { namespace, unhealthy } = lacking;
  const quotas = await seen(client.list(ResourceQuota, { namespace }));
  if (quotas === undefined || quotas.items.length === 0) return [];
  const [pods, claims, ...monitors] = await Promise.all([
    seen(client.list(Pod, { namespace })),
    seen(client.list(PersistentVolumeClaim, { namespace })),
    ...lacking.monitors.map((name) => seen(client.get(WorkloadMonitor, name, namespace))),
  ]);
  return scarcities({
    quotas: quotas.items,
    pods: pods?.items ?? [],
    claims: claims?.items ?? [],
    monitors: monitors.flatMap((monitor) => monitor ?? []),
    unhealthy,
  });
}

/** Undefined where the caller has no right to see it. */
async function seen<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isApiError(error, "Forbidden", "Unserved")) return undefined;
    throw error;
  }
}

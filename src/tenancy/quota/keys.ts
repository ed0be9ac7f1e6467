/**
 * From what a tenant declares (`cpu`, `nvidia.com/gpu`) to what Kubernetes counts (`limits.cpu`, `requests.nvidia.com/gpu`).
 * Unlike the keys of ResourceQuota `tenant-quota`, which are upstream's, none of these is one that Kubernetes ignores.
 */
import { bufferPercent, COUNTED } from "../../apps/tenant/quota.ts";
import type { ClusterValues } from "../../sdk/context.ts";
import { sanitize } from "../../sdk/resources.ts";
import { type Amounts, formatAmount, inBytes, readAmounts } from "./amounts.ts";

/** Resources that are divided between what is promised and what is allowed at most. */
export const RATED: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

/** Written as Kubernetes counts it already. */
const isRaw = (resource: string): boolean =>
  COUNTED.has(resource) ||
  resource.startsWith("count/") ||
  /^(limits|requests)\./.test(resource) ||
  resource.includes(".storageclass.storage.k8s.io/");

/** The key under which the use of a declared resource is found. */
export function usageKey(resource: string): string {
  if (isRaw(resource)) return resource;
  return RATED.has(resource) ? `limits.${resource}` : `requests.${resource}`;
}

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const qualified = new RegExp(`^(?=[^/]{1,253}/)${label}(\\.${label})*/[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$`);
const computed = /^(requests|limits)\.(cpu|memory|ephemeral-storage)$|^requests\.storage$|^requests\.hugepages-/;

/** Whether Kubernetes takes the key in a ResourceQuota. One that it does not take would keep all others from being enforced. */
function isTaken(key: string): boolean {
  if (key.includes("/")) return qualified.test(key);
  return computed.test(key) || (COUNTED.has(key) && key !== "services.clusterip");
}

/** Whether Kubernetes counts what is declared under this name. */
export const isCounted = (resource: string): boolean => isTaken(usageKey(resource));

/**
 * What the declared amounts allow, by enforced key, the platform's buffer counted in.
 * @throws Refusal `InvalidPlatform` for an allocation ratio that is none
 */
export function enforcedAmounts(declared: Amounts, cluster: ClusterValues): Amounts {
  const scale = bufferPercent(cluster);
  const enforced = new Map<string, bigint>();
  const set = (key: string, nano: bigint): void => {
    // In whole steps, so that what is written is what the API server keeps.
    const step = stepOf(key);
    const scaled = ((nano * scale) / 100n / step) * step;
    const known = enforced.get(key);
    enforced.set(key, known === undefined || scaled < known ? scaled : known);
  };
  for (const [resource, nano] of declared) {
    if (!isCounted(resource)) continue;
    set(usageKey(resource), nano);
    if (!RATED.has(resource)) continue;
    const { requests } = sanitize({ [resource]: formatAmount(resource, nano) }, { cluster });
    for (const request of readAmounts(requests).values()) set(`requests.${resource}`, request);
  }
  return enforced;
}

const UNIT = 1_000_000_000n;

/** The smallest difference that is made between two shares: a thousandth of a core, one byte, one object. Billionths. */
export function stepOf(key: string): bigint {
  return /(^|\.)cpu$/.test(key) ? UNIT / 1_000n : UNIT;
}

/** What a member is given at least when there is anything to give: a small pod, a small volume, one object. Billionths. */
export function leastShare(key: string): bigint {
  if (/(^|\.)cpu$/.test(key)) return UNIT / 20n;
  return inBytes(key) ? 64n * 1024n * 1024n * UNIT : UNIT;
}

/**
 * What the enforcer keeps in the namespace of each tenant that draws from a budget.
 */
import { containerDefaults, QUOTA_KEYS } from "../../apps/tenant/quota.ts";
import { LimitRange, type LimitRangeObject, ResourceQuota, type ResourceQuotaObject } from "../../contracts/core.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Amounts, formatAmounts, noAmounts, readAmounts } from "./amounts.ts";
import { ALLOCATED } from "./demands.ts";
import type { QuotaState } from "./pool.ts";

/** Field manager of what the enforcer writes. */
export const QUOTA_MANAGER = "cozystack-quota";

/** LimitRange for tenants without a budget of their own, under somebody else's. */
export const DEFAULTS = "tenant-quota-defaults";

const labels = {
  "quota.cozystack.io/managed-by": "tenant-quota-controller",
  "internal.cozystack.io/managed-by-cozystack": "",
} as const;

export function allocatedQuota(namespace: string, hard: Amounts): ResourceQuotaObject {
  return ResourceQuota(ALLOCATED, { namespace, labels, spec: { hard: formatAmounts(hard) } });
}

/** Under a quota on cpu or memory a container without limits is refused, so every container gets some. */
export function defaultLimits(namespace: string): LimitRangeObject {
  return LimitRange(DEFAULTS, { namespace, labels, spec: { limits: [containerDefaults] } });
}

/** Whether these keys make Kubernetes refuse containers that say nothing. */
export function needsDefaults(keys: Iterable<string>): boolean {
  return [...keys].some((key) => /^(limits|requests)\.(cpu|memory|ephemeral-storage)$/.test(key));
}

export function quotaStateOf({ spec, status }: ResourceQuotaObject): QuotaState {
  return {
    spec: readAmounts(spec?.hard),
    // Without these nothing is admitted, and what is in use is not known.
    hard: status?.used === undefined ? noAmounts : readAmounts(status.hard),
    used: readAmounts(status?.used),
  };
}

/** The keys that a namespace's share is in force for, as published on it; undefined: not published. */
export function publishedKeys({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
  return metadata.annotations?.[QUOTA_KEYS];
}

export function keysText(keys: Iterable<string>): string {
  return [...keys].sort().join(",");
}

/**
 * The tenant's quota: what its user declares, in the form the API server counts.
 */
import { LimitRange, ResourceQuota } from "../../contracts/core.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type AppContext, type ClusterValues, clusterText } from "../../sdk/context.ts";
import { quotaAbove } from "../../sdk/policies/tenant-share.ts";
import { formatQuantity, quantityOf } from "../../sdk/quantity.ts";
import { type ResourceMap, sanitize } from "../../sdk/resources.ts";

/** Resources counted as objects: they have no limits and requests of their own. */
export const COUNTED: ReadonlySet<string> = new Set([
  "pods",
  "services",
  "services.loadbalancers",
  "services.nodeports",
  "services.clusterip",
  "configmaps",
  "secrets",
  "persistentvolumeclaims",
  "replicationcontrollers",
  "resourcequotas",
]);

/** Key of the platform's values: percent of each budget that may be used at run time; absent, 0 and 100: what is declared. */
export const BUFFER_VALUE = "tenant-quota-buffer-percent";

/** The buffer in percent; 100 where there is none. */
export function bufferPercent(cluster: ClusterValues): bigint {
  const percent = Math.trunc(Number(clusterText(cluster, BUFFER_VALUE, "0")));
  return Number.isSafeInteger(percent) && percent > 0 ? BigInt(percent) : 100n;
}

/** The amounts with the buffer. */
function buffered(hard: Readonly<Record<string, string>>, percent: bigint): Readonly<Record<string, string>> {
  if (percent === 100n) return hard;
  return Object.fromEntries(
    Object.entries(hard).map(([key, amount]) => {
      const { nano, format } = quantityOf(amount, `spec.resourceQuotas (${key})`);
      // In whole objects and bytes, as the API server wants them; cores have thousandths.
      const step = key.endsWith("cpu") ? 1_000_000n : 1_000_000_000n;
      return [key, formatQuantity({ nano: ((nano * percent) / 100n / step) * step, format })];
    }),
  );
}

/** `spec.hard` of the tenant's ResourceQuota (cozy-lib.md 4), with the buffer. */
export function hardLimits(
  quotas: ResourceMap,
  context: Pick<AppContext, "cluster">,
): Readonly<Record<string, string>> {
  const { limits, requests } = sanitize(quotas, context, "spec.resourceQuotas");
  const hard: Record<string, string> = {};
  for (const [name, limit] of Object.entries(limits)) {
    if (COUNTED.has(name)) hard[name] = limit;
    else if (name !== "storage") hard[`limits.${name}`] = limit;
  }
  for (const [name, request] of Object.entries(requests)) {
    if (!COUNTED.has(name)) hard[`requests.${name}`] = request;
  }
  return buffered(hard, bufferPercent(context.cluster));
}

/** The item of a LimitRange that gives each container limits and requests: under a quota on cpu or memory it needs some. */
export const containerDefaults = {
  type: "Container",
  default: { cpu: "250m", memory: "128Mi", "ephemeral-storage": "2Gi" },
  defaultRequest: { cpu: "25m", memory: "128Mi", "ephemeral-storage": "50Mi" },
} as const;

/** Annotation of a tenant's Namespace: the keys that its share of budgets is in force for, joined by commas; by the quota controller. */
export const QUOTA_KEYS = "internal.cozystack.io/quota-keys";

/**
 * Annotations of a tenant's Namespace where a budget above bounds it: an admission policy (sdk/policies/tenant-share.ts) lets
 * nothing start in it before its share is in force, so that no moment passes in which nothing bounds it.
 */
export function shareAnnotations(parent: KubeObject | undefined): Readonly<Record<string, string>> {
  return parent?.metadata.annotations?.[QUOTA_KEYS] === undefined ? {} : { [quotaAbove]: "true" };
}

/** ResourceQuota and LimitRange of a tenant; nothing where no quota is declared. */
export function quotaObjects(
  namespace: string,
  quotas: ResourceMap,
  context: Pick<AppContext, "cluster">,
): readonly KubeObject[] {
  if (Object.keys(quotas).length === 0) return [];
  return [
    ResourceQuota("tenant-quota", { namespace, spec: { hard: hardLimits(quotas, context) } }),
    // Under a quota on cpu or memory a container without limits is refused, so every container gets some.
    LimitRange("tenant-range-limits", {
      namespace,
      spec: {
        limits: [containerDefaults],
      },
    }),
  ];
}

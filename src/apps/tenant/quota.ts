/**
 * The tenant's quota: what its user declares, in the form the API server counts.
 */
import { LimitRange, ResourceQuota } from "../../contracts/core.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { AppContext } from "../../sdk/context.ts";
import { quotaAbove } from "../../sdk/policies/tenant-share.ts";
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

/** `spec.hard` of the tenant's ResourceQuota (cozy-lib.md 4). */
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
  return hard;
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

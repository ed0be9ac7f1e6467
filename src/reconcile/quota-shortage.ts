/**
 * Pods and volumes that are missing because a quota leaves no room for them. Operators keep to themselves what the API server
 * refused them, so it is worked out: what one more would need, against what every quota of the namespace has left.
 */
import type { PersistentVolumeClaimObject, PodObject, ResourceQuotaObject } from "../contracts/core.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import type { KubeObject, ObjectRef } from "../kube/object.ts";
import { matchesLabels } from "../kube/selector.ts";
import { formatQuantity, parseQuantity, type Quantity } from "../sdk/quantity.ts";
import type { MonitorObject } from "./workloads/workload.ts";

/** Amounts by the key under which quotas count them, such as `limits.cpu`. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** What does not fit where. */
export interface Shortage {
  readonly quota: ObjectRef;
  /** What there is no room for another one of. */
  readonly of: "pod" | "volume";
  readonly lacks: readonly Lack[];
}

interface Lack {
  /** As quotas name it. */
  readonly resource: string;
  readonly needs: string;
  readonly left: string;
  /** What the quota has in all. */
  readonly hard: string;
}

/** What a person may do about any of them. */
export const quotaRemedy = "Free or raise the tenant's quota (spec.resourceQuotas of the Tenant), or ask for less.";

const sentence = ({ of, lacks }: Shortage, figures: (lack: Lack) => string): string =>
  `leaves no room for another ${of}, which needs ${lacks.map(figures).join("; ")}`;

/** With all figures, as they are at this moment. */
export function shortageText(short: Shortage): string {
  return sentence(
    short,
    ({ resource, needs, left, hard }) => `${needs} of ${resource}, and ${left} of ${hard} is left`,
  );
}

/** The same without what is left, which changes with whatever else the tenant runs: for what is stored. */
export function lastingShortageText(short: Shortage): string {
  return sentence(short, ({ resource, needs, hard }) => `${needs} of the ${hard} of ${resource}`);
}

const one: Quantity = { nano: 1_000_000_000n, format: "DecimalSI" };

function plus(a: Quantity | undefined, b: Quantity): Quantity {
  return a === undefined ? b : { nano: a.nano + b.nano, format: a.format };
}

/** Adds the requests and limits of one container. A request that is not given is the limit, as the API server has it. */
function addContainer(into: Map<string, Quantity>, resources: unknown): void {
  const limits = valueAt(resources, "limits");
  const requests = { ...(isRecord(limits) ? limits : {}), ...Object(valueAt(resources, "requests")) };
  for (const [kind, amounts] of [
    ["limits", limits],
    ["requests", requests],
  ] as const) {
    for (const [name, amount] of Object.entries(isRecord(amounts) ? amounts : {})) {
      const parsed = parseQuantity(String(amount));
      if (parsed !== undefined) into.set(`${kind}.${name}`, plus(into.get(`${kind}.${name}`), parsed));
    }
  }
}

/** What a pod takes of quotas. */
export function podAmounts(containers: readonly unknown[]): Amounts {
  const sums = new Map<string, Quantity>();
  for (const resources of containers) addContainer(sums, resources);
  for (const name of ["cpu", "memory", "ephemeral-storage"]) {
    const requested = sums.get(`requests.${name}`);
    if (requested !== undefined) sums.set(name, requested);
  }
  return new Map([...sums, ["pods", one], ["count/pods", one]]);
}

/** The containers' resources of a live pod. */
function containersOf(pod: KubeObject): readonly unknown[] {
  const containers = valueAt(pod, "spec", "containers");
  return (Array.isArray(containers) ? containers : []).map((container) => valueAt(container, "resources"));
}

/** Every map of cpu and memory in an operator's object: it makes at least one container by each. */
export function resourcesIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(resourcesIn);
  if (!isRecord(value)) return [];
  const isOfContainer = (child: unknown) =>
    ["limits", "requests"].some((of) => ["cpu", "memory"].some((name) => valueAt(child, of, name) !== undefined));
  return Object.entries(value).flatMap(([key, child]) =>
    key === "resources" && isOfContainer(child) ? [child] : resourcesIn(child),
  );
}

/** What a volume of this size takes of quotas. */
export function claimAmounts(size: string | number): Amounts {
  const parsed = parseQuantity(size);
  return new Map([
    ...(parsed === undefined ? [] : [["requests.storage", parsed] as const]),
    ["persistentvolumeclaims", one],
    ["count/persistentvolumeclaims", one],
  ]);
}

/** Where the quotas leave no room. Those that count only some pods are left out: which, is not known here. */
export function shortagesOf(
  quotas: readonly ResourceQuotaObject[],
  needed: Amounts,
  of: Shortage["of"],
): readonly Shortage[] {
  return quotas
    .filter(({ spec }) => (spec?.scopes ?? []).length === 0 && spec?.scopeSelector === undefined)
    .flatMap((quota) => {
      const lacks = Object.entries(quota.status?.hard ?? {}).flatMap(([resource, hard]): readonly Lack[] => {
        const need = needed.get(resource);
        const limit = parseQuantity(hard);
        const used = parseQuantity(quota.status?.used?.[resource] ?? "0");
        if (need === undefined || limit === undefined || used === undefined) return [];
        if (used.nano + need.nano <= limit.nano) return [];
        const left = { nano: limit.nano > used.nano ? limit.nano - used.nano : 0n, format: limit.format };
        return [{ resource, needs: formatQuantity(need), left: formatQuantity(left), hard: String(hard) }];
      });
      const { name, namespace = "" } = quota.metadata;
      return lacks.length === 0 ? [] : [{ quota: { group: "", kind: "ResourceQuota", namespace, name }, of, lacks }];
    });
}

/** What is in an application's namespace, and what of the application lacks something. */
export interface Scarce {
  readonly quotas: readonly ResourceQuotaObject[];
  readonly pods: readonly PodObject[];
  readonly claims: readonly PersistentVolumeClaimObject[];
  readonly monitors: readonly MonitorObject[];
  /** What operators are asked for and is not healthy. */
  readonly unhealthy: readonly KubeObject[];
}

/** What no quota has room for, of what an application lacks. */
export function scarcities({ quotas, pods, claims, monitors, unhealthy }: Scarce): readonly Shortage[] {
  const short = monitors.flatMap(({ spec }): readonly Shortage[] => {
    const { selector = {}, replicas, minReplicas = 0 } = spec ?? {};
    const isOwn = ({ metadata }: KubeObject) => matchesLabels({ matchLabels: selector }, metadata.labels);
    const own = pods.filter(isOwn);
    if (own.length >= (replicas ?? minReplicas)) return [];
    const [sibling] = own;
    const sizes = sibling === undefined ? largest(unhealthy.flatMap(resourcesIn)) : containersOf(sibling);
    const volumes = claims.filter(isOwn);
    const size = valueAt(volumes[0], "spec", "resources", "requests", "storage");
    return [
      ...shortagesOf(quotas, podAmounts(sizes), "pod"),
      // A pod whose volume is there waits for nothing of it.
      ...(volumes.length > own.length || (typeof size !== "string" && typeof size !== "number")
        ? []
        : shortagesOf(quotas, claimAmounts(size), "volume")),
    ];
  });
  // A tenant's own quota and its share of the one above often say the same: the first is its own.
  return [...new Map(short.toReversed().map((each) => [shortageText(each), each])).values()].toReversed();
}

/** Of several kinds of containers, the one that fits last. */
function largest(all: readonly unknown[]): readonly unknown[] {
  const cpu = (resources: unknown) => parseQuantity(String(valueAt(resources, "limits", "cpu") ?? "0"))?.nano ?? 0n;
  return [...all].sort((a, b) => (cpu(a) < cpu(b) ? 1 : -1)).slice(0, 1);
}

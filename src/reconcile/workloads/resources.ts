/**
 * What a workload object uses, for `status.resources` of its Workload: the figures that are billed.
 */
import { isRecord } from "../../kube/json.ts";
import type { Service } from "../../kube/kinds/core.ts";
import type { Container } from "../../kube/kinds/pod-spec.ts";
import type { PersistentVolumeClaim } from "../../kube/kinds/storage.ts";
import type { Pod } from "../../kube/kinds/workloads.ts";
import { formatQuantity, parseQuantity, type Quantity } from "../../sdk/quantity.ts";

export type Resources = Readonly<Record<string, string>>;

/** The sizes of a bucket in bytes. */
export interface BucketSize {
  readonly logical?: number;
  readonly physical?: number;
}

type Amounts = Map<string, Quantity>;

const OVERRIDE = "workload.cozystack.io/resources";
const POOL = "metallb.universe.tf/ip-allocated-from-pool";

function amounts(requests: Readonly<Record<string, string | number>> | undefined): Amounts {
  const found: Amounts = new Map();
  for (const [name, text] of Object.entries(requests ?? {})) {
    const quantity = parseQuantity(text);
    if (quantity !== undefined) found.set(name, quantity);
  }
  return found;
}

function plus(a: Amounts, b: Amounts): Amounts {
  const sum: Amounts = new Map(a);
  for (const [name, { nano, format }] of b) {
    const before = sum.get(name);
    sum.set(name, { nano: (before?.nano ?? 0n) + nano, format: before?.format ?? format });
  }
  return sum;
}

function max(a: Amounts, b: Amounts): Amounts {
  const most: Amounts = new Map(a);
  for (const [name, quantity] of b) {
    const before = most.get(name);
    if (before === undefined || before.nano < quantity.nano) most.set(name, quantity);
  }
  return most;
}

const requestsOf = (container: Container): Amounts => amounts(container.resources?.requests);

/**
 * What the scheduler reserves for a pod: containers and sidecars together, or the largest moment of its start if that is
 * more, and its overhead. The annotation `workload.cozystack.io/resources` replaces single figures.
 */
export function podResources(pod: Pod): Resources {
  const { containers, initContainers = [], overhead } = pod.spec;
  let sidecars: Amounts = new Map();
  let start: Amounts = new Map();
  for (const container of initContainers) {
    const own = requestsOf(container);
    if (container.restartPolicy === "Always") sidecars = plus(sidecars, own);
    start = max(start, container.restartPolicy === "Always" ? sidecars : plus(sidecars, own));
  }
  const running = containers.map(requestsOf).reduce(plus, sidecars);
  const total = plus(max(running, start), amounts(overhead));
  return { ...printed(total), ...overrides(pod.metadata.annotations?.[OVERRIDE]) };
}

function printed(total: Amounts): Resources {
  return Object.fromEntries([...total].map(([name, { nano, format }]) => [name, formatQuantity({ nano, format })]));
}

function overrides(text: string | undefined): Resources {
  if (text === undefined) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Written by whoever made the pod; what cannot be read overrides nothing.
    return {};
  }
  if (!isRecord(parsed)) return {};
  const good = Object.entries(parsed).flatMap(([name, value]) => {
    if (typeof value !== "string" && typeof value !== "number") return [];
    return parseQuantity(value) === undefined ? [] : [[name, String(value)] as const];
  });
  return Object.fromEntries(good);
}

/** Capacity of a bound claim, by the class it was made from; a claim without a class is counted without one. */
export function claimResources(claim: PersistentVolumeClaim): Resources {
  const { storageClassName = "" } = claim.spec;
  const prefix = storageClassName === "" ? "" : `${storageClassName}.storageclass.storage.k8s.io/`;
  const capacity = Object.entries(claim.status?.capacity ?? {});
  return Object.fromEntries(capacity.map(([name, amount]) => [`${prefix}requests.${name}`, String(amount)]));
}

/** Addresses of a load balancer, by the pool they are from. */
export function serviceResources(service: Service): Resources {
  const pool = service.metadata.annotations?.[POOL] ?? "default";
  const addresses = (service.status?.loadBalancer?.ingress ?? []).filter(({ ip }) => ip !== undefined && ip !== "");
  return { [`${pool}.ipaddresspool.metallb.io/requests.ipaddresses`]: String(addresses.length) };
}

/** Sizes of a bucket, where they are known. */
export function bucketResources(size: BucketSize | undefined): Resources {
  return {
    ...(size?.logical === undefined ? {} : { "s3-storage-bytes": String(size.logical) }),
    ...(size?.physical === undefined ? {} : { "s3-physical-storage-bytes": String(size.physical) }),
  };
}

/**
 * The Workload of an object: what it uses, whether it serves, and for whom it is counted.
 */
import { Workload, type WorkloadMonitor } from "../../contracts/cozystack-io.ts";
import { BucketClaim } from "../../contracts/objectstorage-k8s-io.ts";
import { Service } from "../../kube/kinds/core.ts";
import { PersistentVolumeClaim } from "../../kube/kinds/storage.ts";
import { Pod } from "../../kube/kinds/workloads.ts";
import type { AnyKind, KubeObject } from "../../kube/object.ts";
import { isOfKind } from "../view.ts";
import {
  type BucketSize,
  bucketResources,
  claimResources,
  podResources,
  type Resources,
  serviceResources,
} from "./resources.ts";

export type MonitorObject = ReturnType<typeof WorkloadMonitor>;
export type WorkloadObject = ReturnType<typeof Workload>;

/** The kinds that are counted, with the prefix of their Workloads' names. */
export const SOURCES: readonly { readonly kind: AnyKind; readonly prefix: string }[] = [
  { kind: Pod, prefix: "pod" },
  { kind: PersistentVolumeClaim, prefix: "pvc" },
  { kind: Service, prefix: "svc" },
  { kind: BucketClaim, prefix: "bucket" },
];

/** On a Workload: the name of its monitor. */
export const MONITOR_LABEL = "workloads.cozystack.io/monitor";
const MONITOR_PREFIX = "workloads.cozystack.io/";

const FROM_ANNOTATIONS: Readonly<Record<string, string>> = {
  "kubevirt.io/cluster-instancetype-name": "workloads.cozystack.io/kubevirt-vmi-instance-type",
  "kubevirt.io/cluster-instanceprofile-name": "workloads.cozystack.io/kubevirt-vmi-instance-profile",
};

/** What counts of an object; undefined for one that does not count: a pod that is done or going, another kind of Service. */
export interface Countable {
  readonly prefix: string;
  readonly isPod: boolean;
  readonly operational: boolean;
  readonly resources: Resources;
}

/** Reads an object of one of the {@link SOURCES}. */
export function countableOf(object: KubeObject, size: BucketSize | undefined): Countable | undefined {
  if (isOfKind(Pod, object)) return countablePod(object);
  if (object.metadata.deletionTimestamp !== undefined) return undefined;
  if (isOfKind(PersistentVolumeClaim, object)) {
    const operational = object.status?.phase === "Bound";
    return { prefix: "pvc", isPod: false, operational, resources: claimResources(object) };
  }
  if (isOfKind(Service, object)) {
    if (object.spec.type !== "LoadBalancer") return undefined;
    const operational = (object.status?.loadBalancer?.ingress ?? []).length > 0;
    return { prefix: "svc", isPod: false, operational, resources: serviceResources(object) };
  }
  if (!isOfKind(BucketClaim, object)) return undefined;
  const operational = object.status?.bucketReady === true;
  return { prefix: "bucket", isPod: false, operational, resources: bucketResources(size) };
}

function countablePod(pod: Pod): Countable | undefined {
  const { phase, conditions = [] } = pod.status ?? {};
  if (pod.metadata.deletionTimestamp !== undefined || phase === "Succeeded" || phase === "Failed") return undefined;
  const operational = conditions.some(({ type, status }) => type === "Ready" && status === "True");
  return { prefix: "pod", isPod: true, operational, resources: podResources(pod) };
}

/** The Workload that an object has while it counts for a monitor. */
export function workloadOf(object: KubeObject, counted: Countable, monitor: MonitorObject): WorkloadObject {
  const { name, namespace, uid = "" } = object.metadata;
  return Workload(`${counted.prefix}-${name}`, {
    ...(namespace === undefined ? {} : { namespace }),
    labels: labelsOf(object, counted.isPod, monitor),
    metadata: {
      ownerReferences: [
        { apiVersion: object.apiVersion, kind: object.kind, name, uid, controller: false, blockOwnerDeletion: true },
      ],
    },
    status: {
      kind: monitor.spec?.kind ?? "",
      ...(monitor.spec?.type === undefined ? {} : { type: monitor.spec.type }),
      resources: counted.resources,
      operational: counted.operational,
    },
  });
}

function labelsOf(object: KubeObject, isPod: boolean, monitor: MonitorObject): Readonly<Record<string, string>> {
  const inherited = Object.entries(monitor.metadata.labels ?? {}).filter(
    ([name]) => name.startsWith(MONITOR_PREFIX) && name !== MONITOR_LABEL,
  );
  const annotated = Object.entries(FROM_ANNOTATIONS).flatMap(([annotation, label]) => {
    const value = isPod ? object.metadata.annotations?.[annotation] : undefined;
    return value === undefined ? [] : [[label, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    ...object.metadata.labels,
    [MONITOR_LABEL]: monitor.metadata.name,
    ...Object.fromEntries(annotated),
  };
}

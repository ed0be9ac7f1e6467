/**
 * Keeps Workloads and the status of WorkloadMonitors. One key per object and one per monitor: an event of a pod costs one
 * look-up and at most two writes, and nothing is written that is true already.
 */
import { Namespace } from "../../contracts/core.ts";
import { Workload, WorkloadMonitor } from "../../contracts/cozystack-io.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import { valueAt } from "../../kube/json.ts";
import type { Kind, KubeObject } from "../../kube/object.ts";
import { type Outcome, workQueue } from "../../kube/queue.ts";
import type { Store } from "../../kube/store.ts";
import { openStores, type Stores } from "../../kube/stores.ts";
import { systemWorld, type World } from "../../kube/world.ts";
import { canonical } from "../digest.ts";
import { putStatus } from "../status-write.ts";
import { isOfKind } from "../view.ts";
import { askOverHttp, type BucketSizes, type CountedBucket, endpointIn, startBucketSizes } from "./bucket-sizes.ts";
import { MonitorIndex, matches, monitorKey, type Selecting } from "./match.ts";
import { monitorStatus, Tally } from "./tally.ts";
import { workloadTrim } from "./trim.ts";
import {
  countableOf,
  MONITOR_LABEL,
  type MonitorObject,
  SOURCES,
  type WorkloadObject,
  workloadOf,
} from "./workload.ts";

export interface WorkloadsOptions {
  readonly client: Client;
  readonly world?: World;
  /** Stores to share with others of the process; they must keep what {@link workloadTrim} keeps. Default: its own. */
  readonly stores?: Stores;
  readonly scope?: (namespace: string) => boolean;
  readonly mayAct?: () => boolean;
  /** Default 8. */
  readonly concurrency?: number;
  /**
   * How long a new monitor that needs pods and has none yet goes without a status, in milliseconds: while an application
   * starts there is nothing to say, and saying so costs two writes an application. Default 300,000.
   */
  readonly patience?: number;
  /**
   * How long an object that changed is left to change further, in milliseconds: one that starts does so several times a
   * second. Default 500.
   */
  readonly settle?: number;
  /** Where bucket sizes come from. Default: the metrics of the tenant's monitoring (bucket-sizes.ts). */
  readonly bucketSizes?: BucketSizes;
  /** Base URL of one metrics API for all buckets, instead of that of each tenant's monitoring. */
  readonly metricsEndpoint?: string;
  readonly onError?: (what: string, error: unknown) => void;
}

export interface Workloads {
  idle(): Promise<void>;
  /** Ends when the signal was aborted. Never rejects. */
  readonly ended: Promise<void>;
}

/** On a namespace: that of the monitoring that watches it. */
const MONITORING_LABEL = "namespace.cozystack.io/monitoring";

/** Starts the controller; it runs until the signal is aborted. */
export function startWorkloads(options: WorkloadsOptions, signal: AbortSignal): Workloads {
  const { client, world = systemWorld, scope = () => true, mayAct = () => true } = options;
  const { patience = 300_000, settle = 500 } = options;
  const onError = options.onError ?? (() => undefined);
  const stores =
    options.stores ??
    openStores({
      client,
      signal,
      world,
      trim: workloadTrim,
      onError: (kind, error) => onError(`store of ${kind.kind}`, error),
    });
  const monitors = stores.use(WorkloadMonitor).store;
  const workloads = stores.use(Workload).store;
  const sources = new Map(
    SOURCES.map(({ kind, prefix }) => {
      const plain: Kind<KubeObject> = kind;
      return [prefix, stores.use(plain).store];
    }),
  );
  const namespaces = stores.useMetadata(Namespace).store;
  const bucketSizes =
    options.bucketSizes ??
    startBucketSizes(
      { world, buckets: countedBuckets, ask: askOverHttp, onError: (endpoint, error) => onError(endpoint, error) },
      signal,
    );
  const index = new MonitorIndex();
  const tally = new Tally();
  const queue = workQueue({
    world,
    concurrency: options.concurrency ?? 8,
    groupOf: (key) => key.split("/")[1] ?? "",
    work,
    onError,
  });

  const isReady = (): boolean =>
    [monitors, workloads, ...sources.values()].every(({ state }) => state.is === "synced" || state.is === "unserved");

  /** `PREFIX/NAMESPACE/NAME` for objects, `monitor/NAMESPACE/NAME` for monitors. */
  const keyOf = (prefix: string, { metadata }: KubeObject): string =>
    `${prefix}/${metadata.namespace ?? ""}/${metadata.name}`;

  const inScope = (object: KubeObject): boolean => scope(object.metadata.namespace ?? "");

  for (const [prefix, store] of sources) {
    store.subscribe(({ object }) => {
      if (inScope(object)) queue.addAfter(keyOf(prefix, object), settle);
    });
  }
  workloads.subscribe(({ object }) => {
    if (!inScope(object)) return;
    const [prefix = "", ...name] = object.metadata.name.split("-");
    queue.add(`${prefix}/${object.metadata.namespace}/${name.join("-")}`);
  });
  monitors.subscribe((change) => {
    const { type, object } = change;
    if (!inScope(object)) return;
    queue.add(keyOf("monitor", object));
    if (type === "modified" && canonical(copied(change.previous)) === canonical(copied(object))) return;
    const now = type === "deleted" ? undefined : selecting(object);
    const key = monitorKey({ namespace: object.metadata.namespace ?? "", name: object.metadata.name });
    const before = index.get(key);
    if (now === undefined) index.remove(key);
    else index.set(now);
    wakeObjects(key, [before, now]);
  });
  bucketSizes.onChange((namespace) => {
    for (const claim of sources.get("bucket")?.list(namespace) ?? []) queue.add(keyOf("bucket", claim));
  });

  /** Those that a monitor counts, and those that it may count from now on. */
  function wakeObjects(key: string, selectors: readonly (Selecting | undefined)[]): void {
    for (const member of tally.members(key)) queue.add(member);
    for (const [prefix, store] of sources) {
      if (!store.hasSynced) continue;
      for (const object of readable(store, selectors[1]?.namespace ?? selectors[0]?.namespace ?? "")) {
        if (selectors.some((one) => one !== undefined && matches(one, object))) queue.add(keyOf(prefix, object));
      }
    }
  }

  function readable(store: Store<KubeObject>, namespace: string): readonly KubeObject[] {
    return store.state.is === "synced" ? store.list(namespace) : [];
  }

  function countedBuckets(): readonly CountedBucket[] {
    return readableAll(sources.get("bucket")).flatMap((claim) => {
      const bucket = valueAt(claim, "status", "bucketName");
      const { namespace = "" } = claim.metadata;
      const monitoring = namespaces.hasSynced
        ? namespaces.get(namespace)?.metadata.labels?.[MONITORING_LABEL]
        : undefined;
      const endpoint = options.metricsEndpoint ?? (monitoring ? endpointIn(monitoring) : undefined);
      const counts = typeof bucket === "string" && inScope(claim) && index.of(claim) !== undefined;
      return counts ? [{ namespace, bucket, ...(endpoint === undefined ? {} : { endpoint }) }] : [];
    });
  }

  function readableAll(store: Store<KubeObject> | undefined): readonly KubeObject[] {
    return store?.state.is === "synced" ? store.list() : [];
  }

  async function work(key: string): Promise<Outcome> {
    if (!mayAct()) return { is: "again", after: 1_000 };
    if (!isReady()) await Promise.all([monitors, workloads, ...sources.values()].map((store) => store.ready(signal)));
    const [prefix = "", namespace = "", name = ""] = key.split("/");
    if (prefix === "monitor") await workMonitor(namespace, name);
    else await workObject(key, prefix, namespace, name);
    return { is: "done" };
  }

  async function workMonitor(namespace: string, name: string): Promise<void> {
    const monitor = monitors.get(name, namespace);
    if (monitor === undefined || monitor.metadata.deletionTimestamp !== undefined) return;
    const status = monitorStatus(monitor.spec ?? {}, tally.of(monitorKey({ namespace, name })));
    if (canonical(monitor.status ?? {}) === canonical(status)) return;
    const rest = patience - (world.now() - Date.parse(monitor.metadata.creationTimestamp ?? ""));
    if (monitor.status === undefined && !status.operational && status.observedReplicas === 0 && rest > 0) {
      queue.addAfter(`monitor/${namespace}/${name}`, rest);
      return;
    }
    const answer = await putStatus(client, WorkloadMonitor, monitor, { ...status });
    if (isOfKind(WorkloadMonitor, answer)) monitors.assume(answer);
  }

  async function workObject(key: string, prefix: string, namespace: string, name: string): Promise<void> {
    const object = sources.get(prefix)?.get(name, namespace);
    const bucket = valueAt(object, "status", "bucketName");
    const size = typeof bucket === "string" ? bucketSizes.of(namespace, bucket) : undefined;
    const counted = object === undefined ? undefined : countableOf(object, size);
    const found = object === undefined || counted === undefined ? undefined : index.of(object);
    const monitor = found === undefined ? undefined : monitors.get(found.name, found.namespace);
    const now =
      counted === undefined || monitor === undefined || found === undefined
        ? undefined
        : { monitor: monitorKey(found), isPod: counted.isPod, operational: counted.operational };
    for (const changed of tally.set(key, now)) queue.add(`monitor/${changed}`);
    const live = workloads.get(`${prefix}-${name}`, namespace);
    if (object !== undefined && counted !== undefined && monitor !== undefined) {
      await keep(live, workloadOf(object, counted, monitor));
    } else if (live !== undefined && !isGoing(object)) await remove(live);
  }

  /** A pod on its way out takes its Workload along. */
  function isGoing(object: KubeObject | undefined): boolean {
    return object?.metadata.deletionTimestamp !== undefined;
  }

  async function keep(live: WorkloadObject | undefined, wanted: WorkloadObject): Promise<void> {
    if (live !== undefined && isSame(live, wanted)) return;
    workloads.assume(await client.apply(Workload, wanted));
  }

  async function remove({ metadata }: WorkloadObject): Promise<void> {
    const { name, namespace, uid } = metadata;
    try {
      await client.delete(Workload, name, namespace, uid === undefined ? {} : { uid });
    } catch (error) {
      if (!isApiError(error, "Conflict")) throw error;
    }
  }

  const ended = queue.run(signal);
  return { idle: () => queue.idle(), ended };
}

/** What of a monitor its Workloads depend on: not its status. */
function copied({ metadata, spec }: MonitorObject): unknown {
  return [metadata.labels, spec];
}

function selecting(monitor: MonitorObject): Selecting {
  const { name, namespace = "", creationTimestamp = "" } = monitor.metadata;
  return { name, namespace, selector: monitor.spec?.selector ?? {}, created: creationTimestamp };
}

function isSame(live: WorkloadObject, wanted: WorkloadObject): boolean {
  const seen = ({ metadata, status }: WorkloadObject) => [
    metadata.labels?.[MONITOR_LABEL],
    metadata.labels ?? {},
    (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    status,
  ];
  return canonical(seen(live)) === canonical(seen(wanted));
}

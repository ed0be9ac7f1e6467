/**
 * The watch loop of a store: begins, resumes where it stopped, begins anew when that point is gone, and waits longer
 * the more often it fails.
 */
import type { Client, WatchEvent, WatchOptions } from "./client.ts";
import { isApiError } from "./errors.ts";
import type { Kind, KubeObject } from "./object.ts";
import { type Store, type StoreFeed, storeFeed } from "./store.ts";
import { backoff, type World } from "./world.ts";

export interface InformerOptions<T extends KubeObject> {
  readonly client: Client;
  readonly kind: Kind<T>;
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Drops what nobody reads. `managedFields` are gone in any case. */
  readonly trim?: (object: T) => T;
  readonly world: World;
  /** Told about every interruption, and about handlers that throw. */
  readonly onError?: (error: unknown) => void;
}

/** A store with its loop. */
export interface Informer<T extends KubeObject> {
  readonly store: Store<T>;
  /** Feeds the store until the signal is aborted or the client closed; resolves then, never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Tries again now: something happened that may have cured a failure. */
  nudge(): void;
}

/** Opens one watch connection. */
type Open<T extends KubeObject> = (options: WatchOptions) => AsyncIterable<WatchEvent<T>>;

const backoffBase = 200;
const backoffCap = 30_000;
/** Without a sign from the API server that the kind has come, look again in this rhythm. */
const unservedCap = 300_000;
/** A connection that ends sooner than this, without an event, counts as failed. */
const shortLived = 5_000;
/** After so many failures in a row the resume point itself is suspect. */
const doubtful = 5;
/** A kind that is not ready so many times in a row, before its first state, is told. */
const tellsFrom = 4;

/** An informer of whole objects. */
export function informer<T extends KubeObject>(options: InformerOptions<T>): Informer<T> {
  const { client, kind, trim = (object: T) => object } = options;
  return informerOver(options, (watch) => client.watch(kind, watch), trim);
}

/** An informer of metadata only: an object's kind, name, labels, owners; a third of the memory and less. */
export function metadataInformer(options: InformerOptions<KubeObject>): Informer<KubeObject> {
  const { client, kind } = options;
  const bare = ({ apiVersion, kind: name, metadata }: KubeObject): KubeObject => ({ apiVersion, kind: name, metadata });
  return informerOver(
    options,
    (watch) => client.watchMetadata(kind, watch),
    (object) => bare(options.trim?.(object) ?? object),
  );
}

function informerOver<T extends KubeObject>(
  options: InformerOptions<T>,
  open: Open<T>,
  trim: (object: T) => T,
): Informer<T> {
  const { kind, namespace, labelSelector, fieldSelector, world } = options;
  const onError = options.onError ?? (() => {});
  const selects = labelSelector !== undefined || fieldSelector !== undefined;
  const feed = storeFeed<T>({
    kind,
    trim,
    accepts: (object) => !selects && (namespace === undefined || object.metadata.namespace === namespace),
    onError,
  });
  const scope = {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  let wake = new AbortController();
  let failures = 0;
  let resume: string | undefined;

  /** Reads one connection to its end. */
  const follow = async (signal: AbortSignal): Promise<void> => {
    const from = resume === undefined ? {} : { resourceVersion: resume };
    let initial: Map<string, T> | undefined = resume === undefined ? new Map() : undefined;
    for await (const event of open({ ...scope, ...from, signal })) {
      if (initial !== undefined) {
        if (event.type === "synced") {
          feed.replace(initial.values(), event.resourceVersion);
          initial = undefined;
          resume = event.resourceVersion;
        } else collect(initial, event);
      } else {
        take(feed, event);
        resume = feed.store.resourceVersion;
      }
      recovered(feed);
      failures = 0;
    }
  };

  const failed = (error: unknown): void => {
    const problem = error instanceof Error ? error : new Error(String(error));
    failures += 1;
    if (isApiError(error, "Expired") || failures % doubtful === 0) resume = undefined;
    if (isApiError(error, "Unserved")) {
      resume = undefined;
      if (feed.store.state.is !== "unserved") feed.setState({ is: "unserved" });
      return;
    }
    // The storage of a kind that was defined a moment ago is not ready yet: no fault until it lasts.
    const isNotYet = isApiError(error, "ServiceUnavailable", "TooManyRequests");
    const isStarting = isNotYet && !feed.store.hasSynced && failures < tellsFrom;
    if (!isStarting) onError(error);
    feed.setState(feed.store.hasSynced ? { is: "synced", problem } : { is: "failing", problem });
  };

  const pause = async (signal: AbortSignal): Promise<void> => {
    const cap = feed.store.state.is === "unserved" ? unservedCap : backoffCap;
    const wait = failures === 0 ? 0 : backoff(failures - 1, backoffBase, cap, world.random);
    if (wait === 0) return;
    try {
      await world.sleep(wait, AbortSignal.any([signal, wake.signal]));
    } catch {
      // Woken: by a nudge, or by the end of the loop, which the loop sees itself.
      wake = new AbortController();
    }
  };

  return {
    store: feed.store,
    async run(signal) {
      while (!signal.aborted) {
        const started = world.monotonic();
        try {
          await follow(signal);
          failures = world.monotonic() - started < shortLived ? failures + 1 : 0;
        } catch (error) {
          // A client that was closed on purpose gives nothing more: no fault, and nothing to try again.
          if (signal.aborted || isApiError(error, "Closed")) return;
          // An old resume point is no fault, and its cure is to list at once.
          const expired = isApiError(error, "Expired") && resume !== undefined;
          failed(error);
          if (expired) continue;
        }
        await pause(signal);
      }
    },
    nudge() {
      failures = 0;
      wake.abort();
    },
  };
}

function collect<T extends KubeObject>(initial: Map<string, T>, event: WatchEvent<T>): void {
  if (!("object" in event)) return;
  const { name, namespace = "" } = event.object.metadata;
  if (event.type === "deleted") initial.delete(`${namespace}/${name}`);
  else initial.set(`${namespace}/${name}`, event.object);
}

function take<T extends KubeObject>(feed: StoreFeed<T>, event: WatchEvent<T>): void {
  if ("object" in event) feed.event(event.type, event.object);
  else feed.bookmark(event.resourceVersion);
}

/** Events flow again: the store is current. */
function recovered(feed: StoreFeed<KubeObject>): void {
  const { state } = feed.store;
  if (state.is === "synced" && state.problem !== undefined) feed.setState({ is: "synced" });
}

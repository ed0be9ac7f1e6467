/**
 * A store: the objects of one kind, kept current by a watch (an informer).
 *
 * Reads come from memory and never ask the API server. Until the first complete state has arrived they throw rather
 * than say that something does not exist.
 */
import { CozystackError } from "./errors.ts";
import type { AnyKind, KubeObject } from "./object.ts";
import type { IndexFunction } from "./object-index.ts";
import { objectIndex } from "./object-index.ts";
import { compareResourceVersions, isOlder } from "./resource-version.ts";

export type Change<T extends KubeObject> =
  | { readonly type: "added"; readonly object: T }
  | { readonly type: "modified"; readonly object: T; readonly previous: T }
  | { readonly type: "deleted"; readonly object: T };

/** What a store knows about itself. */
export type StoreState =
  /** The first state has not arrived. */
  | { readonly is: "starting" }
  /** Complete, and current but for the time events take. `problem` while the watch is interrupted: then it is stale. */
  | { readonly is: "synced"; readonly problem?: Error }
  /** The API server does not serve the kind. It has no objects; the store starts when it appears. */
  | { readonly is: "unserved" }
  /** The first state could not be read yet. */
  | { readonly is: "failing"; readonly problem: Error };

/** A read of a store that has no complete state yet. */
export class StoreNotReadyError extends CozystackError {
  constructor(kind: string, state: StoreState) {
    const why = state.is === "failing" ? `: ${state.problem.message}` : "";
    super("StoreNotReady", `the store of ${kind} is ${state.is}${why}`, "Wait for ready() before reading from it.");
  }
}

export interface Store<T extends KubeObject> {
  readonly kind: AnyKind;
  readonly state: StoreState;
  /** A complete state has arrived at least once. */
  readonly hasSynced: boolean;
  readonly size: number;
  /** The version up to which every change is known. */
  readonly resourceVersion: string | undefined;
  /** Resolves once the store is `synced` or `unserved`; rejects when the signal is aborted or the store is stopped first. */
  ready(signal?: AbortSignal): Promise<void>;
  /** @throws StoreNotReadyError, as all reads. */
  get(name: string, namespace?: string): T | undefined;
  /** All objects, or those of one namespace. */
  list(namespace?: string): readonly T[];
  /** Objects that have an owner reference to this uid. */
  ownedBy(uid: string): readonly T[];
  lookup(index: string, key: string): readonly T[];
  /** Defines an index; the same again is ignored. */
  addIndex(name: string, keysOf: IndexFunction<T>): void;
  /**
   * Calls `handler` at once for every object there is (as `added`), then for every change. Handlers only enqueue: they
   * run between two events. Returns the function that ends it.
   */
  subscribe(handler: (change: Change<T>) => void): () => void;
  /** Calls `handler` whenever the state changes. */
  onState(handler: (state: StoreState) => void): () => void;
  /** Takes in the answer of our own write, before the watch brings it. Older answers than what is known are ignored. */
  assume(object: T): void;
}

/** What the watch loop feeds (informer.ts). */
export interface StoreFeed<T extends KubeObject> {
  readonly store: Store<T>;
  /** One event of the watch. */
  event(type: "added" | "modified" | "deleted", object: T): void;
  bookmark(resourceVersion: string): void;
  /** The complete state at a version: what is not in it is deleted. */
  replace(objects: Iterable<T>, resourceVersion: string): void;
  setState(state: StoreState): void;
}

export interface FeedOptions<T extends KubeObject> {
  readonly kind: AnyKind;
  /** Applied to every object that comes in. */
  readonly trim: (object: T) => T;
  /** Whether any object of the kind belongs in the store; with a selector only known ones may be assumed. */
  readonly accepts: (object: T) => boolean;
  readonly onError: (error: unknown) => void;
}

/** A store and the hand that fills it. */
export function storeFeed<T extends KubeObject>(options: FeedOptions<T>): StoreFeed<T> {
  const { kind, trim } = options;
  const objects = objectIndex<T>(kind.kind);
  const handlers = new Set<(change: Change<T>) => void>();
  const stateHandlers = new Set<(state: StoreState) => void>();
  let state: StoreState = { is: "starting" };
  let seen: string | undefined;
  let hasSynced = false;

  const call = <V>(all: Iterable<(value: V) => void>, value: V): void => {
    for (const handler of all) {
      try {
        handler(value);
      } catch (error) {
        options.onError(error);
      }
    }
  };

  const put = (incoming: T): void => {
    const { name, namespace } = incoming.metadata;
    const known = objects.get(name, namespace);
    const version = incoming.metadata.resourceVersion;
    if (isOlder(version, known?.metadata.resourceVersion)) return;
    // The watch's echo of what was assumed.
    if (known !== undefined && version !== undefined && known.metadata.resourceVersion === version) return;
    const object = trim(incoming);
    objects.put(object);
    call(handlers, known === undefined ? { type: "added", object } : { type: "modified", object, previous: known });
  };

  const remove = (gone: T): void => {
    const { name, namespace, resourceVersion } = gone.metadata;
    const known = objects.get(name, namespace);
    // A successor of the same name may have been assumed already.
    if (known === undefined || isOlder(resourceVersion, known.metadata.resourceVersion)) return;
    objects.remove(name, namespace);
    call(handlers, { type: "deleted", object: known });
  };

  const readable = () => {
    if (state.is !== "synced" && state.is !== "unserved") throw new StoreNotReadyError(kind.kind, state);
    return objects;
  };

  const store: Store<T> = {
    kind,
    get state() {
      return state;
    },
    get hasSynced() {
      return hasSynced;
    },
    get size() {
      return objects.size;
    },
    get resourceVersion() {
      return seen;
    },
    ready: (signal) =>
      new Promise((resolve, reject) => {
        const settle = () => {
          if (state.is !== "synced" && state.is !== "unserved") return;
          stateHandlers.delete(settle);
          signal?.removeEventListener("abort", abort);
          resolve();
        };
        const abort = () => {
          stateHandlers.delete(settle);
          reject(signal?.reason);
        };
        if (signal?.aborted === true) return abort();
        signal?.addEventListener("abort", abort, { once: true });
        stateHandlers.add(settle);
        settle();
      }),
    get: (name, namespace) => readable().get(name, namespace),
    list: (namespace) => (namespace === undefined ? [...readable().all()] : readable().inNamespace(namespace)),
    ownedBy: (uid) => readable().ownedBy(uid),
    lookup: (index, key) => readable().lookup(index, key),
    addIndex: (name, keysOf) => objects.addIndex(name, keysOf),
    subscribe(handler) {
      handlers.add(handler);
      for (const object of objects.all()) call([handler], { type: "added", object });
      return () => handlers.delete(handler);
    },
    onState(handler) {
      stateHandlers.add(handler);
      return () => stateHandlers.delete(handler);
    },
    assume(answer) {
      // As in everything that a watch brings: nobody reads them here, and they are a third of an object.
      const { managedFields: _, ...metadata } = answer.metadata;
      const object = { ...answer, metadata };
      const { name, namespace, resourceVersion } = metadata;
      // Everything up to `seen` has been told by the watch, deletions included: an older answer must not bring anything back.
      if (seen === undefined || resourceVersion === undefined) return;
      if ((compareResourceVersions(resourceVersion, seen) ?? -1) <= 0) return;
      if (objects.get(name, namespace) === undefined && !options.accepts(object)) return;
      put(object);
    },
  };

  const setState = (next: StoreState): void => {
    state = next;
    // A kind goes with its objects, and its watch may have ended before it could tell.
    for (const object of next.is === "unserved" ? [...objects.all()] : []) {
      objects.remove(object.metadata.name, object.metadata.namespace);
      call(handlers, { type: "deleted", object });
    }
    call(stateHandlers, next);
  };

  return {
    store,
    setState,
    event(type, object) {
      seen = object.metadata.resourceVersion ?? seen;
      if (type === "deleted") remove(object);
      else put(object);
    },
    bookmark(resourceVersion) {
      seen = resourceVersion;
    },
    replace(incoming, resourceVersion) {
      // The cluster was restored from a backup: versions begin anew, and what we hold is from a future that did not come.
      const restored = isOlder(resourceVersion, seen);
      // First: a handler that is told of a deletion and asks for its version gets one at which it had happened.
      seen = resourceVersion;
      const listed = new Map<string, T>();
      for (const object of incoming) listed.set(`${object.metadata.namespace ?? ""}/${object.metadata.name}`, object);
      for (const known of [...objects.all()]) {
        const { name, namespace = "", resourceVersion: version } = known.metadata;
        const assumedSince = !restored && isOlder(resourceVersion, version);
        const next = listed.get(`${namespace}/${name}`);
        if (next === undefined ? assumedSince : !restored) continue;
        objects.remove(name, namespace);
        call(handlers, { type: "deleted", object: known });
      }
      for (const object of listed.values()) put(object);
      hasSynced = true;
      setState({ is: "synced" });
    },
  };
}

/**
 * The stores of a process: each kind is watched once, whoever asks, from the first use to the last.
 *
 * A kind that is not served is no error: its store is `unserved`, and starts when its definition appears. Definitions
 * and aggregated APIs are watched (metadata only) as soon as one store needs that.
 */
import type { Client } from "./client.ts";
import { APIService, CustomResourceDefinition } from "./core-kinds.ts";
import { type Informer, informer, metadataInformer } from "./informer.ts";
import type { AnyKind, Kind, KubeObject } from "./object.ts";
import type { Store } from "./store.ts";
import { systemWorld, type World } from "./world.ts";

export interface StoresOptions {
  readonly client: Client;
  /** Ends every store. */
  readonly signal: AbortSignal;
  readonly world?: World;
  /** Told about interruptions and handlers that throw. */
  readonly onError?: (kind: AnyKind, error: unknown) => void;
  /** Applied to the objects of every full store: drops what nobody in this process reads. */
  readonly trim?: <T extends KubeObject>(object: T) => T;
}

/** What of a kind is kept. Users of the same part share one store. */
export interface StoreScope {
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** A share in a store; the store stops when its last user has released it. */
export interface StoreUse<T extends KubeObject> {
  readonly store: Store<T>;
  release(): void;
}

export interface Stores {
  use<T extends KubeObject>(kind: Kind<T>, scope?: StoreScope): StoreUse<T>;
  useMetadata(kind: AnyKind, scope?: StoreScope): StoreUse<KubeObject>;
  /** Every store that runs now. */
  running(): readonly Store<KubeObject>[];
}

interface Running<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly stop: AbortController;
  users: number;
}

function keyOf(kind: AnyKind, scope: StoreScope, form: "full" | "metadata"): string {
  const { namespace = "", labelSelector = "", fieldSelector = "" } = scope;
  return [form, kind.group, kind.kind, namespace, labelSelector, fieldSelector].join("|");
}

/** The names of what may serve a kind: its definition, or the aggregated API of its group and version. */
function servers(kind: AnyKind): readonly string[] {
  return [`${kind.plural}.${kind.group}`, `${kind.version}.${kind.group}`];
}

export function openStores(options: StoresOptions): Stores {
  const { client, signal, world = systemWorld, onError = () => {} } = options;
  const running = new Map<string, Running<KubeObject>>();
  let watchesDefinitions = false;

  /**
   * Asks again for a kind when what serves it came, changed or went. Whatever its store thinks: the API server refuses a kind
   * whose storage is starting, and ends the watches of one that goes again and again before it says so.
   */
  const nudge = (server: string): void => {
    for (const { informer } of running.values()) {
      if (servers(informer.store.kind).includes(server)) informer.nudge();
    }
  };

  const watchDefinitions = (): void => {
    if (watchesDefinitions) return;
    watchesDefinitions = true;
    for (const kind of [CustomResourceDefinition, APIService]) {
      const { store } = registry.useMetadata(kind);
      store.subscribe(({ object }) => nudge(object.metadata.name));
    }
  };

  const start = <T extends KubeObject>(kind: AnyKind, made: Informer<T>): Running<T> => {
    const stop = new AbortController();
    made.store.onState((state) => {
      if (state.is === "unserved") watchDefinitions();
    });
    made.run(AbortSignal.any([signal, stop.signal])).catch((error: unknown) => onError(kind, error));
    return { informer: made, stop, users: 0 };
  };

  /** The running store of the key. Keys hold the kind, and a kind has one type of object: the overload states it. */
  function shared<T extends KubeObject>(key: string, kind: Kind<T>, make: () => Informer<T>): StoreUse<T>;
  function shared(key: string, kind: AnyKind, make: () => Informer<KubeObject>): StoreUse<KubeObject> {
    const entry = running.get(key) ?? start(kind, make());
    running.set(key, entry);
    entry.users += 1;
    let released = false;
    return {
      store: entry.informer.store,
      release() {
        if (released) return;
        released = true;
        entry.users -= 1;
        if (entry.users > 0) return;
        running.delete(key);
        entry.stop.abort();
      },
    };
  }

  const common = (kind: AnyKind) => ({ client, world, onError: (error: unknown) => onError(kind, error) });

  const registry: Stores = {
    use: (kind, scope = {}) =>
      shared(keyOf(kind, scope, "full"), kind, () =>
        informer({
          ...common(kind),
          ...scope,
          kind,
          ...(options.trim === undefined ? {} : { trim: options.trim }),
        }),
      ),
    useMetadata: (kind, scope = {}) =>
      shared(keyOf(kind, scope, "metadata"), kind, () => metadataInformer({ ...common(kind), ...scope, kind })),
    running: () => [...running.values()].map((entry) => entry.informer.store),
  };
  return registry;
}

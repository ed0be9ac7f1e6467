/**
 * A source at work: its stores are opened when somebody asks for it first, shared by all who ask, and closed when nobody
 * has asked for a while.
 */
import type { KubeObject } from "../../../kube/object.ts";
import type { Store } from "../../../kube/store.ts";
import type { Stores, StoreUse } from "../../../kube/stores.ts";
import type { World } from "../../../kube/world.ts";
import { newest } from "../../view/journal.ts";
import type { OptionItem, Source } from "./sources.ts";

export interface OpenSource {
  readonly source: Source;
  /** Whether its objects are known. Kinds that nobody serves have none. */
  readonly ready: boolean;
  /** Of its newest change. */
  readonly version: string;
  /** Sorted by value. */
  items(namespace: string | undefined): readonly OptionItem[];
  /** Resolves when it is ready. */
  settled(signal: AbortSignal): Promise<void>;
  /** Calls `handler` when something behind it changed. Holds it open until the function given back is called. */
  follow(handler: () => void): () => void;
}

export interface OpenSources {
  readonly sources: readonly Source[];
  open(source: Source): OpenSource;
}

interface Running extends OpenSource {
  lastAsked: number;
  readonly followers: Set<() => void>;
  close(): void;
}

/** Milliseconds after which a source that nobody asks for is closed. */
const idle = 600_000;

const known = ({ state }: Store<KubeObject>): boolean => state.is === "synced" || state.is === "unserved";

export function openSources(
  sources: readonly Source[],
  stores: Stores,
  world: World,
  signal: AbortSignal,
): OpenSources {
  const running = new Map<string, Running>();

  const sweep = (): void => {
    for (const [name, one] of running) {
      if (one.followers.size > 0 || world.monotonic() - one.lastAsked < idle) continue;
      running.delete(name);
      one.close();
    }
  };
  void (async () => {
    while (!signal.aborted) {
      await world.sleep(idle / 2, signal).catch(() => undefined); // ended: the loop sees it
      sweep();
    }
  })();

  return {
    sources,
    open(source) {
      const one = running.get(source.name) ?? start(source, stores);
      running.set(source.name, one);
      one.lastAsked = world.monotonic();
      return one;
    },
  };
}

function start(source: Source, stores: Stores): Running {
  const uses: readonly StoreUse<KubeObject>[] = source.uses.map(({ kind, scope }) => stores.use(kind, scope));
  const opened = uses.map(({ store }) => store);
  const followers = new Set<() => void>();
  let changed = "0";
  const tell = (): void => {
    for (const follower of followers) follower();
  };
  const ends = opened.flatMap((store) => [
    store.subscribe(({ type, object }) => {
      const version = type === "deleted" ? store.resourceVersion : object.metadata.resourceVersion;
      changed = newest(version ?? "0", changed);
      if (known(store)) tell();
    }),
    // Came, or went, as a whole.
    store.onState(() => {
      if (!known(store)) return;
      changed = newest(store.resourceVersion ?? "0", changed);
      tell();
    }),
  ]);
  return {
    source,
    lastAsked: 0,
    followers,
    get ready() {
      return opened.every(known);
    },
    get version() {
      return changed;
    },
    items(namespace) {
      if (!source.global && namespace === undefined) return [];
      const lists = opened.map((store) => store.list(source.global ? undefined : namespace));
      return [...source.items(...lists)].sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
    },
    async settled(signal) {
      await Promise.all(opened.map((store) => store.ready(signal)));
    },
    follow(handler) {
      followers.add(handler);
      return () => followers.delete(handler);
    },
    close() {
      for (const end of ends) end();
      for (const use of uses) use.release();
    },
  };
}

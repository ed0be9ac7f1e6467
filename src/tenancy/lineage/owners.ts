/**
 * Metadata of whatever owns something: a store for each kind that is met, opened when it is met first. Nothing is read one
 * by one, so that an owner that comes later is an event and not a failure.
 */
import { kindByGroupKind } from "../../contracts/index.ts";
import type { Client } from "../../kube/client.ts";
import { kindsOfVersion } from "../../kube/discovery.ts";
import { type AnyKind, groupOf, type KubeObject, type OwnerReference } from "../../kube/object.ts";
import type { Change, Store } from "../../kube/store.ts";
import type { Stores, StoreUse } from "../../kube/stores.ts";
import { backoff, type World } from "../../kube/world.ts";
import type { Found } from "./trace.ts";

export interface OwnerStoresOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  readonly signal: AbortSignal;
  /** What was `pending` on this key can be found now. */
  readonly onReady: (key: string) => void;
  readonly onChange: (change: Change<KubeObject>) => void;
  readonly onError: (what: string, error: unknown) => void;
}

export interface OwnerStores {
  /** The owner of an object in `namespace`: the very one that the reference means, not another of its name. */
  find(
    reference: Pick<OwnerReference, "apiVersion" | "kind" | "name"> & { readonly uid?: string },
    namespace: string,
  ): Found;
  /** Every owner that is itself owned by this uid. */
  ownedBy(uid: string): readonly KubeObject[];
  close(): void;
}

export function ownerStores(options: OwnerStoresOptions): OwnerStores {
  const { client, stores, world, signal, onReady, onChange, onError } = options;
  const opened = new Map<string, StoreUse<KubeObject> | "discovering">();

  function open(key: string, kind: AnyKind): void {
    const use = stores.useMetadata(kind);
    opened.set(key, use);
    use.store.onState(() => {
      if (isReadable(use.store)) onReady(key);
    });
    use.store.subscribe(onChange);
    if (isReadable(use.store)) onReady(key);
  }

  /** Asks the API server for the name under which it serves a kind that no contract knows, until it says. */
  async function discover(key: string, apiVersion: string, kind: string): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        const found = await servedKind(client, apiVersion, kind, signal);
        if (found !== undefined) return open(key, found);
      } catch (error) {
        if (!signal.aborted) onError(`discovery of ${apiVersion} ${kind}`, error);
      }
      await world.sleep(backoff(failures, 1_000, 300_000, world.random), signal).catch(() => undefined);
    }
  }

  return {
    find({ apiVersion, kind, name, uid }, namespace) {
      const key = `${groupOf(apiVersion)}/${kind}`;
      if (!opened.has(key)) {
        const known = kindByGroupKind(groupOf(apiVersion), kind);
        if (known !== undefined) open(key, known);
        else {
          opened.set(key, "discovering");
          void discover(key, apiVersion, kind);
        }
      }
      const use = opened.get(key);
      if (use === undefined || use === "discovering" || !isReadable(use.store)) return { is: "pending", on: key };
      const object = use.store.get(name, use.store.kind.namespaced ? namespace : undefined);
      if (object === undefined || (uid !== undefined && object.metadata.uid !== uid)) return { is: "absent" };
      return { is: "object", object };
    },
    ownedBy: (uid) =>
      [...opened.values()].flatMap((use) =>
        use === "discovering" || !isReadable(use.store) ? [] : use.store.ownedBy(uid),
      ),
    close() {
      for (const use of opened.values()) if (use !== "discovering") use.release();
    },
  };
}

function isReadable({ state }: Store<KubeObject>): boolean {
  return state.is === "synced" || state.is === "unserved";
}

/** The kind as discovery lists it; undefined when the group and version has no such kind. */
async function servedKind(
  client: Client,
  apiVersion: string,
  kind: string,
  signal: AbortSignal,
): Promise<AnyKind | undefined> {
  const group = groupOf(apiVersion);
  const version = group === "" ? apiVersion : apiVersion.slice(group.length + 1);
  const kinds = await kindsOfVersion((path) => client.raw("GET", path, undefined, { signal }), group, version);
  return kinds.find((one) => one.kind === kind);
}

/**
 * The controller's view: stores over all namespaces. Objects with our mark are held whole, all others as metadata, Secrets
 * never; contents that are needed all the same are fetched once per version.
 */
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { type AnyKind, type Kind, type KubeObject, keyOf } from "../kube/object.ts";
import type { Store } from "../kube/store.ts";
import type { Stores } from "../kube/stores.ts";
import { OWNER_ANNOTATION } from "./owner.ts";
import { refIn, selectorOf, sortedByName, type View } from "./view.ts";

const KEPT_ANNOTATIONS = /^internal\.cozystack\.io\//;

/**
 * What stores keep of an object: all of it when it carries our mark or `whole` says so, else what identifies it.
 * To be given to `openStores`.
 */
export function trimmer(whole: (object: KubeObject) => boolean): <T extends KubeObject>(object: T) => T {
  function trim<T extends KubeObject>(object: T): T;
  // What is dropped is optional in every type that we read from these stores: the overload states it, here and only here.
  function trim(object: KubeObject): object {
    if (whole(object) || object.metadata.annotations?.[OWNER_ANNOTATION] !== undefined) return object;
    const { annotations = {}, ...metadata } = object.metadata;
    const kept = Object.entries(annotations).filter(([key]) => KEPT_ANNOTATIONS.test(key));
    return {
      apiVersion: object.apiVersion,
      kind: object.kind,
      metadata: { ...metadata, ...(kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) }) },
      [TRIMMED]: true,
    };
  }
  return trim;
}

const TRIMMED = Symbol("trimmed");

function isTrimmed(object: KubeObject): boolean {
  return TRIMMED in object;
}

/** Kinds of which only metadata is watched. */
function isConfidential(kind: AnyKind): boolean {
  return kind.group === "" && kind.kind === "Secret";
}

export interface StoreViewOptions {
  readonly client: Client;
  readonly stores: Stores;
  /** Called once per kind, when its store is first used. */
  readonly onUse: (store: Store<KubeObject>) => void;
  /** Ends waiting for stores. */
  readonly signal: AbortSignal;
  /** Milliseconds to wait for a kind's first list before the pass is put off. Default 15,000. */
  readonly patience?: number;
}

/** A view shared by all instances. */
export interface StoreView extends View {
  /** The same view, whose writes are those of one instance. */
  as(writer: string): View;
  /** The instance whose write is being taken in at this moment: what it wrote is no news to it. */
  readonly writer: string | undefined;
}

/** A view over stores that start when a kind is first looked at. */
export function storeView(options: StoreViewOptions): StoreView {
  let writer: string | undefined;
  const { client, stores } = options;
  const used = new Map<string, Store<KubeObject>>();
  /** Contents that stores do not hold, at the version at which they were read or written. */
  const contents = new Map<string, KubeObject>();

  const storeOf = (kind: AnyKind): Store<KubeObject> => {
    const key = `${kind.group}/${kind.kind}`;
    const known = used.get(key);
    if (known !== undefined) return known;
    const plain: Kind<KubeObject> = kind;
    const { store } = isConfidential(kind) ? stores.useMetadata(kind) : stores.use(plain);
    used.set(key, store);
    options.onUse(store);
    return store;
  };

  const ready = async (kind: AnyKind): Promise<Store<KubeObject>> => {
    const store = storeOf(kind);
    if (store.state.is !== "synced" && store.state.is !== "unserved") {
      await store.ready(AbortSignal.any([options.signal, AbortSignal.timeout(options.patience ?? 15_000)]));
    }
    return store;
  };

  const fetched = async (kind: AnyKind, held: KubeObject): Promise<KubeObject | undefined> => {
    const { name, namespace, resourceVersion } = held.metadata;
    const key = keyOf(refIn(kind, name, namespace));
    const known = contents.get(key);
    if (known?.metadata.resourceVersion === resourceVersion && known?.metadata.uid === held.metadata.uid) return known;
    return fresh(kind, name, namespace);
  };

  const fresh: View["fresh"] = async (kind, name, namespace) => {
    const key = keyOf(refIn(kind, name, namespace));
    try {
      const object = await client.get(kind, name, namespace);
      if (object === undefined) contents.delete(key);
      else if (isConfidential(kind)) contents.set(key, object);
      return object;
    } catch (error) {
      if (isApiError(error, "Unserved")) return undefined;
      throw error;
    }
  };

  const isWhole = (kind: AnyKind, object: KubeObject): boolean => !isConfidential(kind) && !isTrimmed(object);

  const view: View = {
    fresh,
    async serves(kind) {
      return (await ready(kind)).state.is !== "unserved";
    },
    async look(kind, name, namespace) {
      const object = (await ready(kind)).get(name, kind.namespaced ? namespace : undefined);
      if (object === undefined) return { is: "absent" };
      return isWhole(kind, object) ? { is: "full", object } : { is: "metadata", object };
    },
    async read(kind, name, namespace) {
      const object = (await ready(kind)).get(name, kind.namespaced ? namespace : undefined);
      if (object === undefined) {
        contents.delete(keyOf(refIn(kind, name, namespace)));
        return undefined;
      }
      return isWhole(kind, object) ? object : fetched(kind, object);
    },
    async list(kind, labels, namespace) {
      const store = await ready(kind);
      const held = store
        .list(kind.namespaced ? namespace : undefined)
        .filter(({ metadata }) => Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value));
      if (held.every((object) => isWhole(kind, object))) return sortedByName(held);
      const labelSelector = selectorOf(labels);
      const scope = {
        ...(namespace === undefined || !kind.namespaced ? {} : { namespace }),
        ...(labelSelector === "" ? {} : { labelSelector }),
      };
      return sortedByName((await client.list(kind, scope)).items);
    },
    wrote(kind, object) {
      const { managedFields, ...metadata } = object.metadata;
      storeOf(kind).assume(managedFields === undefined ? object : { ...object, metadata });
      if (isConfidential(kind))
        contents.set(keyOf(refIn(kind, object.metadata.name, object.metadata.namespace)), object);
    },
  };
  return {
    ...view,
    get writer() {
      return writer;
    },
    as: (instance) => ({
      ...view,
      wrote(kind, object) {
        writer = instance;
        view.wrote(kind, object);
        writer = undefined;
      },
    }),
  };
}

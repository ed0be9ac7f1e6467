/**
 * What the rest of the program may ask of a Kubernetes API server. `connect` (connect.ts) gives the one
 * implementation; tests use it too, against the embedded engine.
 *
 * Every call rejects with an `ApiError` (errors.ts) unless said otherwise. A read that failed is never "absent":
 * only an answer of the API server that the object does not exist gives `undefined`.
 */
import type { AnyKind, Kind, KubeObject, ObjectMeta, UnknownObject } from "./object.ts";
import type { RequestCounters } from "./request.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ListOptions extends CallOptions {
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects per request, default 500. Pages are read to the end whatever the size. */
  readonly pageSize?: number;
  /** `"0"` allows an answer from the watch cache; absent asks for a consistent read. */
  readonly resourceVersion?: string;
  /** Keep `metadata.managedFields`. Default false: nobody but adoption reads them, and they are a third of an object. */
  readonly managedFields?: boolean;
}

export interface CollectOptions extends ListOptions {
  /** Ask for metadata alone. Default false. */
  readonly metadataOnly?: boolean;
}

export interface ObjectList<T> {
  readonly items: readonly T[];
  /** Where a watch that continues this list starts. */
  readonly resourceVersion: string;
}

export interface WatchOptions extends CallOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Resume after this version; absent begins with the initial events, ended by a `synced` event. */
  readonly resourceVersion?: string;
}

/** `added`, `modified`, `deleted` as the server says; `synced` once when the initial events have all arrived; `bookmark` moves the resume point. */
export type WatchEvent<T> =
  | { readonly type: "added" | "modified" | "deleted"; readonly object: T }
  | { readonly type: "bookmark"; readonly resourceVersion: string }
  | { readonly type: "synced"; readonly resourceVersion: string };

export interface WriteOptions extends CallOptions {
  /** Nothing is stored; the answer is what would have been. */
  readonly dryRun?: boolean;
  readonly subresource?: "status" | "scale";
  /**
   * How the server treats unknown and duplicate fields. Default `Strict`; for an apply `Ignore`, whose unknown fields the
   * server refuses in any case.
   */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
  /** Default: the client's own field manager. */
  readonly fieldManager?: string;
}

export interface ApplyOptions extends WriteOptions {
  /** Take fields that other managers hold. Default true: what we render is ours. */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  /** Refuse (409) unless the live object is this one. */
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** Default `Background`. */
  readonly propagation?: "Foreground" | "Background" | "Orphan";
  readonly gracePeriodSeconds?: number;
}

export type JsonPatch = readonly (
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
)[];

/**
 * Who asks: another user, impersonated over our own connections, or the holder of a token. A token's client has
 * connections of its own, without our certificate, and must be closed.
 */
export type Identity = { readonly user: string; readonly groups?: readonly string[] } | { readonly token: string };

/** The metadata of an object, as metadata-only reads and watches give it. */
export interface ObjectMetadata extends KubeObject {
  readonly metadata: ObjectMeta;
}

export interface Client {
  /** The live object, or undefined when the server says that it does not exist. */
  get<T extends KubeObject>(
    kind: Kind<T>,
    name: string,
    namespace?: string,
    options?: CallOptions,
  ): Promise<T | undefined>;
  getMetadata(
    kind: Kind<KubeObject>,
    name: string,
    namespace?: string,
    options?: CallOptions,
  ): Promise<ObjectMetadata | undefined>;
  /** The whole list, read page by page. A list that expires half way (410) is begun anew. */
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /**
   * The same list a page at a time, for who must not hold all of it. Rejects with `Expired` (410) where it took so long that the
   * version of the first page is gone.
   */
  pages<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): AsyncIterable<ObjectList<T>>;
  listMetadata(kind: Kind<KubeObject>, options?: ListOptions): Promise<ObjectList<ObjectMetadata>>;
  /**
   * What `take` makes of each object of a list, without those of which it makes undefined. No more than a page of objects is held at a
   * time, so that a long list costs only what is kept of it. When the list is begun anew, `take` sees objects again.
   */
  collect<R>(
    kind: AnyKind,
    take: (object: UnknownObject) => R | undefined,
    options?: CollectOptions,
  ): Promise<readonly R[]>;
  /**
   * One watch connection. Ends when the server closes it, rejects with `Expired` (410) when the resume point is gone.
   * It does not reconnect by itself: the store (store.ts) does.
   */
  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  watchMetadata(kind: Kind<KubeObject>, options?: WatchOptions): AsyncIterable<WatchEvent<ObjectMetadata>>;
  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  replace<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  /** Server-side apply. `object` is exactly what we want to own; no managedFields, no status unless the subresource is asked for. */
  apply<T extends KubeObject>(kind: Kind<T>, object: T, options?: ApplyOptions): Promise<T>;
  jsonPatch<T extends KubeObject>(
    kind: Kind<T>,
    name: string,
    namespace: string | undefined,
    patch: JsonPatch,
    options?: WriteOptions,
  ): Promise<T>;
  mergePatch<T extends KubeObject>(
    kind: Kind<T>,
    name: string,
    namespace: string | undefined,
    patch: object,
    options?: WriteOptions,
  ): Promise<T>;
  /** False when there was nothing to delete. */
  delete(kind: Kind<KubeObject>, name: string, namespace?: string, options?: DeleteOptions): Promise<boolean>;
  /** A path outside the resource model (`/version`, `/apis`); parsed JSON, or text when the answer is not JSON. */
  raw(method: string, path: string, body?: unknown, options?: CallOptions): Promise<unknown>;
  /** The same API server seen with someone else's permissions. */
  as(identity: Identity): Client;
  /** What this client, and those it impersonates with, have sent so far. */
  readonly counters: RequestCounters;
  /** The field manager of its writes. */
  readonly fieldManager: string;
  /** Ends every connection. */
  close(): Promise<void>;
}

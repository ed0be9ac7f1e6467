/**
 * The shape every Kubernetes object has, and how objects and kinds are named.
 */

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: "Apply" | "Update";
  readonly apiVersion?: string;
  readonly time?: string;
  readonly subresource?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: unknown;
}

export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Any object of the Kubernetes API. Typed kinds add `spec`, `status`, `data` and so on. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** An object whose other fields are not known to the program. */
export interface UnknownObject extends KubeObject {
  readonly [field: string]: unknown;
}

declare const objectType: unique symbol;

/**
 * A kind as the API serves it; `T` is the type of its objects. `group` is `""` for the core group.
 * Two kinds are the same kind when group and kind are equal; the version is how we read and write it.
 */
export interface Kind<T extends KubeObject = UnknownObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly [objectType]?: T;
}

/** A kind whose objects the caller handles without knowing their type. */
export type AnyKind = Kind<KubeObject>;

/** Where an object is. `uid` is present when one very object is meant rather than whatever has that name. */
export interface ObjectRef {
  readonly group: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(kind: Pick<AnyKind, "group" | "version">): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}

/** The group of an `apiVersion`; `""` for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** The reference to an object that was read or rendered. */
export function refOf(object: KubeObject, namespace: string | undefined = object.metadata.namespace): ObjectRef {
  return {
    group: groupOf(object.apiVersion),
    kind: object.kind,
    name: object.metadata.name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(object.metadata.uid === undefined ? {} : { uid: object.metadata.uid }),
  };
}

/**
 * A reference as one compact string, `group/kind/namespace/name`, with `@uid` appended when it is known.
 * Cluster-scoped objects have an empty namespace. Parsed back by {@link parseRef}.
 */
export function formatRef(ref: ObjectRef): string {
  const base = `${ref.group}/${ref.kind}/${ref.namespace ?? ""}/${ref.name}`;
  return ref.uid === undefined ? base : `${base}@${ref.uid}`;
}

/** The inverse of {@link formatRef}; undefined when the text is not of that form. */
export function parseRef(text: string): ObjectRef | undefined {
  const match = /^([^/]*)\/([^/]+)\/([^/]*)\/([^/@]+)(?:@(.+))?$/.exec(text);
  if (match === null) return undefined;
  const [, group = "", kind = "", namespace = "", name = "", uid] = match;
  return {
    group,
    kind,
    name,
    ...(namespace === "" ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
  };
}

/** The identity of an object within the cluster, without its uid: a map key. */
export function keyOf(ref: ObjectRef): string {
  return `${ref.group}/${ref.kind}/${ref.namespace ?? ""}/${ref.name}`;
}

/** The other way round. Only for what {@link keyOf} made. */
export function refOfKey(key: string): ObjectRef {
  const [group = "", kind = "", namespace = "", name = ""] = key.split("/");
  return { group, kind, name, ...(namespace === "" ? {} : { namespace }) };
}

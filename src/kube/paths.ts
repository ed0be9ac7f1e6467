/**
 * Where objects are in the API: URL paths of kinds and of single objects.
 */
import { ApiError } from "./errors.ts";
import { type AnyKind, apiVersionOf } from "./object.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function segment(kind: AnyKind, what: string, value: string): string {
  // An empty name would turn one object's path into that of all; dots and slashes would leave the path.
  if (value === "" || value === "." || value === ".." || /[/%]/.test(value)) {
    throw new ApiError("BadRequest", `${kind.kind}: ${JSON.stringify(value)} cannot be a ${what}`, {
      ref: { group: kind.group, kind: kind.kind },
    });
  }
  return encodeURIComponent(value);
}

/** The path of all objects of a kind, in one namespace or in all. */
export function collectionPath(kind: AnyKind, namespace?: string): string {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${apiVersionOf(kind)}`;
  const within = namespace === undefined ? "" : `/namespaces/${segment(kind, "namespace", namespace)}`;
  return `${root}${kind.namespaced ? within : ""}/${kind.plural}`;
}

/**
 * The path of one object. A namespace given for a cluster-scoped kind is ignored.
 * @throws ApiError `BadRequest` without a namespace for a namespaced kind, before anything is sent.
 */
export function objectPath(kind: AnyKind, name: string, namespace?: string, subresource?: string): string {
  return `${collectionPath(kind, namespaceFor(kind, namespace, name))}/${segment(kind, "name", name)}${
    subresource === undefined ? "" : `/${subresource}`
  }`;
}

/** The namespace an object of the kind must have: undefined for cluster-scoped kinds, an error when it is missing. */
export function namespaceFor(kind: AnyKind, namespace: string | undefined, name: string): string | undefined {
  if (!kind.namespaced) return undefined;
  if (namespace !== undefined) return namespace;
  throw new ApiError("BadRequest", `${kind.kind} ${name} needs a namespace`, {
    ref: { group: kind.group, kind: kind.kind, name },
  });
}

/** `path` with the defined parameters of `query`. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  );
  return given.length === 0 ? path : `${path}?${given.join("&")}`;
}

/**
 * Kinds as values that can be called: `Service("db", { spec })` is a typed object with `apiVersion` and `kind` filled in,
 * and `Service` itself is what the client, the stores and references take.
 */
import { apiVersionOf, type Kind, type KubeObject, type ObjectMeta } from "./object.ts";

/** What identifies a kind in the API; see {@link Kind}. */
export interface KindNames {
  /** `""` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Shorthands for the metadata that manifests set most. `metadata` holds the rest; a shorthand wins over it. */
export interface BodyMetadata {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly metadata?: Partial<Omit<ObjectMeta, "name">>;
}

/** Everything of `T` but its kind and name. */
export type Body<T extends KubeObject> = Omit<T, "apiVersion" | "kind" | "metadata"> & BodyMetadata;

type BodyArgument<T extends KubeObject> = object extends Body<T> ? [body?: Body<T>] : [body: Body<T>];

/** A kind that makes its objects. The body may be left out where every field of it is optional. */
export interface KindConstructor<T extends KubeObject> extends Kind<T> {
  (name: string, ...body: BodyArgument<T>): T;
}

/**
 * Defines a kind: `export const Service = defineKind<ServiceObject>({ group: "", version: "v1", ... })`.
 * `T` is a promise about the API's schema; nothing checks it at run time.
 */
export function defineKind<T extends KubeObject>(names: KindNames): KindConstructor<T>;
// The compiler cannot see that a generic T is its body plus its kind and name: the overload states it, here and only here.
export function defineKind(names: KindNames): object {
  const apiVersion = apiVersionOf(names);
  const make = (name: string, body: Body<KubeObject> = {}): KubeObject => {
    const { metadata, namespace, labels, annotations, ...fields } = body;
    return {
      apiVersion,
      kind: names.kind,
      metadata: {
        name,
        ...metadata,
        ...(namespace === undefined ? {} : { namespace }),
        ...(labels === undefined ? {} : { labels }),
        ...(annotations === undefined ? {} : { annotations }),
      },
      ...fields,
    };
  };
  return Object.freeze(
    Object.assign(make, {
      group: names.group,
      version: names.version,
      kind: names.kind,
      plural: names.plural,
      namespaced: names.namespaced,
    }),
  );
}

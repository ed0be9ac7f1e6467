/**
 * Schemas of fields that many kinds share. They say what we write and read, not everything an operator accepts.
 */
import { type Static, type TProperties, type TSchema, Type } from "typebox";

/** What callers pass and get: the static type of a schema, read-only to the bottom. */
export type ReadonlyStatic<S extends TSchema> = DeepReadonly<Static<S>>;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** An object of which every field may be absent. */
export function some<P extends TProperties>(properties: P) {
  return Type.Partial(Type.Object(properties));
}

/** A choice of texts. */
export function oneOf<V extends string>(...values: readonly V[]) {
  return Type.Unsafe<V>({ type: "string", enum: values });
}

/** A Kubernetes quantity, or another value that may be a number or a text, such as a port. */
export function intOrString() {
  return Type.Unsafe<number | string>({
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "string" }],
  });
}

/** An object whose inside the API server does not check. `T` is a promise about it. */
export function open<T extends object = Record<string, unknown>>() {
  return Type.Unsafe<T>({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
}

/** Any JSON value. */
export function anything() {
  return Type.Unsafe<unknown>({ "x-kubernetes-preserve-unknown-fields": true });
}

export function text() {
  return Type.String();
}

export function texts() {
  return Type.Array(Type.String());
}

/** RFC 3339. */
export function time() {
  return Type.String({ format: "date-time" });
}

export function int32() {
  return Type.Integer({ format: "int32" });
}

export function int64() {
  return Type.Integer({ format: "int64" });
}

export function textMap() {
  return Type.Record(Type.String(), Type.String());
}

export function quantityMap() {
  return Type.Record(Type.String(), intOrString());
}

/** `limits` and `requests`. */
export function resourceRequirements() {
  return some({ limits: quantityMap(), requests: quantityMap() });
}

export function labelSelector() {
  return some({
    matchLabels: textMap(),
    matchExpressions: Type.Array(
      Type.Object({
        key: text(),
        operator: oneOf("In", "NotIn", "Exists", "DoesNotExist"),
        values: Type.Optional(texts()),
      }),
    ),
  });
}

/** Names one object of the same namespace. */
export function localRef() {
  return Type.Object({ name: text() });
}

/** Names one key of a Secret or ConfigMap of the same namespace. */
export function keyRef() {
  return Type.Object({ name: text(), key: text() });
}

export function templateMetadata() {
  return some({ name: text(), labels: textMap(), annotations: textMap() });
}

/** A pod's affinity. */
export function affinity() {
  return Type.Unsafe<Affinity>({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
}

interface Affinity {
  readonly nodeAffinity?: object;
  readonly podAffinity?: object;
  readonly podAntiAffinity?: object;
}

export function topologySpreadConstraints() {
  return Type.Array(
    Type.Object({
      maxSkew: int32(),
      topologyKey: text(),
      whenUnsatisfiable: text(),
      labelSelector: Type.Optional(labelSelector()),
      minDomains: Type.Optional(int32()),
      matchLabelKeys: Type.Optional(texts()),
      nodeAffinityPolicy: Type.Optional(text()),
      nodeTaintsPolicy: Type.Optional(text()),
    }),
  );
}

/** The spec of a PersistentVolumeClaim inside another kind. */
export function claimSpec() {
  return some({
    accessModes: Type.Array(oneOf("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")),
    resources: resourceRequirements(),
    storageClassName: text(),
    volumeMode: oneOf("Filesystem", "Block"),
    volumeName: text(),
  });
}

const CONDITION_TYPE =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

/** Conditions as Kubernetes' own type has them. `keyed`: at most one of a type, and server-side apply merges them by it. */
export function conditions(keyed = false) {
  const condition = Type.Object({
    type: Type.String({ maxLength: 316, pattern: CONDITION_TYPE }),
    status: oneOf("True", "False", "Unknown"),
    reason: Type.String({ minLength: 1, maxLength: 1024, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" }),
    message: Type.String({ maxLength: 32768 }),
    lastTransitionTime: time(),
    observedGeneration: Type.Optional(Type.Integer({ format: "int64", minimum: 0 })),
  });
  return Type.Array(
    condition,
    keyed ? { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] } : {},
  );
}

/** Conditions of operators that require only type and status. */
export function looseConditions() {
  return Type.Array(
    Type.Object({
      type: text(),
      status: oneOf("True", "False", "Unknown"),
      reason: Type.Optional(text()),
      message: Type.Optional(text()),
      lastTransitionTime: Type.Optional(Type.Unsafe<string>({ type: "string", format: "date-time", nullable: true })),
    }),
  );
}

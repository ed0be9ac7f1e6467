/**
 * From a manifest to the body that is written: the namespace, the owner annotation, and Secrets in the form in which the
 * API server stores them.
 */
import { isRecord } from "../kube/json.ts";
import type { AnyKind, KubeObject, ObjectRef } from "../kube/object.ts";
import { OWNER_ANNOTATION, ownerToken } from "./owner.ts";

/** Recorded on a Secret with generated values: the rotation request that made them. */
export const ROTATED_ANNOTATION = "internal.cozystack.io/rotated";

export interface BodyOptions {
  /** Uid of the application that owns the object; absent for objects that stay another's. */
  readonly ownerUid?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A manifest's object in its place: namespace filled in for namespaced kinds, removed for others. */
export function placed(object: KubeObject, kind: AnyKind, namespace: string): KubeObject {
  const { namespace: own, ...metadata } = object.metadata;
  return { ...object, metadata: kind.namespaced ? { ...metadata, namespace: own ?? namespace } : metadata };
}

/** The body to write for a placed object. */
export function bodyOf(object: KubeObject, ref: ObjectRef, options: BodyOptions): KubeObject {
  const owner = options.ownerUid === undefined ? {} : { [OWNER_ANNOTATION]: ownerToken(options.ownerUid, ref) };
  const annotations = { ...object.metadata.annotations, ...options.annotations, ...owner };
  const body = {
    ...object,
    metadata: { ...object.metadata, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
  };
  return ref.group === "" && ref.kind === "Secret" ? withData(body) : body;
}

/**
 * A Secret whose `stringData` has become `data`, and whose type is said: the fields that we hold must be those that we
 * wrote, and of a create all are ours that are not left to the API server.
 */
function withData(secret: KubeObject): KubeObject {
  const typed = { type: "Opaque", ...secret };
  const { stringData, data, ...rest }: Readonly<Record<string, unknown>> & KubeObject = { ...typed };
  if (!isRecord(stringData)) return typed;
  const encoded = Object.entries(stringData).map(([key, value]): readonly [string, string] => [
    key,
    Buffer.from(String(value), "utf8").toString("base64"),
  ]);
  const all = { ...(isRecord(data) ? data : {}), ...Object.fromEntries(encoded) };
  return Object.assign(rest, { data: all });
}

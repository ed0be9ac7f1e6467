/**
 * Whose object is it (api-machinery rule 5): an annotation that only fits this object of this instance, and our
 * manager in managedFields. Labels prove nothing, operators copy them and tenants set them.
 */
import { hash } from "node:crypto";
import { groupOf, type KubeObject, type ObjectRef } from "../kube/object.ts";
import { writtenBy } from "./owned-fields.ts";

/** On every object that an application's instance owns. */
export const OWNER_ANNOTATION = "internal.cozystack.io/owner";
/** On what a deleted application left behind for the next one of its name. */
export const RETAINED_ANNOTATION = "internal.cozystack.io/retained";

function token(parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27);
}

function identityOf(object: ObjectRef): readonly string[] {
  return [object.group, object.kind, object.namespace ?? "", object.name];
}

/** The annotation's value: 162 bits of a hash of the instance's uid and the object's own identity. */
export function ownerToken(instanceUid: string, object: ObjectRef): string {
  return token(["owner", instanceUid, ...identityOf(object)]);
}

/** What marks an object as kept for the next application of this kind, namespace and name. */
export function retainedToken(instance: ObjectRef, object: ObjectRef): string {
  return token(["retained", ...identityOf(instance), ...identityOf(object)]);
}

/** Who an object that exists belongs to. `unowned` says nothing about it, `foreign` belongs to another instance. */
export type Ownership = "ours" | "retained" | "unowned" | "foreign";

/** Ownership by annotation alone: enough to write to an object, never to delete it. */
export function ownershipOf(
  live: KubeObject,
  ref: ObjectRef,
  instance: ObjectRef & { readonly uid: string },
): Ownership {
  const annotations = live.metadata.annotations ?? {};
  const owner = annotations[OWNER_ANNOTATION];
  if (owner === ownerToken(instance.uid, ref)) return "ours";
  if (annotations[RETAINED_ANNOTATION] === retainedToken(instance, ref)) return "retained";
  return owner === undefined ? "unowned" : "foreign";
}

/**
 * Whether a live object, read just now with its managedFields, is proven to be this instance's: the condition for
 * deleting it.
 */
export function isProven(
  live: KubeObject,
  ref: ObjectRef,
  instance: ObjectRef & { readonly uid: string },
  manager: string,
): boolean {
  const identity = groupOf(live.apiVersion) === ref.group && live.kind === ref.kind && live.metadata.name === ref.name;
  return identity && ownershipOf(live, ref, instance) === "ours" && writtenBy(live, manager);
}

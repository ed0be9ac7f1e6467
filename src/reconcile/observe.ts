/**
 * What render wants, put in its place, and what is known of each of these objects: the input of the plan.
 */
import { Secret } from "../kube/core-kinds.ts";
import { type AnyKind, groupOf, keyOf, type ObjectRef } from "../kube/object.ts";
import type { Manifest } from "../sdk/manifest.ts";
import { bodyOf, placed } from "./body.ts";
import { digestOf } from "./digest.ts";
import type { InventoryEntry, InventoryRecord } from "./inventory-record.ts";
import type { GeneratedAnswer } from "./needs-generated.ts";
import { ownershipOf } from "./owner.ts";
import { isSecret, type Known, type Wanted } from "./plan-types.ts";
import type { ObjectProblem } from "./problem.ts";
import { type KindLookup, refIn, type View } from "./view.ts";

export interface Placed {
  readonly wanted: readonly Wanted[];
  /** Objects whose kind nobody declares or the cluster does not serve. The others go on. */
  readonly unserved: readonly ObjectProblem[];
}

/** Puts manifests into their namespace and finds what their Secrets are made of. */
export async function place(
  manifests: readonly Manifest[],
  namespace: string,
  kindOf: KindLookup,
  view: View,
  generated: ReadonlyMap<string, GeneratedAnswer>,
): Promise<Placed> {
  const wanted: Wanted[] = [];
  const unserved: ObjectProblem[] = [];
  for (const manifest of manifests) {
    const { object } = manifest;
    const kind = kindOf(groupOf(object.apiVersion), object.kind);
    if (kind === undefined)
      throw new Error(`render made a ${object.kind} of ${object.apiVersion}, a kind nobody declares`);
    const ref = refIn(kind, object.metadata.name, object.metadata.namespace ?? namespace);
    if (!(await view.serves(kind))) {
      unserved.push(unservedProblem(ref, kind));
      continue;
    }
    wanted.push(wantedFrom({ ...manifest, object: placed(object, kind, namespace) }, ref, namespace, generated));
  }
  return { wanted, unserved };
}

function unservedProblem(ref: ObjectRef, kind: AnyKind): ObjectProblem {
  return {
    object: ref,
    code: "Unserved",
    message: `the cluster does not serve ${kind.plural}.${kind.group}`,
    remedy: "Install the package that defines this kind.",
    // Its definition is watched: it needs no retries.
    transient: true,
  };
}

function wantedFrom(
  manifest: Manifest,
  ref: ObjectRef,
  namespace: string,
  generated: ReadonlyMap<string, GeneratedAnswer>,
): Wanted {
  const answer = isSecret(ref) && ref.namespace === namespace ? generated.get(ref.name) : undefined;
  if (answer === undefined) return { manifest, ref, generated: false };
  const { rotated, annotations } = answer;
  return {
    manifest,
    ref,
    generated: true,
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(rotated.size === 0 ? {} : { rotated }),
  };
}

export interface ObserveInput {
  readonly view: View;
  readonly kindOf: KindLookup;
  readonly instance: ObjectRef & { readonly uid: string };
  readonly inventory: InventoryRecord;
}

/** Looks at every wanted and every listed object. */
export async function observe(
  wanted: readonly Wanted[],
  input: ObserveInput,
): Promise<{ readonly known: (ref: ObjectRef) => Known }> {
  const found = new Map<string, Known>();
  for (const one of wanted) found.set(keyOf(one.ref), await observeWanted(one, input));
  for (const [key, entry] of input.inventory.entries) {
    if (!found.has(key)) found.set(key, await observeListed(entry, input));
  }
  return {
    known(ref) {
      const known = found.get(keyOf(ref));
      if (known === undefined) throw new Error(`${keyOf(ref)} was not observed`);
      return known;
    },
  };
}

/**
 * What is listed and no longer wanted. That it is gone, or not ours any more, is believed to the API server alone: a
 * store may have missed something, and what is dropped from the inventory is never looked for again.
 */
async function observeListed(entry: InventoryEntry, input: ObserveInput): Promise<Known> {
  const { view, kindOf, instance } = input;
  const { name, namespace, group, kind: kindName } = entry.ref;
  const kind = kindOf(group, kindName);
  if (kind === undefined) return { is: "hidden" };
  const known = await view.look(kind, name, namespace);
  const isOurs =
    (known.is === "full" || known.is === "metadata") && ownershipOf(known.object, entry.ref, instance) === "ours";
  if (isOurs) return known;
  const object = await view.fresh(kind, name, namespace);
  return object === undefined ? { is: "absent" } : { is: "full", object };
}

async function observeWanted(wanted: Wanted, input: ObserveInput): Promise<Known> {
  const { ref, manifest } = wanted;
  const { view, instance, inventory } = input;
  const kind = input.kindOf(ref.group, ref.kind) ?? Secret;
  const known = await view.look(kind, ref.name, ref.namespace);
  if (known.is === "absent" || known.is === "hidden") return known;
  const ownership = ownershipOf(known.object, ref, instance);
  const entry = inventory.entries.get(keyOf(ref));
  if (isSecret(ref) || manifest.policy === "patchExisting" || ownership !== "ours") {
    const object = await view.read(kind, ref.name, ref.namespace);
    return object === undefined ? { is: "absent" } : { is: "full", object };
  }
  if (!isChanging(wanted, entry, instance.uid)) return known;
  // Which fields the next apply takes away is known from managedFields alone.
  const object = await view.fresh(kind, ref.name, ref.namespace);
  return object === undefined ? { is: "absent" } : { is: "full", object };
}

function isChanging(wanted: Wanted, entry: InventoryEntry | undefined, uid: string): boolean {
  const { policy, object } = wanted.manifest;
  if (policy === "createOnly" || policy === "runOnce" || entry?.desired === undefined) return false;
  const annotations = wanted.annotations === undefined ? {} : { annotations: wanted.annotations };
  return digestOf(bodyOf(object, wanted.ref, { ownerUid: uid, ...annotations })) !== entry.desired;
}

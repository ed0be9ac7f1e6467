/**
 * Deleting an instance: visible, ordered, resumable at any point. It creates nothing, renders nothing, and needs no more
 * than the application object and its inventory.
 */
import { impactRulesOf } from "../contracts/index.ts";
import { isApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import { type AnyKind, type KubeObject, keyOf, type ObjectRef, refOf } from "../kube/object.ts";
import type { App } from "../sdk/app.ts";
import { waveOf } from "../sdk/manifest.ts";
import { concurrently } from "./concurrently.ts";
import { claimsOf, freeClaim, keepClaim, leftoversOf } from "./deletion-claims.ts";
import { deletionInterest, holdersOf, stageObjects } from "./deletion-order.ts";
import {
  abandon,
  type DeletionOptions,
  isLeft,
  isPatient,
  type Left,
  reportDeletion,
  withBlocker,
} from "./deletion-report.ts";
import { hasFinalizer, removeFinalizer } from "./finalizer.ts";
import { kindOfApp, type Pass, refOfApp } from "./instance.ts";
import { deleteInventory, loadInventory } from "./inventory.ts";
import type { InventoryEntry, InventoryRecord } from "./inventory-record.ts";
import { isProven, ownershipOf } from "./owner.ts";
import { ownerOf, requestAnnotations } from "./prepare.ts";
import { nameOf } from "./problem.ts";
import type { Blocker } from "./state.ts";
import { leaveBehind } from "./write.ts";

export { PATIENCE } from "./deletion-report.ts";

/** One pass over an instance that is being deleted. */
export async function passOverDeleted(app: App, object: KubeObject, options: DeletionOptions): Promise<Pass> {
  if (!hasFinalizer(object)) return { state: { is: "gone" } };
  const owner = ownerOf(app, object);
  const inventory = await loadInventory(options.view, owner, true);
  const holders = await holdersOf(refOfApp(app, object), owner.namespace, options);
  options.onInterest(deletionInterest(app, inventory.record, holders, options.apps));
  const forced = object.metadata.annotations?.[requestAnnotations.forceDelete] === "true" && isPatient(object, options);
  const left = await nextLeft(app, object, inventory.record, forced ? [] : holders, forced, options);
  const hasWaited = left.objects.every((one) => isPatient(one, options));
  if (isLeft(left) && !(forced && hasWaited)) return reportDeletion(app, object, left, options);
  const last = isLeft(left) ? await abandon(app, object, left, options) : object;
  await deleteInventory(options.client, inventory.chunks);
  await removeFinalizer(options.client, kindOfApp(app), last);
  return { state: { is: "gone" } };
}

/** Carries deletion on, phase by phase, and gives what the first unfinished phase waits for. */
async function nextLeft(
  app: App,
  object: KubeObject,
  record: InventoryRecord,
  holders: readonly KubeObject[],
  forced: boolean,
  options: DeletionOptions,
): Promise<Left> {
  const given: Left[] = [];
  for await (const left of phases(app, object, record, holders, options)) {
    if (!isLeft(left)) continue;
    // By force, every phase is begun, whatever is left of those before it.
    if (!forced) return left;
    given.push(left);
  }
  const blocker = given.flatMap((left) => left.blocker ?? [])[0];
  return { objects: given.flatMap(({ objects }) => objects), ...(blocker === undefined ? {} : { blocker }) };
}

/** Does the work of each phase when it is reached, and gives what is left of it. */
async function* phases(
  app: App,
  object: KubeObject,
  record: InventoryRecord,
  holders: readonly KubeObject[],
  options: DeletionOptions,
): AsyncGenerator<Left> {
  const { namespace, name } = record.owner;
  const self = refOfApp(app, object);
  const [holder] = holders;
  if (holder !== undefined) {
    const why = `uses ${nameOf(self)}; delete it first, or take the reference out`;
    yield { objects: holders, blocker: { object: refOf(holder), finalizers: [], why } };
  }
  for (const stage of app.deletion({ name, namespace })) {
    yield withBlocker(await deleteAll(await stageObjects(stage, options), options), options);
  }
  const retain = valueAt(object, "spec", "reclaimPolicy") === "Retain";
  const claims = await claimsOf(record.storage, namespace, options);
  if (retain) await concurrently(claims, 4, (claim) => keepClaim(claim, options));
  const kept = new Set(retain ? claims.map((claim) => keyOf(withoutUid(refOf(claim)))) : []);
  let held: KubeObject | undefined;
  for (const phase of phasesOf([...record.entries.values()])) {
    // By force alone: what runs in a namespace that does not go stays confined.
    if (held !== undefined) {
      await handOver(phase, held, record, options);
      continue;
    }
    const left = await deleteEntries(phase, retain, kept, record, options);
    held = left.objects.find(({ kind }) => kind === "Namespace");
    yield left;
  }
  const free = [...(retain ? [] : claims), ...(await leftoversOf(record.leftovers, namespace, options))];
  const left = (await concurrently(free, 4, (claim) => freeClaim(claim, options))).flatMap((one) => one ?? []);
  yield withBlocker(left, options);
}

/**
 * What runs goes first, as its kinds ask for, then what it was mounted from, then the namespaces that held it all, and what
 * confined it at the very end.
 */
function phasesOf(entries: readonly InventoryEntry[]): readonly (readonly InventoryEntry[])[] {
  const rank = ({ ref }: InventoryEntry): number => {
    if (ref.kind === "Namespace" && ref.group === "") return 4;
    const { deleted } = impactRulesOf(ref.group, ref.kind);
    if (deleted === "afterAll") return 5;
    if (waveOf({ apiVersion: ref.group, kind: ref.kind, metadata: { name: ref.name } }) === 0) return 3;
    return deleted === "first" ? 0 : deleted === "last" ? 2 : 1;
  };
  return [0, 1, 2, 3, 4, 5].map((phase) => entries.filter((entry) => rank(entry) === phase));
}

async function deleteEntries(
  entries: readonly InventoryEntry[],
  retain: boolean,
  keptKeys: ReadonlySet<string>,
  record: InventoryRecord,
  options: DeletionOptions,
): Promise<Left> {
  const unproven: Blocker[] = [];
  const left = await concurrently(entries, 4, async (entry) => {
    const keep =
      entry.policy === "keep" || (retain && (entry.generated === true || keptKeys.has(keyOf(withoutUid(entry.ref)))));
    const found = await endOf(entry, { keep, retain }, record, options);
    if (found === "unproven") {
      unproven.push({
        object: entry.ref,
        finalizers: [],
        why: "is not proven to be this application's; delete it by hand if it is not needed",
      });
      return undefined;
    }
    return found;
  });
  const objects = left.flatMap((one) => one ?? []);
  const result = await withBlocker(objects, options);
  const [first] = unproven;
  return first === undefined || result.blocker !== undefined ? result : { ...result, blocker: first };
}

/** Leaves what confines a namespace to that namespace: what is in it goes with it, the rest is collected after it. */
async function handOver(
  entries: readonly InventoryEntry[],
  namespace: KubeObject,
  record: InventoryRecord,
  { client, view, kindOf }: DeletionOptions,
): Promise<void> {
  const { name, uid = "" } = namespace.metadata;
  for (const { ref } of entries) {
    const kind = kindOf(ref.group, ref.kind);
    if (kind === undefined || kind.namespaced) continue;
    const live = await view.fresh(kind, ref.name);
    if (live === undefined || !isProven(live, ref, record.owner, client.fieldManager)) continue;
    const ownerReferences = [{ apiVersion: "v1", kind: "Namespace", name, uid }];
    const { resourceVersion } = live.metadata;
    await client.mergePatch(kind, ref.name, undefined, { metadata: { resourceVersion, ownerReferences } });
  }
}

/** Deletes, or leaves behind, one listed object; gives what of it is still there. `retain`: the application's data stays. */
async function endOf(
  entry: InventoryEntry,
  { keep, retain }: { readonly keep: boolean; readonly retain: boolean },
  record: InventoryRecord,
  options: DeletionOptions,
): Promise<KubeObject | "unproven" | undefined> {
  const { client, view, kindOf } = options;
  const { uid: _, ...ref } = entry.ref;
  const kind = kindOf(ref.group, ref.kind);
  if (kind === undefined) return "unproven";
  const seen = await view.look(kind, ref.name, ref.namespace);
  // That something is gone is believed to the API server alone: with the inventory goes all knowledge of it.
  if ((seen.is === "full" || seen.is === "metadata") && seen.object.metadata.deletionTimestamp !== undefined && !keep)
    return seen.object;
  const live = await view.fresh(kind, ref.name, ref.namespace);
  if (live === undefined) return undefined;
  const owners = [record.owner.uid, ...record.formerUids].map((uid) => ({ ...record.owner, uid }));
  if (!owners.some((owner) => isProven(live, ref, owner, client.fieldManager))) {
    // Left behind already, or made by somebody else since: none of our business.
    return ownershipOf(live, ref, record.owner) === "ours" ? "unproven" : undefined;
  }
  if (keep) {
    await leaveBehind(ref, live, { client, view, kindOf, inventory: record });
    return undefined;
  }
  if (live.metadata.deletionTimestamp !== undefined) return live;
  try {
    const doomed = retain ? await letGo(kind, live, options) : live;
    return (await deleteOne(doomed, options)) ? doomed : undefined;
  } catch (error) {
    // Changed, or gone, since it was read: the next pass looks again.
    if (isApiError(error, "Conflict", "NotFound")) return live;
    throw error;
  }
}

/** Tells the object's operator, where it is to be told, to leave the data alone. */
async function letGo(kind: AnyKind, live: KubeObject, { client }: DeletionOptions): Promise<KubeObject> {
  const annotations = impactRulesOf(kind.group, kind.kind).letGo;
  if (annotations === undefined) return live;
  const { name, namespace, uid, resourceVersion } = live.metadata;
  return client.mergePatch(kind, name, namespace, { metadata: { uid, resourceVersion, annotations } });
}

/** True while the object may still be there. */
async function deleteOne(live: KubeObject, { client, kindOf }: DeletionOptions): Promise<boolean> {
  const ref = refOf(live);
  const kind = kindOf(ref.group, ref.kind);
  if (kind === undefined) return true;
  const { uid, resourceVersion, finalizers = [] } = live.metadata;
  try {
    const existed = await client.delete(kind, ref.name, ref.namespace, {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    });
    // Without finalizers it is gone with the answer; pods and namespaces take their time all the same.
    return existed && (finalizers.length > 0 || ref.kind === "Namespace" || ref.kind === "Pod");
  } catch (error) {
    if (isApiError(error, "Conflict")) return true;
    throw error;
  }
}

async function deleteAll(objects: readonly KubeObject[], options: DeletionOptions): Promise<readonly KubeObject[]> {
  const left = await concurrently(objects, 8, async (object) => {
    if (object.metadata.deletionTimestamp !== undefined) return object;
    const { resourceVersion: _, ...metadata } = object.metadata;
    return (await deleteOne({ ...object, metadata }, options)) ? object : undefined;
  });
  return left.flatMap((one) => one ?? []);
}

function withoutUid({ uid: _, ...ref }: ObjectRef): ObjectRef {
  return ref;
}

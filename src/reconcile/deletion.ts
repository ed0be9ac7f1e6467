/**
 * Deleting an instance: visible, ordered, resumable at any point. It creates nothing, renders nothing, and needs no more
 * than the application object and its inventory.
 */
import { Namespace } from "../contracts/core.ts";
import { impactRulesOf } from "../contracts/index.ts";
import { isApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import { type KubeObject, keyOf, type ObjectRef, refOf } from "../kube/object.ts";
import type { App } from "../sdk/app.ts";
import { waveOf } from "../sdk/manifest.ts";
import { concurrently } from "./concurrently.ts";
import { claimsOf, freeClaim, keepClaim, leftoversOf } from "./deletion-claims.ts";
import { holdersOf, stageObjects } from "./deletion-order.ts";
import { hasFinalizer, removeFinalizer } from "./finalizer.ts";
import { kindOfApp, type Pass, type PassOptions, refOfApp } from "./instance.ts";
import type { Watched } from "./interests.ts";
import { deleteInventory, loadInventory } from "./inventory.ts";
import type { InventoryEntry, InventoryRecord } from "./inventory-record.ts";
import { namespaceBlocker } from "./namespace-blockers.ts";
import { isProven, ownershipOf } from "./owner.ts";
import { ownerOf, requestAnnotations } from "./prepare.ts";
import { nameOf } from "./problem.ts";
import type { Blocker } from "./state.ts";
import { statusOf } from "./status.ts";
import { writeStatus } from "./status-write.ts";
import { leaveBehind } from "./write.ts";

export interface DeletionOptions extends PassOptions {
  /** All applications there are: a tenant's deletion goes through those in it. */
  readonly apps: readonly App[];
  /** Told what a forced deletion left behind. */
  readonly onAbandoned: (instance: ObjectRef, objects: readonly ObjectRef[]) => void;
}

/** How long an object may take to go before it is called a blocker, and before the first status is written. Milliseconds. */
export const PATIENCE = 3_000;

/** What one look at the deletion found left. */
interface Left {
  readonly objects: readonly KubeObject[];
  readonly blocker?: Blocker;
}

/** One pass over an instance that is being deleted. */
export async function passOverDeleted(app: App, object: KubeObject, options: DeletionOptions): Promise<Pass> {
  if (!hasFinalizer(object)) return { state: { is: "gone" } };
  const owner = ownerOf(app, object);
  const inventory = await loadInventory(options.view, owner, true);
  const holders = await holdersOf(refOfApp(app, object), owner.namespace, options);
  options.onInterest(deletionInterest(app, inventory.record, holders, options.apps));
  const forced = object.metadata.annotations?.[requestAnnotations.forceDelete] === "true" && isPatient(object, options);
  const left = await nextLeft(app, object, inventory.record, holders, forced, options);
  const hurried =
    forced && left.objects.every((one) => one.metadata.deletionTimestamp === undefined || isPatient(one, options));
  if (left.objects.length > 0 && !hurried) return reportDeletion(app, object, left, options);
  if (left.objects.length > 0) await abandon(app, object, left, options);
  await deleteInventory(options.client, inventory.chunks);
  await removeFinalizer(options.client, kindOfApp(app), object);
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
    if (left.objects.length === 0 && left.blocker === undefined) continue;
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
  for (const phase of phasesOf([...record.entries.values()])) {
    yield deleteEntries(phase, retain, kept, record, options);
  }
  const free = [...(retain ? [] : claims), ...(await leftoversOf(record.leftovers, namespace, options))];
  const left = (await concurrently(free, 4, (claim) => freeClaim(claim, options))).flatMap((one) => one ?? []);
  yield withBlocker(left, options);
}

/** What a deletion is woken by: everything it may still wait for. */
function deletionInterest(
  app: App,
  record: InventoryRecord,
  holders: readonly KubeObject[],
  apps: readonly App[],
): Watched {
  const { namespace, name } = record.owner;
  const claims = [
    ...record.storage,
    ...record.leftovers.map(({ kind, ...rest }) => ({ ...rest, group: kind.group, kind: kind.kind })),
  ];
  const named = claims.flatMap(({ group, kind, names = [] }) =>
    names.map((one) => ({ group, kind, namespace, name: one })),
  );
  const labelled = claims.flatMap(({ group, kind, labels }) =>
    labels === undefined ? [] : [{ group, kind, namespace, labels }],
  );
  const staged = app
    .deletion({ name, namespace })
    .flatMap((stage) => apps.map(({ group, kind }) => ({ group, kind, namespace: stage.namespace, labels: {} })));
  return {
    refs: [...[...record.entries.values()].map(({ ref }) => ref), ...named, ...holders.map((holder) => refOf(holder))],
    lists: [...labelled, ...staged],
    kinds: [],
  };
}

/** What runs goes first, as its kinds ask for, then what it was mounted from, then the namespaces that held it all. */
function phasesOf(entries: readonly InventoryEntry[]): readonly (readonly InventoryEntry[])[] {
  const rank = ({ ref }: InventoryEntry): number => {
    if (ref.kind === "Namespace" && ref.group === "") return 4;
    if (waveOf({ apiVersion: ref.group, kind: ref.kind, metadata: { name: ref.name } }) === 0) return 3;
    const { deleted } = impactRulesOf(ref.group, ref.kind);
    return deleted === "first" ? 0 : deleted === "last" ? 2 : 1;
  };
  return [0, 1, 2, 3, 4].map((phase) => entries.filter((entry) => rank(entry) === phase));
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
    const found = await endOf(entry, keep, record, options);
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

/** Deletes, or leaves behind, one listed object; gives what of it is still there. */
async function endOf(
  entry: InventoryEntry,
  keep: boolean,
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
  return (await deleteOne(live, options)) ? live : undefined;
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

async function withBlocker(objects: readonly KubeObject[], options: DeletionOptions): Promise<Left> {
  for (const object of objects) {
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp === undefined || options.world.now() - Date.parse(deletionTimestamp) < PATIENCE) continue;
    const blocker = await blockerOf(object, finalizers, options);
    if (blocker !== undefined) return { objects, blocker };
  }
  return { objects };
}

async function blockerOf(
  object: KubeObject,
  finalizers: readonly string[],
  options: DeletionOptions,
): Promise<Blocker | undefined> {
  if (object.kind === "Namespace") {
    const live = await options.view.fresh(Namespace, object.metadata.name);
    return live === undefined ? undefined : namespaceBlocker(options.client, live);
  }
  if (finalizers.length === 0) return undefined;
  const said = deletionMessage(object);
  return {
    object: refOf(object),
    finalizers,
    why: said ?? "is held by its finalizers; see whether the controller that set them runs",
  };
}

/** What an application in the way says of its own deletion. */
function deletionMessage(object: KubeObject): string | undefined {
  const conditions = valueAt(object, "status", "conditions");
  const stalled = Array.isArray(conditions)
    ? conditions.find((entry) => valueAt(entry, "type") === "Stalled" && valueAt(entry, "status") === "True")
    : undefined;
  const message = valueAt(stalled, "message");
  return typeof message === "string" ? message : undefined;
}

/** Whether it has been asked to go for long enough. */
function isPatient(object: KubeObject, { world }: DeletionOptions): boolean {
  return world.now() - Date.parse(object.metadata.deletionTimestamp ?? "") >= PATIENCE;
}

async function reportDeletion(app: App, object: KubeObject, left: Left, options: DeletionOptions): Promise<Pass> {
  const state = {
    is: "deleting",
    left: left.objects.map((one) => refOf(one)),
    ...(left.blocker === undefined ? {} : { blockedBy: left.blocker }),
  } as const;
  // A deletion that goes through quickly needs no status of its own.
  if (!isPatient(object, options) && left.blocker === undefined) return { state, after: PATIENCE };
  await writeDeletionStatus(app, object, state, options);
  return { state, after: PATIENCE };
}

async function writeDeletionStatus(
  app: App,
  object: KubeObject,
  state: Parameters<typeof statusOf>[0]["state"],
  options: DeletionOptions,
): Promise<void> {
  const { client, view, world } = options;
  const status = statusOf({
    state,
    generation: object.metadata.generation ?? 0,
    previous: valueAt(object, "status"),
    monitors: [],
    unknownFields: [],
    inherited: [],
    now: new Date(world.now()).toISOString().replace(/\.\d+Z$/, "Z"),
  });
  const kind = kindOfApp(app);
  const written = await writeStatus(client, kind, object, status);
  if (written !== undefined) view.wrote(kind, written);
}

/** Says what a forced deletion leaves behind, where people look last. */
async function abandon(app: App, object: KubeObject, left: Left, options: DeletionOptions): Promise<void> {
  const objects = left.objects.map((one) => refOf(one));
  options.onAbandoned(refOfApp(app, object), objects);
  const [first = refOfApp(app, object)] = objects;
  const why = `abandoned by a forced deletion, with ${objects.length - 1} others: ${objects.map(nameOf).join(", ")}`;
  const blockedBy = { object: first, finalizers: left.objects[0]?.metadata.finalizers ?? [], why };
  await writeDeletionStatus(app, object, { is: "deleting", left: objects, blockedBy }, options);
}

function withoutUid({ uid: _, ...ref }: ObjectRef): ObjectRef {
  return ref;
}

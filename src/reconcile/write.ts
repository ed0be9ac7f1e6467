/**
 * One step of a plan as requests to the API server.
 */
import type { JsonPatch } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { type AnyKind, type Kind, type KubeObject, keyOf, type ObjectRef } from "../kube/object.ts";
import { ROTATED_ANNOTATION } from "./body.ts";
import { differences, formatPath } from "./diff.ts";
import { migrate, needsMigration } from "./field-owner.ts";
import type { InventoryEntry, InventoryRecord } from "./inventory-record.ts";
import type { ApplyOptions, Outcome } from "./outcome.ts";
import { otherManagerOf, removedFields } from "./owned-fields.ts";
import { isProven, OWNER_ANNOTATION, ownershipOf, RETAINED_ANNOTATION, retainedToken } from "./owner.ts";
import { acceptedDigest } from "./plan-manifest.ts";
import type { Step, Write } from "./plan-types.ts";
import { problemOf } from "./problem.ts";

type WriteOf<D extends Write["do"]> = Extract<Write, { readonly do: D }>;

/** Writes one step. @throws ApiError */
export function writeStep(step: Step, options: ApplyOptions): Promise<Outcome> {
  const { write } = step;
  switch (write.do) {
    case "apply":
      return writeApply(step, write, options);
    case "create":
      return writeCreate(step, write, options);
    case "amend":
      return writeAmend(step, write, options);
    case "delete":
      return writeDelete(step, write, options);
    case "release":
      return writeRelease(step, write, options);
  }
}

function kindFor(ref: ObjectRef, options: Pick<ApplyOptions, "kindOf">): Kind<KubeObject> {
  const kind: AnyKind | undefined = options.kindOf(ref.group, ref.kind);
  if (kind === undefined) throw new Error(`no kind ${ref.kind} in group ${ref.group}`);
  return kind;
}

/** The instance that an inventory is of. */
export function instanceOf({ owner }: InventoryRecord): ObjectRef & { readonly uid: string } {
  return owner;
}

async function writeApply(step: Step, write: WriteOf<"apply">, options: ApplyOptions): Promise<Outcome> {
  const { client, view, fights, now } = options;
  const ref = step.change.object;
  const kind = kindFor(ref, options);
  const key = keyOf(ref);
  if (write.drift === true && !fights.mayCorrect(key, write.desired ?? "", now())) {
    return { step, problem: await fightProblem(step, write, options) };
  }
  if (write.transition !== undefined) await prepare(kind, write, options);
  const { body, lock } = write;
  const locked = lock === undefined ? body : { ...body, metadata: { ...body.metadata, resourceVersion: lock } };
  const creates = step.change.action === "create";
  let object: KubeObject;
  try {
    // What we believe to be new must not overwrite what somebody made in the meantime.
    object = await client.apply(kind, locked, { force: !creates });
  } catch (error) {
    if (creates && isApiError(error, "Conflict")) await lookAgain(kind, body, options);
    throw error;
  }
  // What we hold by Update, the apply has not released; as long as all of it is wanted, that does not matter.
  if (needsMigration(object, client.fieldManager) && removedFields(body, object, client.fieldManager).length > 0) {
    await migrate(client, kind, object);
    object = await client.apply(kind, body);
  }
  view.wrote(kind, object);
  if (write.drift === true) fights.corrected(key, write.desired ?? "", now());
  if (write.entry === undefined) return { step, object };
  return { step, object, entry: entryAfter(write.entry, object, write.desired, body) };
}

/** Tells the view of an object that it does not know yet. */
async function lookAgain(kind: Kind<KubeObject>, { metadata }: KubeObject, { view }: ApplyOptions): Promise<void> {
  const live = await view.fresh(kind, metadata.name, metadata.namespace);
  if (live !== undefined) view.wrote(kind, live);
}

function entryAfter(
  entry: InventoryEntry,
  object: KubeObject,
  desired: string | undefined,
  body: KubeObject,
): InventoryEntry {
  const { desired: _, accepted: __, inherited: ___, retired: ____, ...rest } = entry;
  const { uid } = object.metadata;
  return {
    ...rest,
    ref: uid === undefined ? entry.ref : { ...entry.ref, uid },
    ...(desired === undefined ? {} : { desired, accepted: acceptedDigest(body, object) }),
  };
}

/** Sends a manifest's transition, and takes what it touched into our Apply entry. */
async function prepare(kind: Kind<KubeObject>, write: WriteOf<"apply">, { client, view }: ApplyOptions): Promise<void> {
  const { name, namespace } = write.body.metadata;
  const live = await view.fresh(kind, name, namespace);
  if (live === undefined) return;
  const { metadata, ...patch } = write.transition ?? {};
  const answer = await client.mergePatch(kind, name, namespace, {
    ...patch,
    metadata: { ...(isRecord(metadata) ? metadata : {}), resourceVersion: live.metadata.resourceVersion },
  });
  if (needsMigration(answer, client.fieldManager)) await migrate(client, kind, answer);
}

async function fightProblem(step: Step, write: WriteOf<"apply">, options: ApplyOptions) {
  const ref = step.change.object;
  const live = await options.view.fresh(kindFor(ref, options), ref.name, ref.namespace);
  const first = live === undefined ? undefined : differences(write.body, live)[0];
  if (live === undefined || first === undefined) return problemOf(ref, "FightingOver");
  const other = otherManagerOf(live, first.path, options.client.fieldManager);
  const field = formatPath(first.path);
  return problemOf(ref, "FightingOver", { field, ...(other === undefined ? {} : { message: `manager ${other}` }) });
}

async function writeCreate(step: Step, write: WriteOf<"create">, options: ApplyOptions): Promise<Outcome> {
  const { client, view } = options;
  const kind = kindFor(step.change.object, options);
  try {
    const object = await client.create(kind, write.body);
    view.wrote(kind, object);
    return { step, object, entry: entryAfter(write.entry, object, undefined, write.body) };
  } catch (error) {
    if (!isApiError(error, "AlreadyExists")) throw error;
    // It came into being since we looked, perhaps by our own hand: look again, with its values.
    const live = await view.fresh(kind, write.body.metadata.name, write.body.metadata.namespace);
    if (live !== undefined) view.wrote(kind, live);
    const ownership = live === undefined ? "ours" : ownershipOf(live, write.entry.ref, instanceOf(options.inventory));
    if (ownership === "foreign") return { step, problem: problemOf(write.entry.ref, "ForeignObject") };
    return { step, again: true };
  }
}

async function writeAmend(step: Step, write: WriteOf<"amend">, options: ApplyOptions): Promise<Outcome> {
  const { client, view } = options;
  const kind = kindFor(step.change.object, options);
  const { name, namespace } = write.body.metadata;
  const object = await client.jsonPatch(kind, name, namespace, amendment(write));
  view.wrote(kind, object);
  return { step, object, entry: entryAfter(write.entry, object, undefined, write.body) };
}

const pointer = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

function amendment({ body, live, keys }: WriteOf<"amend">): JsonPatch {
  const marks = [OWNER_ANNOTATION, ROTATED_ANNOTATION].flatMap((name) => {
    const value = body.metadata.annotations?.[name];
    const known = live.metadata.annotations?.[name];
    return value === undefined || value === known ? [] : [[name, value] as const];
  });
  const hasRetained = live.metadata.annotations?.[RETAINED_ANNOTATION] !== undefined;
  return [
    { op: "test", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion },
    ...(marks.length > 0 && live.metadata.annotations === undefined
      ? [{ op: "add", path: "/metadata/annotations", value: {} } as const]
      : []),
    ...marks.map(([name, value]) => ({ op: "add", path: `/metadata/annotations/${pointer(name)}`, value }) as const),
    ...(hasRetained ? [{ op: "remove", path: `/metadata/annotations/${pointer(RETAINED_ANNOTATION)}` } as const] : []),
    ...(keys.length > 0 && valueAt(live, "data") === undefined
      ? [{ op: "add", path: "/data", value: {} } as const]
      : []),
    ...keys.map((key) => ({ op: "add", path: `/data/${pointer(key)}`, value: valueAt(body, "data", key) }) as const),
  ];
}

/** The live object, if it is proven to be ours; rule 5. */
async function proven(ref: ObjectRef, options: ApplyOptions): Promise<KubeObject | "absent" | "unproven"> {
  const { client, view, inventory } = options;
  const live = await view.fresh(kindFor(ref, options), ref.name, ref.namespace);
  if (live === undefined) return "absent";
  const entry = inventory.entries.get(keyOf(ref));
  const owners = entry?.inherited === true ? inventory.formerUids : [inventory.owner.uid];
  const found = owners.some((uid) => isProven(live, ref, { ...inventory.owner, uid }, client.fieldManager));
  return found ? live : "unproven";
}

async function writeDelete(step: Step, write: WriteOf<"delete">, options: ApplyOptions): Promise<Outcome> {
  const { client } = options;
  const { uid: _, ...ref } = write.ref;
  if (!write.thenAgain && !(await options.mayPrune(step))) return { step, held: true };
  const live = await proven(ref, options);
  if (live === "absent") return write.thenAgain ? { step, again: true } : { step, dropped: true };
  if (live === "unproven") return { step, problem: problemOf(ref, "OwnershipUnproven") };
  const { uid, resourceVersion } = live.metadata;
  if (live.metadata.deletionTimestamp === undefined) {
    await client.delete(kindFor(ref, options), ref.name, ref.namespace, {
      propagation: write.orphan ? "Orphan" : "Background",
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    });
  }
  // It stays listed until its end is seen.
  return { step, held: true };
}

async function writeRelease(step: Step, write: WriteOf<"release">, options: ApplyOptions): Promise<Outcome> {
  const { ref } = write;
  const live = await proven(ref, options);
  if (live === "absent") return { step, dropped: true };
  if (live === "unproven") return { step, problem: problemOf(ref, "OwnershipUnproven") };
  await leaveBehind(ref, live, options);
  return { step, dropped: true };
}

/** Takes our mark off an object and names for whom it is kept. */
export async function leaveBehind(
  ref: ObjectRef,
  live: KubeObject,
  { client, view, kindOf, inventory }: Pick<ApplyOptions, "client" | "view" | "kindOf" | "inventory">,
): Promise<void> {
  const kind = kindFor(ref, { kindOf });
  const { resourceVersion } = live.metadata;
  const annotations = { [OWNER_ANNOTATION]: null, [RETAINED_ANNOTATION]: retainedToken(instanceOf(inventory), ref) };
  const object = await client.mergePatch(kind, ref.name, ref.namespace, { metadata: { resourceVersion, annotations } });
  view.wrote(kind, object);
}

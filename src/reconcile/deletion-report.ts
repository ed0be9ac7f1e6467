/**
 * What is left of an instance that is being deleted, what holds it up, and how people are told.
 */

import { Namespace } from "../contracts/core.ts";
import { valueAt } from "../kube/json.ts";
import { type KubeObject, type ObjectRef, refOf } from "../kube/object.ts";
import { timestamp } from "../kube/world.ts";
import type { App } from "../sdk/app.ts";
import { FINALIZER } from "./finalizer.ts";
import { kindOfApp, type Pass, type PassOptions, refOfApp } from "./instance.ts";
import { namespaceBlocker } from "./namespace-blockers.ts";
import { nameOf } from "./problem.ts";
import type { Blocker, InstanceState } from "./state.ts";
import { conditionsOf, statusOf } from "./status.ts";
import { writeStatus } from "./status-write.ts";

export interface DeletionOptions extends PassOptions {
  /** All applications there are: a tenant's deletion goes through those in it. */
  readonly apps: readonly App[];
  /** Told what a forced deletion left behind. */
  readonly onAbandoned: (instance: ObjectRef, objects: readonly ObjectRef[]) => void;
}

/** How long an object may take to go before it is called a blocker, and before the first status is written. Milliseconds. */
export const PATIENCE = 3_000;

/** What one look at the deletion found left. */
export interface Left {
  readonly objects: readonly KubeObject[];
  readonly blocker?: Blocker;
}

/** Whether there is anything to wait for. */
export function isLeft(left: Left): boolean {
  return left.objects.length > 0 || left.blocker !== undefined;
}

/** Whether it has been asked to go for long enough. */
export function isPatient(object: KubeObject, { world }: Pick<DeletionOptions, "world">): boolean {
  return world.now() - Date.parse(object.metadata.deletionTimestamp ?? "") >= PATIENCE;
}

/** What is left, with the first of it that does not go by itself. */
export async function withBlocker(objects: readonly KubeObject[], options: DeletionOptions): Promise<Left> {
  for (const object of objects) {
    const { deletionTimestamp } = object.metadata;
    if (deletionTimestamp === undefined) continue;
    const blocker = await blockerOf(object, options.world.now() - Date.parse(deletionTimestamp), options);
    if (blocker !== undefined) return { objects, blocker };
  }
  return { objects };
}

async function blockerOf(object: KubeObject, asked: number, options: DeletionOptions): Promise<Blocker | undefined> {
  if (object.kind !== "Namespace") return heldByFinalizers(object, asked);
  if (asked < PATIENCE) return undefined;
  const live = await options.view.fresh(Namespace, object.metadata.name);
  return live === undefined ? undefined : namespaceBlocker(options.client, live);
}

/** Taken off by Kubernetes itself once pods are gone, which have half a minute to end by default. */
const passing: ReadonlySet<string> = new Set(["kubernetes.io/pvc-protection", "foregroundDeletion"]);
const PASSING_PATIENCE = 60_000;

/**
 * Whether an object that was asked to go `asked` milliseconds ago is held up. An application is on its way out like what
 * waits for it, and says itself what holds it.
 */
export function heldByFinalizers(object: KubeObject, asked: number): Blocker | undefined {
  const { finalizers = [] } = object.metadata;
  const patience = finalizers.every((one) => passing.has(one)) ? PASSING_PATIENCE : PATIENCE;
  if (finalizers.length === 0 || asked < patience) return undefined;
  const said = deletionMessage(object);
  if (said === undefined && finalizers.every((one) => one === FINALIZER)) return undefined;
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

/** Says how far a deletion has come. One that goes through quickly needs no status of its own. */
export async function reportDeletion(
  app: App,
  object: KubeObject,
  left: Left,
  options: DeletionOptions,
): Promise<Pass> {
  const state = {
    is: "deleting",
    left: left.objects.map((one) => refOf(one)),
    ...(left.blocker === undefined ? {} : { blockedBy: left.blocker }),
  } as const;
  if (!isPatient(object, options) && left.blocker === undefined) return { state, after: PATIENCE };
  await writeDeletionStatus(app, object, state, options);
  return { state, after: PATIENCE };
}

async function writeDeletionStatus(
  app: App,
  object: KubeObject,
  state: InstanceState,
  options: DeletionOptions,
): Promise<KubeObject> {
  const { client, view, world } = options;
  const status = statusOf({
    state,
    generation: object.metadata.generation ?? 0,
    previous: valueAt(object, "status"),
    monitors: [],
    unknownFields: [],
    inherited: [],
    now: timestamp(world),
  });
  const kind = kindOfApp(app);
  const written = await writeStatus(client, kind, object, status);
  if (written !== undefined) view.wrote(kind, written);
  return written ?? object;
}

/** Says what a forced deletion leaves behind, where people look last, and once. Gives the object as it is then. */
export async function abandon(app: App, object: KubeObject, left: Left, options: DeletionOptions): Promise<KubeObject> {
  const objects = left.objects.map((one) => refOf(one));
  const [first = refOfApp(app, object)] = objects;
  const why = `abandoned by a forced deletion, with ${objects.length - 1} others: ${objects.map(nameOf).join(", ")}`;
  const blockedBy = { object: first, finalizers: left.objects[0]?.metadata.finalizers ?? [], why };
  // A pass that comes again, as its last write was refused, finds this said.
  const isSaid = conditionsOf(valueAt(object, "status")).some(({ message }) => message.includes(why));
  if (!isSaid) options.onAbandoned(refOfApp(app, object), objects);
  return writeDeletionStatus(app, object, { is: "deleting", left: objects, blockedBy }, options);
}

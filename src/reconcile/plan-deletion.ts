/**
 * What deleting an application would do: a plan as for any change, and what stays. Read only; deletion.ts carries it out.
 */
import { valueAt } from "../kube/json.ts";
import { type KubeObject, keyOf, type ObjectRef, refOf } from "../kube/object.ts";
import type { App } from "../sdk/app.ts";
import { type Change, type Plan, planOf } from "./change.ts";
import { type ClaimOptions, claimsOf, leftoversOf } from "./deletion-claims.ts";
import { holdersOf, stageObjects } from "./deletion-order.ts";
import { deletionImpact } from "./impact.ts";
import { loadInventory } from "./inventory.ts";
import type { InventoryEntry } from "./inventory-record.ts";
import { ownerOf } from "./prepare.ts";

export interface DeletionPlan {
  readonly plan: Plan;
  /** What is left behind for the next application of this name. */
  readonly kept: readonly ObjectRef[];
  /** Applications that use this one: deletion waits for them. */
  readonly holders: readonly ObjectRef[];
}

export interface PlanDeletionOptions extends ClaimOptions {
  readonly apps: readonly App[];
}

/** The plan of deleting an application as it is now; for a tenant, of everything ordered in it as well. */
export async function planDeletion(app: App, object: KubeObject, options: PlanDeletionOptions): Promise<DeletionPlan> {
  const owner = ownerOf(app, object);
  const { uid: _, ...self } = owner;
  const inner = await stagedPlans(app, object, options);
  const { record } = await loadInventory(options.view, owner);
  const retain = valueAt(object, "spec", "reclaimPolicy") === "Retain";
  const claims = await claimsOf(record.storage, owner.namespace, options);
  const held = new Set(claims.map((claim) => keyOf(refOf(claim))));
  const live: InventoryEntry[] = [];
  for (const entry of record.entries.values()) if (await exists(entry.ref, options)) live.push(entry);
  const stays = (entry: InventoryEntry): boolean =>
    entry.policy === "keep" || (retain && (entry.generated === true || held.has(keyOf(entry.ref))));
  const listed = new Set(live.map(({ ref }) => keyOf(ref)));
  const others = claims.map((claim) => refOf(claim)).filter((ref) => !listed.has(keyOf(ref)));
  const leftovers = (await leftoversOf(record.leftovers, owner.namespace, options)).map((one) => refOf(one));
  const changes = [
    ...inner.flatMap(({ plan }) => plan.changes),
    ...live.filter((entry) => !stays(entry)).map(({ ref }) => deletion(ref, "owned by it", retain)),
    ...(retain ? [] : others.map((ref) => deletion(ref, "holds its data", false))),
    ...leftovers.map((ref) => deletion(ref, "left behind for it by others", retain)),
    deletion({ ...refOf(object), group: app.group }, "the application itself", true),
  ];
  const kept = [
    ...inner.flatMap((one) => one.kept),
    ...live.filter(stays).map(({ ref }) => ref),
    ...(retain ? others : []),
  ];
  const holders = await holdersOf(self, owner.namespace, options);
  return { plan: planOf(self, eachOnce(changes)), kept, holders: holders.map((holder) => refOf(holder)) };
}

async function stagedPlans(
  app: App,
  object: KubeObject,
  options: PlanDeletionOptions,
): Promise<readonly DeletionPlan[]> {
  const { name, namespace = "" } = object.metadata;
  const plans: DeletionPlan[] = [];
  for (const stage of app.deletion({ name, namespace })) {
    for (const found of await stageObjects(stage, options)) {
      const of = options.apps.find((one) => one.kind === found.kind);
      if (of !== undefined) plans.push(await planDeletion(of, found, options));
    }
  }
  return plans;
}

/** A tenant owns some of the applications that are ordered in it: as such they go first. */
function eachOnce(changes: readonly Change[]): readonly Change[] {
  const seen = new Set<string>();
  return changes.filter(({ object: { uid: _, ...object } }) => {
    const key = keyOf(object);
    return !seen.has(key) && seen.add(key);
  });
}

async function exists(ref: ObjectRef, { view, kindOf }: PlanDeletionOptions): Promise<boolean> {
  const kind = kindOf(ref.group, ref.kind);
  if (kind === undefined) return false;
  const known = await view.look(kind, ref.name, ref.namespace);
  return known.is === "full" || known.is === "metadata";
}

/** @param harmless whether the data of what is deleted stays all the same */
function deletion(object: ObjectRef, because: string, harmless: boolean): Change {
  const impact = harmless ? "deletes" : deletionImpact(object);
  return { object, action: "delete", impact, fields: [], because };
}

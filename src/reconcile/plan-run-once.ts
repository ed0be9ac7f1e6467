/**
 * The plan of a `runOnce` Job: its name says its content, it runs once per content, and again when another content ran in
 * between.
 */
import { type KubeObject, keyOf, type ObjectRef } from "../kube/object.ts";
import { bodyOf } from "./body.ts";
import { healthOf } from "./health.ts";
import type { InventoryEntry, InventoryRecord } from "./inventory-record.ts";

import { type Known, type PlanInput, type Planned, stepOf, type Wanted } from "./plan-types.ts";

/** The Jobs that replace each other: the name without its last part, which says the content. */
export function familyOf(ref: ObjectRef): string {
  const dash = ref.name.lastIndexOf("-");
  return keyOf({ ...ref, name: dash < 0 ? ref.name : ref.name.slice(0, dash) });
}

/** Whether a Job, or whatever else runs once, has ended well. */
export function hasSucceeded(job: KubeObject): boolean {
  return healthOf(job).is === "current";
}

/** Plans one Job. */
export function planRunOnce(wanted: Wanted, known: Known, entry: InventoryEntry, input: PlanInput): Planned {
  const { superseded: _, succeeded: __, ...fresh } = entry;
  const body = bodyOf(wanted.manifest.object, wanted.ref, { ownerUid: input.instance.uid });
  // Never written again, so that by which operation its fields are ours does not matter.
  const create = { do: "create", body, entry: fresh } as const;
  if (entry.superseded === true) {
    if (known.is === "absent") {
      return {
        entry: fresh,
        step: stepOf(wanted, known, { action: "create", because: "another content ran since" }, create),
      };
    }
    const write = { do: "delete", ref: wanted.ref, orphan: false, thenAgain: true } as const;
    return { entry, step: stepOf(wanted, known, { action: "update", because: "another content ran since" }, write) };
  }
  if (known.is === "absent") {
    if (entry.succeeded === true) return { entry };
    return { entry, step: stepOf(wanted, known, { action: "create", because: "not yet run" }, create) };
  }
  return { entry: known.is === "full" && hasSucceeded(known.object) ? { ...entry, succeeded: true } : entry };
}

/** The entries that a new Job outdates: others of its family, which must run again should they be wanted again. */
export function supersededBy(entries: readonly InventoryEntry[], record: InventoryRecord): readonly InventoryEntry[] {
  const starting = new Set(entries.map((entry) => keyOf(entry.ref)));
  const families = new Set(entries.map((entry) => familyOf(entry.ref)));
  return [...record.entries.values()]
    .filter((entry) => entry.policy === "runOnce" && entry.superseded !== true)
    .filter((entry) => families.has(familyOf(entry.ref)) && !starting.has(keyOf(entry.ref)))
    .map((entry) => ({ ...entry, superseded: true }));
}

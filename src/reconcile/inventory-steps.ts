/**
 * How an inventory goes on through a pass: first it covers all that is about to exist, then it says what came of it.
 */
import { keyOf } from "../kube/object.ts";
import type { AppInstance } from "../sdk/app.ts";
import { droppedKeys } from "./apply.ts";
import { type InventoryEntry, type InventoryRecord, withEntries, withoutEntries } from "./inventory-record.ts";
import type { Outcome } from "./outcome.ts";
import { supersededBy } from "./plan-run-once.ts";
import type { InstancePlan } from "./plan-types.ts";

/**
 * The record to store before anything is written: every object that a step may create is in it. What is known of other
 * objects stays as it was, digests included, so that a crash in between repeats writes rather than skips them.
 */
export function coveringRecord(record: InventoryRecord, plan: InstancePlan, generation: number): InventoryRecord {
  const newcomers = plan.owned.filter(({ ref }) => !record.entries.has(keyOf(ref)));
  const starting = plan.steps.flatMap(({ write }) =>
    write.do === "apply" && write.entry?.policy === "runOnce" ? [write.entry] : [],
  );
  const superseded = supersededBy(starting, record);
  if (newcomers.length === 0 && superseded.length === 0) return record;
  return { ...withEntries(record, [...newcomers.map(planned), ...superseded]), generation };
}

/** A newcomer, of which nothing is known yet; what exists by that name already keeps its uid. */
function planned({ desired: _, accepted: __, ...entry }: InventoryEntry): InventoryEntry {
  return entry;
}

/** The record to store after the writes. */
export function resultingRecord(
  record: InventoryRecord,
  plan: InstancePlan,
  outcomes: readonly Outcome[],
  instance: AppInstance,
  generation: number,
): InventoryRecord {
  const owned = plan.owned.map((entry) => entry);
  const results = outcomes.flatMap(({ entry }) => entry ?? []);
  const pruning = outcomes.filter(({ step, held }) => held === true && step.change.action === "delete");
  const retired = pruning.flatMap(({ step }) => {
    const entry = record.entries.get(keyOf(step.change.object));
    return entry === undefined ? [] : [{ ...entry, retired: true }];
  });
  const gone = new Set([...plan.gone, ...droppedKeys(outcomes)]);
  const listed = withEntries(withoutEntries(record, gone), [...owned, ...results, ...retired]);
  const { storage, leftovers, references } = instance;
  return { ...listed, generation, storage, leftovers, references };
}

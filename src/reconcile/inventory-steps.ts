/**
 * How an inventory goes on through a pass: first it covers all that is about to exist, then it says what came of it.
 */
import { keyOf } from "../kube/object.ts";
import type { AppInstance } from "../sdk/app.ts";
import { droppedKeys } from "./apply.ts";
import { type InventoryEntry, type InventoryRecord, withEntries, withoutEntries } from "./inventory-record.ts";
import type { Outcome } from "./outcome.ts";
import { acceptedDigest } from "./plan-manifest.ts";
import { supersededBy } from "./plan-run-once.ts";
import type { InstancePlan } from "./plan-types.ts";

/**
 * The record to store before anything is written: every object that a step may create is in it. What is known of other
 * objects stays as it was, digests included, so that a crash in between repeats writes rather than skips them. The first
 * one says all that can be foreseen: where that comes true, it need not be written again.
 */
export function coveringRecord(
  record: InventoryRecord,
  plan: InstancePlan,
  instance: AppInstance,
  generation: number,
): InventoryRecord {
  const newcomers = plan.owned.filter(({ ref }) => !record.entries.has(keyOf(ref)));
  const starting = plan.steps.flatMap(({ write }) =>
    write.do === "create" && write.entry.policy === "runOnce" ? [write.entry] : [],
  );
  const superseded = supersededBy(starting, record);
  if (newcomers.length === 0 && superseded.length === 0) return record;
  const foreseen = foreseenDigests(plan);
  const covering = [
    ...newcomers.map((entry) => ({ ...planned(entry), ...foreseen.get(keyOf(entry.ref)) })),
    ...superseded,
  ];
  const isFirst = record.entries.size === 0 && record.formerUids.length === 0;
  return { ...withEntries(record, covering), generation, ...(isFirst ? deletionFacts(instance) : {}) };
}

/** A newcomer, of which nothing is known yet; what exists by that name already keeps its uid. */
function planned({ desired: _, accepted: __, ...entry }: InventoryEntry): InventoryEntry {
  return entry;
}

type Digests = Pick<InventoryEntry, "desired" | "accepted">;

/**
 * Of objects that do not exist yet: what the API server will make of them, if it takes them as they are. Where it makes
 * something else of one, or it came to be in another way, the digests do not fit, and it is written once more.
 */
function foreseenDigests({ steps }: InstancePlan): ReadonlyMap<string, Digests> {
  return new Map(
    steps.flatMap(({ change, write }): readonly (readonly [string, Digests])[] => {
      if (write.do !== "apply" || write.desired === undefined || change.action !== "create") return [];
      return [[keyOf(change.object), { desired: write.desired, accepted: acceptedDigest(write.body, write.body) }]];
    }),
  );
}

function deletionFacts({ storage, leftovers, references }: AppInstance) {
  return { storage, leftovers, references };
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
  return { ...listed, generation, ...deletionFacts(instance) };
}

/**
 * Uids of owned objects that their inventory does not say yet. An inventory that is written before its first object cannot
 * know them, and to write it again for them alone is not worth a request: they are read off the live objects, which name
 * their owner, and stored with whatever is written next. Until then this process remembers them.
 */
import { keyOf, type ObjectRef } from "../kube/object.ts";
import type { InventoryRecord } from "./inventory-record.ts";
import type { GeneratedAnswer } from "./needs-generated.ts";
import { ownershipOf } from "./owner.ts";
import { type Known, objectOf, type Wanted } from "./plan-types.ts";

/** By key of the object. */
export type LearnedUids = Map<string, string>;

/** The record with what is remembered of it. What the inventory says goes before. */
export function withUids(record: InventoryRecord, uids: ReadonlyMap<string, string>): InventoryRecord {
  if (uids.size === 0) return record;
  const entries = [...record.entries].map(([key, entry]): readonly [string, typeof entry] => {
    const uid = entry.ref.uid ?? uids.get(key);
    return [key, uid === undefined ? entry : { ...entry, ref: { ...entry.ref, uid } }];
  });
  return { ...record, entries: new Map(entries) };
}

/** Remembers a whole record, and nothing else. */
export function rememberUids(record: InventoryRecord, uids: LearnedUids): void {
  uids.clear();
  for (const [key, { ref }] of record.entries) if (ref.uid !== undefined) uids.set(key, ref.uid);
}

/** Remembers the listed objects that are there with our mark. */
export function learnUids(record: InventoryRecord, known: (ref: ObjectRef) => Known, uids: LearnedUids): void {
  for (const [key, { ref }] of record.entries) {
    const object = objectOf(known(ref));
    const uid = object?.metadata.uid;
    if (object === undefined || uid === undefined || ownershipOf(object, ref, record.owner) !== "ours") continue;
    uids.set(key, uid);
  }
}

/**
 * A Secret whose generated values were stored once and are gone, where only other objects tell so: those with generated
 * values are made before all others (apply.ts). `stored` is the inventory without what is remembered.
 */
export function lostSecret(
  stored: InventoryRecord,
  wanted: readonly Wanted[],
  generated: ReadonlyMap<string, GeneratedAnswer>,
  known: (ref: ObjectRef) => Known,
): ObjectRef | undefined {
  const planned = [...stored.entries.values()].filter(
    (entry) => entry.ref.uid === undefined && entry.inherited !== true,
  );
  const isMade = ({ ref }: (typeof planned)[number]) => {
    const object = objectOf(known(ref));
    return object !== undefined && ownershipOf(object, ref, stored.owner) === "ours";
  };
  const missing = new Set(planned.filter((entry) => entry.generated === true).map(({ ref }) => keyOf(ref)));
  const isLost = (one: Wanted) =>
    one.generated && missing.has(keyOf(one.ref)) && generated.get(one.ref.name)?.live === undefined;
  const lost = missing.size === 0 ? undefined : wanted.find(isLost);
  return lost !== undefined && planned.some((entry) => entry.generated !== true && isMade(entry))
    ? lost.ref
    : undefined;
}

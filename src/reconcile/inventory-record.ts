/**
 * What an instance owns, as a value: read from and written into Inventory objects (inventory.ts). It says where to look;
 * what may be deleted is proven on the live object (owner.ts).
 */
import { formatRef, keyOf, type ObjectRef, parseRef } from "../kube/object.ts";
import type { Leftover, StorageClaim } from "../sdk/app.ts";
import type { Policy } from "../sdk/manifest.ts";

/** The policies whose objects are owned: `patchExisting` leaves no trace. */
export type OwnedPolicy = Exclude<Policy, "patchExisting">;

export interface InventoryEntry {
  /** With its uid once the object is known to exist; without, its creation was only planned. */
  readonly ref: ObjectRef;
  readonly policy: OwnedPolicy;
  /** A Secret with generated values: kept by `reclaimPolicy: Retain`, and never generated anew. */
  readonly generated?: boolean;
  /** No longer rendered, not deleted yet because something may still refer to it. */
  readonly retired?: boolean;
  /** `runOnce`: this Job has succeeded; its absence is no drift. */
  readonly succeeded?: boolean;
  /** `runOnce`: another Job of the same family came after this one; rendered again, it must run again. */
  readonly superseded?: boolean;
  /** Belonged to an earlier application of this name; not deleted until a person confirms. */
  readonly inherited?: boolean;
  /** Digest of the body last written. */
  readonly desired?: string;
  /** Digest of what the API server made of it, on the paths of the body. */
  readonly accepted?: string;
}

/** The application an inventory is of, as it was when the inventory was written. */
export interface InventoryOwner {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface InventoryRecord {
  readonly owner: InventoryOwner;
  /** Uids of earlier applications of this name whose inventory this one inherited. */
  readonly formerUids: readonly string[];
  /** Generation of the application's spec that the entries follow from. */
  readonly generation: number;
  /** By {@link keyOf}, in the order of first appearance. */
  readonly entries: ReadonlyMap<string, InventoryEntry>;
  /** What deletion frees or keeps, what it cleans up, and whose deletion it holds: so that deletion need not render. */
  readonly storage: readonly StorageClaim[];
  readonly leftovers: readonly Leftover[];
  readonly references: readonly ObjectRef[];
  /** The last `apps.cozystack.io/rotate` that was carried out. */
  readonly rotated?: string;
}

/** The inventory of an instance that owns nothing yet. */
export function emptyRecord(owner: InventoryOwner): InventoryRecord {
  return { owner, formerUids: [], generation: 0, entries: new Map(), storage: [], leftovers: [], references: [] };
}

const LETTERS: Readonly<Record<OwnedPolicy, string>> = { managed: "m", createOnly: "c", keep: "k", runOnce: "r" };
const POLICIES: ReadonlyMap<string, OwnedPolicy> = new Map([
  ["m", "managed"],
  ["c", "createOnly"],
  ["k", "keep"],
  ["r", "runOnce"],
]);

/** One line: `group/kind/namespace/name@uid flags:desired:accepted`. Read back by {@link parseEntry}. */
export function formatEntry(entry: InventoryEntry): string {
  const flags = [
    LETTERS[entry.policy],
    entry.generated === true ? "g" : "",
    entry.retired === true ? "t" : "",
    entry.succeeded === true ? "s" : "",
    entry.superseded === true ? "x" : "",
    entry.inherited === true ? "i" : "",
  ].join("");
  const digests = [flags, entry.desired ?? "", entry.accepted ?? ""].join(":").replace(/:+$/, "");
  return `${formatRef(entry.ref)} ${digests}`;
}

/** The inverse of {@link formatEntry}; undefined for a line that this program did not write. */
export function parseEntry(line: string): InventoryEntry | undefined {
  const space = line.lastIndexOf(" ");
  const ref = parseRef(line.slice(0, Math.max(space, 0)));
  const [flags = "", desired = "", accepted = ""] = line.slice(space + 1).split(":");
  const policy = POLICIES.get(flags.slice(0, 1));
  if (ref === undefined || policy === undefined) return undefined;
  return {
    ref,
    policy,
    ...(flags.includes("g") ? { generated: true } : {}),
    ...(flags.includes("t") ? { retired: true } : {}),
    ...(flags.includes("s") ? { succeeded: true } : {}),
    ...(flags.includes("x") ? { superseded: true } : {}),
    ...(flags.includes("i") ? { inherited: true } : {}),
    ...(desired === "" ? {} : { desired }),
    ...(accepted === "" ? {} : { accepted }),
  };
}

/** The record with these entries put in; an entry of the same object takes its place. */
export function withEntries(record: InventoryRecord, entries: Iterable<InventoryEntry>): InventoryRecord {
  const merged = new Map(record.entries);
  for (const entry of entries) merged.set(keyOf(entry.ref), entry);
  return { ...record, entries: merged };
}

/** The record without the objects of these keys. */
export function withoutEntries(record: InventoryRecord, keys: ReadonlySet<string>): InventoryRecord {
  return { ...record, entries: new Map([...record.entries].filter(([key]) => !keys.has(key))) };
}

/**
 * What a new application of an old one's name makes of that one's inventory: nothing in it is authority, so every entry
 * is `inherited`, and what was known of its state is forgotten.
 */
export function inherit(record: InventoryRecord, owner: InventoryOwner): InventoryRecord {
  const entries = [...record.entries.values()].map(({ ref, policy, generated }): InventoryEntry => {
    return { ref, policy, inherited: true, ...(generated === true ? { generated } : {}) };
  });
  const formerUids = [...record.formerUids, record.owner.uid];
  return withEntries({ ...emptyRecord(owner), formerUids, storage: record.storage }, entries);
}

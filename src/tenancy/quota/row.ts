/**
 * One tenant in a ledger: the budget it is known to have, and those it may have in a moment because a gate let a write
 * through. Pure. Whatever the Tenant object says at any revision is one of these.
 */
import { isOlder } from "../../kube/resource-version.ts";
import { type Amounts, atLeast, atMost, sameAmounts } from "./amounts.ts";
import { amountAt, boundAt, dimensionsOf } from "./dimensions.ts";

/** A write that was let through and may or may not be stored. */
export type Reservation = {
  readonly amounts: Amounts;
  /** When a gate last let it through, milliseconds since the epoch. */
  readonly at: number;
} & (
  | {
      /** Of the object to be created. */
      readonly uid: string;
    }
  | {
      /** Version of the object that was to be updated: once the object has another, this write can only fail. */
      readonly base: string;
    }
);

export interface Place {
  /** Namespace that the tenant owns: its identity. */
  readonly owns: string;
  /** Name of the Tenant object. */
  readonly name: string;
  /** Namespaces of its ancestors, topmost first; empty for tenant-root. */
  readonly ancestors: readonly string[];
}

export interface Row extends Place {
  /** The Tenant as seen last. Absent: not known to exist. */
  readonly stored?: Seen;
  readonly pending: readonly Reservation[];
}

/** A Tenant object at a version. */
export interface Seen {
  readonly uid: string;
  readonly version: string;
  readonly amounts: Amounts;
}

/** Namespace of the Tenant object. */
export const namespaceOf = ({ owns, ancestors }: Place): string => ancestors.at(-1) ?? owns;

/** Every budget that the tenant may have now. */
export const possible = ({ stored, pending }: Row): readonly Amounts[] => [
  ...(stored === undefined ? [] : [stored.amounts]),
  ...pending.map(({ amounts }) => amounts),
];

const foldOver = (
  row: Row,
  read: (amounts: Amounts) => bigint | undefined,
  pick: (a: bigint, b: bigint) => bigint,
): bigint | undefined =>
  possible(row)
    .map(read)
    .reduce((a, b) => (a === undefined || b === undefined ? (a ?? b) : pick(a, b)), undefined);

/** The most of the dimension that the tenant may declare; undefined where it declares none. */
export const mostOf = (row: Row, dimension: string): bigint | undefined =>
  foldOver(row, (amounts) => amountAt(amounts, dimension), atLeast);
/** The least that the tenant may have where it bounds the dimension. */
export const leastOf = (row: Row, dimension: string): bigint | undefined =>
  foldOver(row, (amounts) => boundAt(amounts, dimension), atMost);

export function boundedBy(row: Row): ReadonlySet<string> {
  return new Set(possible(row).flatMap((amounts) => [...dimensionsOf(amounts)]));
}

const sameWrite = (a: Reservation, b: Reservation): boolean =>
  sameAmounts(a.amounts, b.amounts) && ("uid" in a ? "uid" in b && a.uid === b.uid : "base" in b && a.base === b.base);

/** The row with the reservation; the same write asked for again only renews it. */
export function reserved(row: Row, reservation: Reservation): Row {
  return { ...row, pending: [...row.pending.filter((one) => !sameWrite(one, reservation)), reservation] };
}

/** How an observation was made. */
export interface Reading {
  /** Version of the cluster that was looked at. */
  readonly asOf: string;
  /** The version at which the object with a uid was seen first, where it was: its create is over. */
  readonly landed?: (uid: string) => string | undefined;
  /** Reservations made before this time are over. Absent: age ends nothing, as the observation may be an old one. */
  readonly expiredBefore?: number;
}

const isOver = ({ at }: Reservation, { expiredBefore = Number.NEGATIVE_INFINITY }: Partial<Reading>) =>
  at < expiredBefore;

/** Whether the create has arrived, and what became of its object shows in this reading. */
function hasLanded(uid: string, { landed, asOf }: Partial<Reading>): boolean {
  const version = landed?.(uid);
  return version !== undefined && asOf !== undefined && !isOlder(asOf, version);
}

/** The row after its Tenant was seen. An older version than the one known changes nothing. */
export function seenAs(row: Row, seen: Seen, reading: Partial<Reading> = {}): Row {
  if (isOlder(seen.version, row.stored?.version)) return row;
  const pending = row.pending.filter((one) => {
    if (isOver(one, reading)) return false;
    // Another object of the name exists: this create fails now, but not if that one goes before it gets there.
    if ("uid" in one) return one.uid !== seen.uid && !hasLanded(one.uid, reading);
    return one.base === seen.version;
  });
  const { stored } = row;
  const unchanged = stored?.version === seen.version && pending.length === row.pending.length;
  return unchanged ? row : { ...row, stored: seen, pending };
}

/** The row after its Tenant was not found. Creates that were let through may still arrive. */
export function seenGone(row: Row, reading: Reading): Row {
  // It was seen later than the look at the cluster in which it is missing.
  if (isOlder(reading.asOf, row.stored?.version)) return row;
  const pending = row.pending.filter((one) => "uid" in one && !isOver(one, reading) && !hasLanded(one.uid, reading));
  if (row.stored === undefined && pending.length === row.pending.length) return row;
  const { stored: _, ...rest } = row;
  return { ...rest, pending };
}

/** Whether the row holds nothing and may go. */
export function isEmpty({ stored, pending }: Row): boolean {
  return pending.length === 0 && (stored?.amounts.size ?? 0) === 0;
}

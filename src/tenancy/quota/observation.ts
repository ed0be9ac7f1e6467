/**
 * What a look at all Tenants says about the rows of a ledger.
 */
import type { Rows } from "./charges.ts";
import { isEmpty, namespaceOf, type Place, type Reading, type Row, type Seen, seenAs, seenGone } from "./row.ts";
import { tenantKey } from "./tenant-kind.ts";

/** The Tenants of the cluster at one version. */
export interface Observation extends Reading {
  readonly at: (key: string) => Seen | undefined;
}

export const keyOfRow = (row: Place): string => tenantKey(namespaceOf(row), row.name);

function observed(row: Row, observation: Observation): Row {
  const seen = observation.at(keyOfRow(row));
  return seen === undefined ? seenGone(row, observation) : seenAs(row, seen, observation);
}

/** The rows after the look; the same value where it says nothing new. Rows that hold nothing are gone. */
export function settled(rows: Rows, observation: Observation, which: Iterable<string> = rows.keys()): Rows {
  const next = new Map(rows);
  let changed = false;
  for (const owns of which) {
    const row = rows.get(owns);
    if (row === undefined) continue;
    const now = observed(row, observation);
    if (now === row) continue;
    changed = true;
    if (isEmpty(now)) next.delete(owns);
    else next.set(owns, now);
  }
  return changed ? next : rows;
}

/** The rows with tenants that have a budget but no row: those of a time without a ledger or without a gate. */
export function withMissing(rows: Rows, found: Iterable<readonly [Place, Seen]>): Rows {
  const missing = [...found].filter(([{ owns }, { amounts }]) => amounts.size > 0 && !rows.has(owns));
  if (missing.length === 0) return rows;
  return new Map([
    ...rows,
    ...missing.map(([place, stored]): [string, Row] => [place.owns, { ...place, stored, pending: [] }]),
  ]);
}

/**
 * The arithmetic of budgets. Pure.
 *
 * For each resource a tenant is charged to its nearest ancestor that bounds the resource. Of every tenant the worst is
 * taken that its row allows: as parent the least it may have, as child the most. So whichever of the writes under way are
 * stored, in whichever order, no budget is exceeded.
 */
import { atLeast } from "./amounts.ts";
import { leastOf, mostOf, type Place, type Reservation, type Row, reserved, resourcesOf } from "./row.ts";

export type Rows = ReadonlyMap<string, Row>;

/** What a write lacks of one resource. Amounts in billionths. */
export interface Shortage {
  readonly resource: string;
  /** `above`: an ancestor has not that much left. `below`: the tenant has given away more than it would keep. */
  readonly is: "above" | "below";
  /** Namespace of the tenant whose budget would be exceeded. */
  readonly tenant: string;
  readonly asked: bigint;
  /** What that tenant has left for this one. Below 0 where it has given away more than it has. */
  readonly left: bigint;
  readonly total: bigint;
  /** To its other tenants. */
  readonly allocated: bigint;
  /** By what runs in its own pool. */
  readonly used: bigint;
}

/** What the members of a tenant's pool use of a resource, those at and below `except` left out. Billionths. */
export type UsedOf = (tenant: string, resource: string, except: string) => bigint;

/** The charges of one state of a ledger. */
export class Charges {
  readonly #rows: Rows;
  readonly #children = new Map<string, Row[]>();
  readonly #charges = new Map<string, Map<string, bigint>>();

  constructor(rows: Rows) {
    this.#rows = rows;
    for (const row of rows.values()) {
      const parent = this.above(row)[0];
      if (parent === undefined) continue;
      const siblings = this.#children.get(parent.owns);
      if (siblings === undefined) this.#children.set(parent.owns, [row]);
      else siblings.push(row);
    }
  }

  /** Rows of the tenant's ancestors, the nearest first. */
  above({ ancestors }: Place): readonly Row[] {
    return ancestors.toReversed().flatMap((namespace) => this.#rows.get(namespace) ?? []);
  }

  /** What the tenant's own tenants may take of the resource together. */
  allocated(tenant: string, resource: string): bigint {
    return (this.#children.get(tenant) ?? []).reduce((sum, child) => sum + this.charge(child.owns, resource), 0n);
  }

  /** What the tenant, with all below it, may take from above. More than its budget where it has overcommitted it. */
  charge(tenant: string, resource: string): bigint {
    const known = this.#charges.get(resource)?.get(tenant);
    if (known !== undefined) return known;
    const row = this.#rows.get(tenant);
    const own = row === undefined ? undefined : mostOf(row, resource);
    const charge = atLeast(own ?? 0n, this.allocated(tenant, resource));
    const ofResource = this.#charges.get(resource);
    if (ofResource === undefined) this.#charges.set(resource, new Map([[tenant, charge]]));
    else ofResource.set(tenant, charge);
    return charge;
  }
}

/** A write of a tenant's budget. */
export interface Ask {
  readonly place: Place;
  readonly reservation: Reservation;
  /** Accept that the tenant keeps less than it has given away. */
  readonly force: boolean;
}

export function rowFor(rows: Rows, place: Place): Row {
  return rows.get(place.owns) ?? { ...place, pending: [] };
}

/** The rows with the write let through. */
export function admitted(rows: Rows, { place, reservation }: Ask): Rows {
  return new Map(rows).set(place.owns, reserved(rowFor(rows, place), reservation));
}

/** What stands against a write; empty: nothing. Resources in order of their names. */
export function shortages(rows: Rows, ask: Ask, used: UsedOf): readonly Shortage[] {
  const before = new Charges(rows);
  const next = admitted(rows, ask);
  const after = new Charges(next);
  const row = rowFor(next, ask.place);
  return [...resourcesOf(row)].sort().flatMap((resource) => {
    const below = ask.force ? undefined : shortBelow(rowFor(rows, ask.place), row, after, resource);
    const above = shortAbove(row, before, after, resource, used);
    const asked = ask.reservation.amounts.get(resource) ?? 0n;
    return [below, above].flatMap((found) => (found === undefined ? [] : [{ ...found, resource, asked }]));
  });
}

type Found = Omit<Shortage, "resource" | "asked">;

/** Only a lower bound, or one where there was none, can leave the tenant's own tenants without. */
function shortBelow(old: Row, row: Row, after: Charges, resource: string): Found | undefined {
  const total = leastOf(row, resource);
  const was = leastOf(old, resource);
  if (total === undefined || (was !== undefined && was <= total)) return undefined;
  const allocated = after.allocated(row.owns, resource);
  if (allocated <= total) return undefined;
  return { is: "below", tenant: row.owns, left: total - allocated, total, allocated, used: 0n };
}

function shortAbove(row: Row, before: Charges, after: Charges, resource: string, used: UsedOf): Found | undefined {
  let taker = row.owns;
  for (const ancestor of after.above(row)) {
    const charge = after.charge(taker, resource);
    // Nothing more is taken from here on: what is wrong above was wrong before, and is not for this write to put right.
    if (charge <= before.charge(taker, resource)) return undefined;
    const total = leastOf(ancestor, resource);
    if (total !== undefined) {
      const inUse = used(ancestor.owns, resource, row.owns);
      const allocated = after.allocated(ancestor.owns, resource) - charge;
      const left = total - allocated - inUse;
      if (charge > left) return { is: "above", tenant: ancestor.owns, left, total, allocated, used: inUse };
    }
    taker = ancestor.owns;
  }
  return undefined;
}

/** Resources of which a tenant's own tenants have more than it has: after a forced lowering, or a gate that was bypassed. */
export function overcommitted(rows: Rows, tenant: string): ReadonlyMap<string, Found> {
  const row = rows.get(tenant);
  const found = new Map<string, Found>();
  if (row === undefined) return found;
  const charges = new Charges(rows);
  for (const resource of resourcesOf(row)) {
    const total = leastOf(row, resource) ?? 0n;
    const allocated = charges.allocated(tenant, resource);
    if (allocated <= total) continue;
    found.set(resource, { is: "below", tenant, left: total - allocated, total, allocated, used: 0n });
  }
  return found;
}

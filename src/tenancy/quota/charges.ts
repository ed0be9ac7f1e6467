/**
 * The arithmetic of budgets. Pure.
 *
 * For each resource, whatever its name (`dimensions.ts`), a tenant is charged to its nearest ancestor that bounds it. Of every tenant the worst is
 * taken that its row allows: as parent the least it may have, as child the most. So whichever of the writes under way are
 * stored, in whichever order, no budget is exceeded.
 */
import { atLeast } from "./amounts.ts";
import { boundAt, dimensionOf, nameIn } from "./dimensions.ts";
import { boundedBy, leastOf, mostOf, type Place, possible, type Reservation, type Row, reserved } from "./row.ts";

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
    const dimension = dimensionOf(resource);
    const known = this.#charges.get(dimension)?.get(tenant);
    if (known !== undefined) return known;
    const row = this.#rows.get(tenant);
    const own = row === undefined ? undefined : mostOf(row, dimension);
    const charge = atLeast(own ?? 0n, this.allocated(tenant, dimension));
    const ofDimension = this.#charges.get(dimension);
    if (ofDimension === undefined) this.#charges.set(dimension, new Map([[tenant, charge]]));
    else ofDimension.set(tenant, charge);
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
  const { amounts } = ask.reservation;
  const found = [...boundedBy(row)].flatMap((dimension) => {
    const below = ask.force ? undefined : shortBelow(rowFor(rows, ask.place), row, after, dimension);
    const above = shortAbove(row, before, after, dimension, used);
    const resource = nameIn([amounts, ...possible(row)], dimension);
    const asked = boundAt(amounts, dimension) ?? 0n;
    return [below, above].flatMap((one) => (one === undefined ? [] : [{ ...one, resource, asked }]));
  });
  return found.sort((a, b) => (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0));
}

type Found = Omit<Shortage, "resource" | "asked">;

/** Only a lower bound, or one where there was none, can leave the tenant's own tenants without. */
function shortBelow(old: Row, row: Row, after: Charges, dimension: string): Found | undefined {
  const total = leastOf(row, dimension);
  const was = leastOf(old, dimension);
  if (total === undefined || (was !== undefined && was <= total)) return undefined;
  const allocated = after.allocated(row.owns, dimension);
  if (allocated <= total) return undefined;
  return { is: "below", tenant: row.owns, left: total - allocated, total, allocated, used: 0n };
}

function shortAbove(row: Row, before: Charges, after: Charges, dimension: string, used: UsedOf): Found | undefined {
  let taker = row.owns;
  for (const ancestor of after.above(row)) {
    const charge = after.charge(taker, dimension);
    // Nothing more is taken from here on: what is wrong above was wrong before, and is not for this write to put right.
    if (charge <= before.charge(taker, dimension)) return undefined;
    const total = leastOf(ancestor, dimension);
    if (total !== undefined) {
      const inUse = used(ancestor.owns, nameIn(possible(ancestor), dimension), row.owns);
      const allocated = after.allocated(ancestor.owns, dimension) - charge;
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
  for (const dimension of boundedBy(row)) {
    const total = leastOf(row, dimension) ?? 0n;
    const allocated = charges.allocated(tenant, dimension);
    if (allocated <= total) continue;
    found.set(nameIn(possible(row), dimension), {
      is: "below",
      tenant,
      left: total - allocated,
      total,
      allocated,
      used: 0n,
    });
  }
  return found;
}

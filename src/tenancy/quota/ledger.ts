/**
 * A ledger as a value, and as the object of ours that keeps it.
 */
import { QuotaLedger, type QuotaLedgerRow, type QuotaLedgerSpec } from "../../contracts/internal-cozystack-io.ts";
import type { KubeObject } from "../../kube/object.ts";
import { formatAmounts, readAmounts } from "./amounts.ts";
import type { Rows } from "./charges.ts";
import { isEmpty, type Reservation, type Row, reserved, seenAs } from "./row.ts";

/** Namespace of the ledgers; tenants have no rights in it. */
export const LEDGER_NAMESPACE = "cozy-system";

export interface Ledger {
  /** Namespace of its topmost tenant. */
  readonly tenant: string;
  readonly ancestors: readonly string[];
  /** See QuotaLedgerSpec. */
  readonly complete: boolean;
  readonly into?: string;
  readonly rows: Rows;
  readonly resourceVersion?: string;
}

export interface LedgerObject extends KubeObject {
  readonly spec: QuotaLedgerSpec;
}

const ancestorLabel = (namespace: string): string => `tenant.cozystack.io/${namespace}`;

/** Selects the ledgers of tenants below one. */
export const belowSelector = ancestorLabel;

export function ledgerOf(object: LedgerObject): Ledger {
  const { ancestors, complete, into, rows } = object.spec;
  const { resourceVersion } = object.metadata;
  return {
    tenant: object.metadata.name,
    ancestors,
    complete,
    ...(into === undefined ? {} : { into }),
    rows: new Map(Object.entries(rows).map(([owns, row]) => [owns, readRow(owns, row)])),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/** Rows that hold nothing are left out. */
export function objectOf({ tenant, ancestors, complete, into, rows, resourceVersion }: Ledger): LedgerObject {
  const kept = [...rows].filter(([, row]) => !isEmpty(row)).sort(([a], [b]) => (a < b ? -1 : 1));
  return QuotaLedger(tenant, {
    namespace: LEDGER_NAMESPACE,
    labels: Object.fromEntries(ancestors.map((namespace) => [ancestorLabel(namespace), ""])),
    metadata: resourceVersion === undefined ? {} : { resourceVersion },
    spec: {
      ancestors,
      complete,
      ...(into === undefined ? {} : { into }),
      rows: Object.fromEntries(kept.map(([owns, row]) => [owns, writeRow(row)])),
    },
  });
}

function readRow(owns: string, { name, under, uid, version, quotas, pending = [] }: QuotaLedgerRow): Row {
  return {
    owns,
    name,
    ancestors: under === "" ? [] : under.split(","),
    ...(uid === undefined || version === undefined ? {} : { stored: { uid, version, amounts: readAmounts(quotas) } }),
    pending: pending.flatMap((one): Reservation[] => {
      const known = { amounts: readAmounts(one.quotas), at: one.at };
      if (one.uid !== undefined) return [{ ...known, uid: one.uid }];
      return one.base === undefined ? [] : [{ ...known, base: one.base }];
    }),
  };
}

function writeRow({ name, ancestors, stored, pending }: Row): QuotaLedgerRow {
  const writes = pending.map(({ amounts, at, ...which }) => ({ quotas: formatAmounts(amounts), at, ...which }));
  return {
    name,
    under: ancestors.join(","),
    ...(stored === undefined
      ? {}
      : { uid: stored.uid, version: stored.version, quotas: formatAmounts(stored.amounts) }),
    ...(writes.length === 0 ? {} : { pending: writes }),
  };
}

/** Rows of several ledgers as one. A tenant is in one of them; in two only while one is left over, then both count. */
export function merged(all: readonly Rows[]): Rows {
  const rows = new Map<string, Row>();
  for (const [owns, row] of all.flatMap((each) => [...each])) {
    const known = rows.get(owns);
    rows.set(owns, known === undefined ? row : mergedRow(known, row));
  }
  return rows;
}

function mergedRow(a: Row, b: Row): Row {
  const newest = b.stored === undefined ? a : seenAs({ ...a, pending: [] }, b.stored);
  return [...a.pending, ...b.pending].reduce(reserved, { ...newest, pending: [] });
}

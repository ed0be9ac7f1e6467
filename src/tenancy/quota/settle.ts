/**
 * Brings one ledger up to what was observed: what is stored is no reservation any more, what is gone is given back, and
 * a ledger that holds nothing goes.
 */
import type { Ledger } from "./ledger.ts";
import type { Ledgers } from "./ledgers.ts";
import { type Observation, settled, withMissing } from "./observation.ts";
import type { Place, Row, Seen } from "./row.ts";

export interface Findings {
  readonly observation: Observation;
  /** Rows to look at; absent: all. */
  readonly rows?: readonly string[];
  /** Tenants within the ledger that have a budget and may have no row. */
  readonly found?: readonly (readonly [Place, Seen])[];
}

/** What is left to wait for. */
export interface SettledLedger {
  readonly ledger: Ledger;
  /** When the oldest reservation was made, if there is one. Milliseconds since the epoch. */
  readonly oldest?: number;
}

/** Settles the ledger as it is stored; undefined when there is none any more. */
export async function settleLedger(
  ledgers: Ledgers,
  tenant: string,
  { observation, rows: which, found = [] }: Findings,
): Promise<SettledLedger | undefined> {
  for (;;) {
    const ledger = await ledgers.read(tenant);
    if (ledger === undefined) return undefined;
    if (ledger.into !== undefined) return takenOver(ledgers, ledger);
    if (!ledger.complete) {
      await ledgers.fresh({ owns: tenant, name: "", ancestors: ledger.ancestors });
      continue;
    }
    const rows = settled(withMissing(ledger.rows, found), observation, which);
    if (rows.size === 0) {
      await ledgers.remove(ledger);
      return undefined;
    }
    const written = rows === ledger.rows ? ledger : await ledgers.write(ledger, rows);
    if (written !== undefined) return withOldest(written);
  }
}

/** Removes a ledger once the one that took it over counts; sees to it that it does. */
async function takenOver(ledgers: Ledgers, ledger: Ledger): Promise<undefined> {
  let taker = ledger.into === undefined ? undefined : await ledgers.read(ledger.into);
  while (taker?.complete === false && taker.into !== undefined) taker = await ledgers.read(taker.into);
  if (taker?.complete === false) {
    await ledgers.fresh({ owns: taker.tenant, name: "", ancestors: taker.ancestors });
  }
  await ledgers.remove(ledger);
}

function withOldest(ledger: Ledger): SettledLedger {
  const times = [...ledger.rows.values()].flatMap(({ pending }) => pending.map(({ at }) => at));
  return times.length === 0 ? { ledger } : { ledger, oldest: Math.min(...times) };
}

/** Names of the Tenant objects with reservations made before `time`. */
export function waitingSince(ledger: Ledger, time: number): readonly Row[] {
  return [...ledger.rows.values()].filter(({ pending }) => pending.some(({ at }) => at < time));
}

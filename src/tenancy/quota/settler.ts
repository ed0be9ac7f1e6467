/**
 * Keeps the ledgers true: what was let through and stored, or never will be, is no reservation any more; what was deleted is
 * given back; tenants that no gate saw get their rows.
 */
import type { Client } from "../../kube/client.ts";
import { type Outcome, type WorkQueue, workQueue } from "../../kube/queue.ts";
import type { Change, Store } from "../../kube/store.ts";
import type { World } from "../../kube/world.ts";
import type { TenantPlace } from "../../sdk/context.ts";
import { sameAmounts } from "./amounts.ts";
import { RESERVED_MS } from "./gate.ts";
import { Landed } from "./landed.ts";
import { LEDGER_NAMESPACE, type LedgerObject } from "./ledger.ts";
import { Ledgers } from "./ledgers.ts";
import { keyOfRow, type Observation } from "./observation.ts";
import { namespaceOf, type Place, type Row, type Seen } from "./row.ts";
import { type SettledLedger, settleLedger, waitingSince } from "./settle.ts";
import { placeBelow, seenOf, Tenant, type TenantObject, tenantKey } from "./tenant-kind.ts";

export interface SettlerOptions {
  readonly client: Client;
  readonly world: World;
  readonly tenants: Store<TenantObject>;
  readonly ledgers: Store<LedgerObject>;
  readonly placeOf: (namespace: string) => TenantPlace | undefined;
  /** See GateOptions. */
  readonly reservedMs?: number;
  readonly onError?: (ledger: string, error: unknown) => void;
}

/** Several changes are settled together. Milliseconds. */
const TOGETHER_MS = 200;

export class Settler {
  readonly #options: SettlerOptions;
  readonly #ledgers: Ledgers;
  readonly #queue: WorkQueue;
  readonly #reservedMs: number;
  readonly #landed = new Landed();
  /** Tenants to look at, by the top of the tree that they are found from. */
  readonly #dirty = new Map<string, Set<string>>();

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#reservedMs = options.reservedMs ?? RESERVED_MS;
    this.#ledgers = new Ledgers(options.client);
    const { world, onError } = options;
    const work = (tenant: string): Promise<Outcome> => this.#work(tenant);
    this.#queue = workQueue({ world, concurrency: 2, work, ...(onError === undefined ? {} : { onError }) });
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#queue.run(signal);
  }

  ledgerChanged({ type, object }: Change<LedgerObject>): void {
    const { name } = object.metadata;
    if (type === "deleted") {
      this.#ledgers.forget(name);
      return;
    }
    const ledger = this.#ledgers.learn(object);
    const waits = [...ledger.rows.values()].some(({ pending }) => pending.length > 0);
    if (waits || !ledger.complete || ledger.into !== undefined) this.#queue.addAfter(name, TOGETHER_MS);
  }

  tenantChanged(change: Change<TenantObject>): void {
    const { metadata } = change.object;
    this.#landed.note(metadata.uid, metadata.resourceVersion);
    const parent = this.#options.placeOf(metadata.namespace ?? "");
    if (parent === undefined) return;
    const place = placeBelow(metadata.name, parent);
    const seen = change.type === "deleted" ? undefined : seenOf(change.object);
    const row = this.#rowOf(place);
    const isNew = row === undefined && (seen?.amounts.size ?? 0) > 0;
    if (!isNew && (row === undefined || !differs(row, seen))) return;
    const ledger = this.#ledgers.known(place)?.tenant ?? place.owns;
    const dirty = this.#dirty.get(ledger);
    if (dirty === undefined) this.#dirty.set(ledger, new Set([tenantKey(metadata.namespace, metadata.name)]));
    else dirty.add(tenantKey(metadata.namespace, metadata.name));
    this.#queue.addAfter(ledger, TOGETHER_MS);
  }

  #rowOf(place: Place): Row | undefined {
    return this.#ledgers.known(place)?.rows.get(place.owns);
  }

  /** The Tenants as the store has them. */
  #stored(): Observation {
    const { tenants } = this.#options;
    return {
      at: (key) => {
        const [namespace = "", name = ""] = key.split("/");
        const tenant = tenants.get(name, namespace);
        return tenant === undefined ? undefined : seenOf(tenant);
      },
      asOf: tenants.resourceVersion ?? "0",
      landed: (uid) => this.#landed.versionOf(uid),
    };
  }

  async #work(tenant: string): Promise<Outcome> {
    const dirty = this.#dirty.get(tenant) ?? new Set<string>();
    this.#dirty.delete(tenant);
    const found = [...dirty].map((key) => this.#found(key)).filter((one) => one !== undefined);
    // Makes the ledger of a tenant that no gate saw.
    const [first] = found;
    const name = first === undefined ? tenant : (await this.#ledgers.of(first[0])).tenant;
    const rows =
      this.#options.ledgers.get(name, LEDGER_NAMESPACE) === undefined ? undefined : this.#toLookAt(name, dirty);
    const findings = { observation: this.#stored(), found, ...(rows === undefined ? {} : { rows }) };
    // Taken over since: what is left of it goes.
    if (name !== tenant) await settleLedger(this.#ledgers, tenant, { observation: this.#stored() });
    const settled = await settleLedger(this.#ledgers, name, findings);
    return settled === undefined ? { is: "done" } : this.#expire(name, settled);
  }

  #found(key: string): readonly [Place, Seen] | undefined {
    const [namespace = "", name = ""] = key.split("/");
    const tenant = this.#options.tenants.get(name, namespace);
    const parent = this.#options.placeOf(namespace);
    return tenant === undefined || parent === undefined ? undefined : [placeBelow(name, parent), seenOf(tenant)];
  }

  /** Rows of changed tenants, and those with writes under way. */
  #toLookAt(ledger: string, dirty: ReadonlySet<string>): readonly string[] {
    const rows = this.#ledgers.knownBy(ledger)?.rows.values() ?? [];
    return [...rows].filter((row) => row.pending.length > 0 || dirty.has(keyOfRow(row))).map(({ owns }) => owns);
  }

  /** Ends reservations whose writes cannot be stored any more, each after a look at its Tenant itself. */
  async #expire(tenant: string, { ledger, oldest }: SettledLedger): Promise<Outcome> {
    const { client, world } = this.#options;
    if (oldest === undefined) return { is: "done" };
    const before = world.now() - this.#reservedMs;
    if (oldest >= before) return { is: "again", after: oldest - before + 1 };
    const waiting = waitingSince(ledger, before);
    const seen = new Map<string, Seen>();
    for (const row of waiting) {
      const live = await client.get(Tenant, row.name, namespaceOf(row));
      if (live !== undefined) seen.set(keyOfRow(row), seenOf(live));
    }
    const observation: Observation = {
      at: (key) => seen.get(key),
      // Each was looked at after the ledger was, so at least at its version.
      asOf: ledger.resourceVersion ?? "0",
      expiredBefore: before,
    };
    const left = await settleLedger(this.#ledgers, tenant, { observation, rows: waiting.map(({ owns }) => owns) });
    return left?.oldest === undefined ? { is: "done" } : { is: "again", after: Math.max(1, left.oldest - before) };
  }
}

function differs(row: Row, seen: Seen | undefined): boolean {
  if (row.pending.length > 0 || row.stored === undefined || seen === undefined) return true;
  return row.stored.uid !== seen.uid || !sameAmounts(row.stored.amounts, seen.amounts);
}

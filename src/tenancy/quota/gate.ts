/**
 * The gate: whether a budget may be declared. It answers yes only after the budget is reserved in the ledger, so that
 * whoever asks at the same time, here or at another instance, is counted.
 */
import { CozystackError } from "../../kube/errors.ts";
import { isOlder } from "../../kube/resource-version.ts";
import type { World } from "../../kube/world.ts";
import type { TenantPlace } from "../../sdk/context.ts";
import { type Amounts, sameAmounts } from "./amounts.ts";
import { type Ask, admitted, type Rows, rowFor, type Shortage, shortages, type UsedOf } from "./charges.ts";
import { Landed } from "./landed.ts";
import type { Ledger } from "./ledger.ts";
import { type LedgerClient, Ledgers } from "./ledgers.ts";
import { type Observation, settled, withMissing } from "./observation.ts";
import { type Place, type Seen, seenAs } from "./row.ts";
import { placeBelow, seenOf, Tenant, type TenantObject, tenantKey } from "./tenant-kind.ts";

/** A write of a Tenant that changes its budget, as the API server is about to store it. */
export interface BudgetWrite {
  readonly name: string;
  readonly namespace: string;
  readonly amounts: Amounts;
  /** The object that it changes; or the uid of the one that it creates. */
  readonly over: Seen | { readonly creates: string };
  readonly force: boolean;
  /** Only ask. */
  readonly dryRun: boolean;
}

export type Verdict = { readonly is: "admitted" } | { readonly is: "refused"; readonly shortages: readonly Shortage[] };

export interface GateOptions {
  readonly client: LedgerClient;
  readonly world: World;
  /** Where a namespace is in the tree of tenants; undefined when it is no tenant's. */
  readonly placeOf: (namespace: string) => Promise<TenantPlace | undefined>;
  readonly used: UsedOf;
  /** Milliseconds after which a write that was let through cannot be stored any more. Default {@link RESERVED_MS}. */
  readonly reservedMs?: number;
  /** Milliseconds within which an answer is given. Default 4,000: the API server waits for 5. */
  readonly patience?: number;
}

/** As often as Tenants are looked at before somebody is refused, with that pause between. */
const LOOKS = 3;
const WATCH_DELAY_MS = 150;

/** Longer than twice the API server's request timeout of 60 s, with half a minute for clocks that differ. */
export const RESERVED_MS = 150_000;

/** The namespace is not that of a tenant, so nobody could say whose budget it counts against. */
export class NotInTree extends CozystackError {
  constructor(namespace: string) {
    super(
      "NotInTree",
      `${namespace} is not, or not yet, the namespace of a tenant`,
      "Create the tenant in the namespace of another one, when that one is ready.",
    );
  }
}

export class GateBusy extends CozystackError {
  constructor(tenant: string) {
    super("GateBusy", `the budgets around ${tenant} are changing too fast to decide in time`, "Try again.");
  }
}

type Look = Observation & { readonly tenants: readonly TenantObject[] };

/** A write that waits for its decision. */
interface Asked {
  readonly place: Place;
  readonly write: BudgetWrite;
  /** A look at the Tenants that began after the write was asked for. */
  readonly look: Look | undefined;
  readonly deadline: number;
  answer(verdict: Verdict): void;
  fail(error: unknown): void;
}

export class Gate {
  readonly ledgers: Ledgers;
  /** To be fed by a watch of Tenants. */
  readonly landed = new Landed();
  readonly #options: GateOptions;
  readonly #reservedMs: number;
  /**
   * Those who wait, by the top of their tree. All who wait when a decision begins are decided together and written at once:
   * they would only run into each other's compare-and-swap, and those of other instances.
   */
  readonly #lines = new Map<string, Asked[]>();
  #listing: Promise<void> = Promise.resolve();
  #next: Promise<Look> | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#reservedMs = options.reservedMs ?? RESERVED_MS;
    this.ledgers = new Ledgers(options.client);
  }

  /**
   * Brings the ledgers up to what the Tenants say. Before its first decision an instance must have done so: tenants may be
   * older than their ledger.
   */
  async prepare(): Promise<void> {
    const look = await this.#look();
    const all: (readonly [Place, Seen])[] = [];
    for (const tenant of look.tenants) {
      const seen = seenOf(tenant);
      const parent = await this.#options.placeOf(tenant.metadata.namespace ?? "");
      if (parent !== undefined && seen.amounts.size > 0) all.push([placeBelow(tenant.metadata.name, parent), seen]);
    }
    // Those above first: then there is one ledger from the start.
    all.sort(([a], [b]) => a.ancestors.length - b.ancestors.length);
    for (const [place] of all) await this.#addMissing(place, all, look);
  }

  async #addMissing(place: Place, all: readonly (readonly [Place, Seen])[], look: Look): Promise<void> {
    for (;;) {
      const ledger = await this.ledgers.of(place);
      const within = all.filter(([{ owns, ancestors }]) => [...ancestors, owns].includes(ledger.tenant));
      const rows = settled(withMissing(ledger.rows, within), look);
      if (rows === ledger.rows || (await this.ledgers.write(ledger, rows)) !== undefined) return;
    }
  }

  /** @throws NotInTree, GateBusy, LedgersBusy, ApiError: nothing is decided, and nothing may be stored. */
  async decide(write: BudgetWrite): Promise<Verdict> {
    const { world, patience = 4_000 } = this.#options;
    const deadline = world.monotonic() + patience;
    const parent = await this.#options.placeOf(write.namespace);
    if (parent === undefined) throw new NotInTree(write.namespace);
    const place = placeBelow(write.name, parent);
    let verdict = await this.#ask(place, write, deadline, undefined);
    // Nobody is refused on account of what is remembered: something may have been deleted meanwhile. What was created and
    // deleted again is told by the watch alone, which may be a moment behind.
    for (let again = 0; verdict.is === "refused" && again < LOOKS; again += 1) {
      if (again > 0 && !this.#isUnclear(place)) break;
      if (again > 0) await world.sleep(WATCH_DELAY_MS);
      verdict = await this.#ask(place, write, deadline, await this.#look());
    }
    return verdict;
  }

  /** Whether the ledger has creates under way that may have come and gone. */
  #isUnclear(place: Place): boolean {
    const rows = this.ledgers.known(place)?.rows.values() ?? [];
    return [...rows].some(({ pending }) => pending.some((one) => "uid" in one));
  }

  #ask(place: Place, write: BudgetWrite, deadline: number, look: Look | undefined): Promise<Verdict> {
    // Everything below a child of the root waits together: as far as two can share a ledger unless the root has one.
    const key = place.ancestors[1] ?? place.owns;
    return new Promise((answer, fail) => {
      const asked: Asked = { place, write, deadline, look, answer, fail };
      const line = this.#lines.get(key);
      if (line !== undefined) line.push(asked);
      else {
        this.#lines.set(key, [asked]);
        void this.#serve(key);
      }
    });
  }

  async #serve(key: string): Promise<void> {
    for (let line = this.#lines.get(key); line !== undefined && line.length > 0; line = this.#lines.get(key)) {
      const asked = line.splice(0);
      const late = asked.filter(({ deadline }) => this.#options.world.monotonic() > deadline);
      for (const { fail, place } of late) fail(new GateBusy(place.owns));
      const inTime = asked.filter((one) => !late.includes(one));
      try {
        line.unshift(...(await this.#round(inTime)));
      } catch (error) {
        for (const { fail } of inTime) fail(error);
      }
    }
    this.#lines.delete(key);
  }

  /** Decides on all of them; gives those back whose ledger was changed by others meanwhile. */
  async #round(asked: readonly Asked[]): Promise<readonly Asked[]> {
    const fresh = new Set<string>();
    const groups = new Map<string, { readonly ledger: Ledger; readonly asked: Asked[] }>();
    for (const one of asked) {
      let ledger = await this.ledgers.of(one.place);
      if (one.look !== undefined && !fresh.has(ledger.tenant)) {
        ledger = await this.ledgers.fresh(one.place);
        fresh.add(ledger.tenant);
        groups.set(ledger.tenant, { ledger, asked: groups.get(ledger.tenant)?.asked ?? [] });
      }
      const group = groups.get(ledger.tenant);
      if (group === undefined) groups.set(ledger.tenant, { ledger, asked: [one] });
      else group.asked.push(one);
    }
    const again: Asked[] = [];
    for (const group of groups.values()) again.push(...(await this.#decideOn(group.ledger, group.asked)));
    return again;
  }

  async #decideOn(ledger: Ledger, asked: readonly Asked[]): Promise<readonly Asked[]> {
    let rows = ledger.rows;
    for (const { look } of asked) if (look !== undefined) rows = settled(rows, look);
    let reserves = false;
    const verdicts = asked.map((one): readonly [Asked, Verdict] => {
      const { verdict, next } = this.#judge(rows, one);
      if (next !== undefined) [rows, reserves] = [next, true];
      return [one, verdict];
    });
    if (reserves && (await this.ledgers.write(ledger, rows)) === undefined) return asked;
    for (const [{ answer }, verdict] of verdicts) answer(verdict);
    return [];
  }

  /** The verdict on one write, and the rows with its reservation if it needs one. */
  #judge(given: Rows, { place, write }: Asked): { readonly verdict: Verdict; readonly next?: Rows } {
    const { world, used } = this.#options;
    const { over } = write;
    let rows = given;
    if (!("creates" in over)) {
      const row = rowFor(rows, place);
      // The object has changed since the API server read it: it will find out, read again and ask again.
      if (isOlder(over.version, row.stored?.version)) return { verdict: { is: "admitted" } };
      if (row.pending.length === 0 && sameAmounts(over.amounts, write.amounts)) return { verdict: { is: "admitted" } };
      rows = new Map(rows).set(place.owns, seenAs(row, over));
    }
    const ask: Ask = {
      place,
      force: write.force,
      reservation: {
        amounts: write.amounts,
        at: world.now(),
        ...("creates" in over ? { uid: over.creates } : { base: over.version }),
      },
    };
    const missing = shortages(rows, ask, used);
    if (missing.length > 0) return { verdict: { is: "refused", shortages: missing } };
    return { verdict: { is: "admitted" }, ...(write.dryRun ? {} : { next: admitted(rows, ask) }) };
  }

  /** All Tenants as stored now. Whoever asks while a list is under way shares the next one. */
  #look(): Promise<Look> {
    this.#next ??= this.#listing.then(() => {
      this.#next = undefined;
      const look = this.#list();
      this.#listing = look.then(
        () => undefined,
        () => undefined,
      );
      return look;
    });
    return this.#next;
  }

  async #list(): Promise<Look> {
    const began = this.#options.world.now();
    const { items, resourceVersion } = await this.#options.client.list(Tenant);
    const seen = new Map(items.map((one) => [tenantKey(one.metadata.namespace, one.metadata.name), seenOf(one)]));
    return {
      tenants: items,
      at: (key) => seen.get(key),
      asOf: resourceVersion,
      landed: (uid) => this.landed.versionOf(uid),
      expiredBefore: began - this.#reservedMs,
    };
  }
}

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

type Attempt = Verdict | { readonly is: "conflict" };

export class Gate {
  readonly ledgers: Ledgers;
  readonly #options: GateOptions;
  readonly #reservedMs: number;
  /** One decision at a time a ledger: they would only run into each other's compare-and-swap. */
  readonly #turns = new Map<string, Promise<unknown>>();
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
    const observation = await this.#observe();
    const missing: (readonly [Place, Seen])[] = [];
    for (const tenant of observation.tenants) {
      const seen = seenOf(tenant);
      const parent = await this.#options.placeOf(tenant.metadata.namespace ?? "");
      if (parent !== undefined && seen.amounts.size > 0) missing.push([placeBelow(tenant.metadata.name, parent), seen]);
    }
    // Those above first: then there is one ledger from the start.
    missing.sort(([a], [b]) => a.ancestors.length - b.ancestors.length);
    for (const [place] of missing) await this.#addMissing(place, missing, observation);
  }

  async #addMissing(place: Place, all: readonly (readonly [Place, Seen])[], observation: Observation): Promise<void> {
    for (;;) {
      const ledger = await this.ledgers.of(place);
      const within = all.filter(([{ owns, ancestors }]) => [...ancestors, owns].includes(ledger.tenant));
      const rows = settled(withMissing(ledger.rows, within), observation);
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
    let observation: Observation | undefined;
    while (world.monotonic() < deadline) {
      const attempt = await this.#inTurn(place, () => this.#attempt(place, write, observation));
      if (attempt.is === "admitted") return attempt;
      // Nobody is refused on account of what is remembered: something may have been deleted meanwhile.
      if (attempt.is === "refused") {
        if (observation !== undefined) return attempt;
        observation = await this.#observe();
      }
    }
    throw new GateBusy(place.owns);
  }

  async #attempt(place: Place, write: BudgetWrite, observation: Observation | undefined): Promise<Attempt> {
    const { world, used } = this.#options;
    const ledger = await (observation === undefined ? this.ledgers.of(place) : this.ledgers.fresh(place));
    const { over } = write;
    let rows: Rows = observation === undefined ? ledger.rows : settled(ledger.rows, observation);
    if (!("creates" in over)) {
      const row = rowFor(rows, place);
      // The object has changed since the API server read it: it will find out, read again and ask again.
      if (isOlder(over.version, row.stored?.version)) return { is: "admitted" };
      if (row.pending.length === 0 && sameAmounts(over.amounts, write.amounts)) return { is: "admitted" };
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
    if (missing.length > 0) return { is: "refused", shortages: missing };
    if (write.dryRun) return { is: "admitted" };
    const written = await this.ledgers.write(ledger, admitted(rows, ask));
    return { is: written === undefined ? "conflict" : "admitted" };
  }

  /** After whoever works on the same top of the tree. */
  async #inTurn<T>({ ancestors, owns }: Place, work: () => Promise<T>): Promise<T> {
    // Everything below a child of the root shares a turn, which is as far as two can share a ledger unless the root has one.
    const key = ancestors[1] ?? owns;
    const before = this.#turns.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(key, ended);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === ended) this.#turns.delete(key);
    }
  }

  /** All Tenants as stored now. Whoever asks while a list is under way shares the next one. */
  #observe(): Promise<Look> {
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
      expiredBefore: began - this.#reservedMs,
    };
  }
}

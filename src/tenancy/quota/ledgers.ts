/**
 * The ledgers in the cluster: which one a tenant is in, and how it is changed.
 *
 * There is one for each topmost tenant with a budget. When a tenant above gets its first budget, the ledger that is made for
 * it takes over those below, however many processes see it at the same time and wherever they die: each taken one is first
 * marked by compare-and-swap, so that nobody changes it any more; then all rows are copied in one write, which alone makes
 * the new ledger count. Whoever makes one below looks above afterwards, so one of two always sees the other.
 */
import { QuotaLedger } from "../../contracts/internal-cozystack-io.ts";
import type { Client } from "../../kube/client.ts";
import { CozystackError, isApiError } from "../../kube/errors.ts";
import { isOlder } from "../../kube/resource-version.ts";
import type { Rows } from "./charges.ts";
import {
  belowSelector,
  LEDGER_NAMESPACE,
  type Ledger,
  type LedgerObject,
  ledgerOf,
  merged,
  objectOf,
} from "./ledger.ts";
import type { Place } from "./row.ts";

/** What the ledgers need of a client. */
export type LedgerClient = Pick<Client, "get" | "list" | "create" | "replace" | "delete">;

/** Others changed the ledgers faster than this process could read them. */
export class LedgersBusy extends CozystackError {
  constructor(tenant: string) {
    super("LedgersBusy", `the budget ledger of ${tenant} is being changed by others`, "Try again.");
  }
}

const ATTEMPTS = 20;

export class Ledgers {
  readonly #client: LedgerClient;
  /** By tenant. May be old: everything decided by it is confirmed by the write that follows, or read anew. */
  readonly #known = new Map<string, Ledger>();

  constructor(client: LedgerClient) {
    this.#client = client;
  }

  /** Takes in what a watch brings. */
  learn(object: LedgerObject): Ledger {
    const ledger = ledgerOf(object);
    const known = this.#known.get(ledger.tenant);
    if (known !== undefined && isOlder(ledger.resourceVersion, known.resourceVersion)) return known;
    this.#known.set(ledger.tenant, ledger);
    return ledger;
  }

  forget(tenant: string): void {
    this.#known.delete(tenant);
  }

  /** What is remembered of the ledger that decides on the tenant. */
  known({ ancestors, owns }: Place): Ledger | undefined {
    return [...ancestors, owns]
      .flatMap((tenant) => this.#known.get(tenant) ?? [])
      .find(({ into }) => into === undefined);
  }

  knownBy(tenant: string): Ledger | undefined {
    return this.#known.get(tenant);
  }

  /** The ledger as stored now. */
  async read(tenant: string): Promise<Ledger | undefined> {
    const object = await this.#client.get(QuotaLedger, tenant, LEDGER_NAMESPACE);
    if (object === undefined) this.forget(tenant);
    return object === undefined ? undefined : this.learn(object);
  }

  /**
   * The ledger that decides on the tenant; made where there is none. From memory where possible: writes confirm it.
   * @throws LedgersBusy
   */
  async of(place: Place): Promise<Ledger> {
    const known = this.known(place);
    return known?.complete === true ? known : this.fresh(place);
  }

  /** As {@link of}, read from the cluster. */
  async fresh(place: Place): Promise<Ledger> {
    const lineage = [...place.ancestors, place.owns];
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const found = (await this.#readAll(lineage)).find(({ into }) => into === undefined) ?? (await this.#open(place));
      const settled = found?.complete === true ? found : found && (await this.#complete(found));
      if (settled !== undefined) return settled;
    }
    throw new LedgersBusy(place.owns);
  }

  /** Those of `lineage` that exist, in its order. */
  async #readAll(lineage: readonly string[]): Promise<readonly Ledger[]> {
    const read = await Promise.all(lineage.map((tenant) => this.read(tenant)));
    return read.flatMap((ledger) => ledger ?? []);
  }

  /** An empty ledger for the tenant, which decides nothing yet; undefined where one exists that was taken over. */
  async #open({ owns, ancestors }: Place): Promise<Ledger | undefined> {
    const ledger: Ledger = { tenant: owns, ancestors, complete: false, rows: new Map() };
    try {
      return this.learn(await this.#client.create(QuotaLedger, objectOf(ledger)));
    } catch (error) {
      if (!isApiError(error, "AlreadyExists")) throw error;
    }
    const left = await this.read(owns);
    if (left?.into === undefined) return left;
    // What took it over is gone, emptied: nothing of it counts any more.
    await this.remove(left);
    return undefined;
  }

  /** Makes the ledger count, or gives way to one above; undefined: look again. */
  async #complete(ledger: Ledger): Promise<Ledger | undefined> {
    const above = (await this.#readAll(ledger.ancestors)).find(({ into }) => into === undefined);
    if (above !== undefined) {
      await this.write({ ...ledger, into: above.tenant }, ledger.rows);
      return undefined;
    }
    const { items } = await this.#client.list(QuotaLedger, {
      namespace: LEDGER_NAMESPACE,
      labelSelector: belowSelector(ledger.tenant),
    });
    const frozen = await Promise.all(items.map((item) => this.#freeze(this.learn(item), ledger.tenant)));
    const below = new Map(frozen.flatMap((one) => (one === undefined ? [] : [[one.tenant, one] as const])));
    const taken = [...below.values()].filter((one) => one.complete && isLeftTo(one, ledger.tenant, below));
    return this.write({ ...ledger, complete: true }, merged([ledger.rows, ...taken.map(({ rows }) => rows)]));
  }

  /** The ledger as nobody changes it any more. */
  async #freeze(ledger: Ledger, into: string): Promise<Ledger | undefined> {
    let now: Ledger | undefined = ledger;
    while (now !== undefined && now.into === undefined) {
      const marked: Ledger | undefined = await this.write({ ...now, into }, now.rows);
      now = marked ?? (await this.read(ledger.tenant));
    }
    return now;
  }

  /** The ledger as stored; undefined when somebody else has changed it since: read it again. */
  async write(ledger: Ledger, rows: Rows): Promise<Ledger | undefined> {
    try {
      return this.learn(await this.#client.replace(QuotaLedger, objectOf({ ...ledger, rows })));
    } catch (error) {
      if (!isApiError(error, "Conflict", "NotFound")) throw error;
      this.forget(ledger.tenant);
      return undefined;
    }
  }

  /** Deletes a ledger that holds nothing or was taken over, unless it was changed since it was read. */
  async remove({ tenant, resourceVersion }: Ledger): Promise<void> {
    this.forget(tenant);
    try {
      await this.#client.delete(QuotaLedger, tenant, LEDGER_NAMESPACE, {
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      });
    } catch (error) {
      if (!isApiError(error, "Conflict")) throw error;
    }
  }
}

/** Whether the rows of a taken ledger come to `taker`: nothing that it was first marked for has taken them before. */
function isLeftTo(ledger: Ledger, taker: string, below: ReadonlyMap<string, Ledger>): boolean {
  for (let into = ledger.into; into !== taker; ) {
    const next = into === undefined ? undefined : below.get(into);
    if (next === undefined || next.complete) return false;
    into = next.into;
  }
  return true;
}

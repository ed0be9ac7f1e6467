/**
 * What quotas of ours refused lately: learned from the Warning events by which controllers report that they could not create
 * something. Kept until it fits or is asked for no more.
 */
import type { EventObject } from "../../contracts/core.ts";
import type { World } from "../../kube/world.ts";
import { type Amounts, readAmounts } from "./amounts.ts";
import type { Demands } from "./shares.ts";

/** Name of the quota that the enforcer writes. */
export const ALLOCATED = "tenant-quota-allocated";

const REFUSAL = new RegExp(`exceeded quota: ${ALLOCATED}, requested: (.*?), used: `);

/** Controllers try again within minutes; who does not has given up. Milliseconds. */
const WANTED_FOR = 300_000;
/** Time to create what was provided for, before others may have it. Milliseconds. */
const KEPT_FOR = 60_000;

/** What an event says was refused; undefined for an event about something else. */
export function refusalIn({ message = "" }: Pick<EventObject, "message">): Amounts | undefined {
  const requested = REFUSAL.exec(message)?.[1];
  if (requested === undefined) return undefined;
  return readAmounts(Object.fromEntries(requested.split(",").map((part) => part.split("="))));
}

interface Demand {
  amount: bigint;
  at: number;
  servedAt?: number;
}

export class RefusalMemory implements Demands {
  readonly #world: Pick<World, "monotonic">;
  readonly #demands = new Map<string, Map<string, Demand>>();

  constructor(world: Pick<World, "monotonic">) {
    this.#world = world;
  }

  refused(namespace: string, amounts: Amounts): void {
    const known = this.#demands.get(namespace) ?? new Map<string, Demand>();
    this.#demands.set(namespace, known);
    for (const [key, amount] of amounts) known.set(key, { amount, at: this.#world.monotonic() });
  }

  of(namespace: string, key: string): bigint | undefined {
    const demand = this.#current(namespace, key);
    return demand?.servedAt === undefined ? demand?.amount : undefined;
  }

  isFresh(namespace: string, key: string): boolean {
    return this.#current(namespace, key)?.servedAt !== undefined;
  }

  served(namespace: string, key: string): void {
    const demand = this.#current(namespace, key);
    if (demand !== undefined) demand.servedAt = this.#world.monotonic();
  }

  forget(namespace: string): void {
    this.#demands.delete(namespace);
  }

  #current(namespace: string, key: string): Demand | undefined {
    const demands = this.#demands.get(namespace);
    const demand = demands?.get(key);
    if (demands === undefined || demand === undefined) return undefined;
    const { at, servedAt } = demand;
    const until = servedAt === undefined ? at + WANTED_FOR : servedAt + KEPT_FOR;
    if (this.#world.monotonic() < until) return demand;
    demands.delete(key);
    if (demands.size === 0) this.#demands.delete(namespace);
    return undefined;
  }
}

/**
 * A cluster of one key for tests of how pools are shared: quotas that come into force later than they are written, and
 * admission by what is in force.
 */
import assert from "node:assert/strict";
import type { Amounts } from "../../src/tenancy/quota/amounts.ts";
import { RefusalMemory } from "../../src/tenancy/quota/demands.ts";
import type { Pool } from "../../src/tenancy/quota/pool.ts";
import { Pools } from "../../src/tenancy/quota/pools.ts";
import { decide, type Hard, relief } from "../../src/tenancy/quota/shares.ts";

export const UNIT = 1_000_000_000n;
export const KEY = "requests.nvidia.com/gpu";
export const cores = (count: number): bigint => BigInt(count) * UNIT;

interface Member {
  readonly ancestors: readonly string[];
  spec: bigint | undefined;
  hard: bigint | undefined;
  used: bigint;
}

export class Cluster {
  readonly members = new Map<string, Member>();
  readonly caps = new Map<string, bigint>();
  readonly queue = new Set<string>();
  readonly demands: RefusalMemory;
  readonly pools: Pools;
  writes = 0;
  readonly #cuts = new Map<string, Hard>();

  constructor() {
    this.demands = new RefusalMemory({ monotonic: () => 0 });
    this.pools = new Pools((pool) => {
      for (const namespace of pool.waiting.first(8)) this.queue.add(namespace);
    });
  }

  join(namespace: string, ancestors: readonly string[]): void {
    if (this.members.has(namespace)) return;
    this.members.set(namespace, { ancestors, spec: undefined, hard: undefined, used: 0n });
    this.pools.setNamespace(namespace, ancestors);
    this.queue.add(namespace);
  }

  leave(namespace: string): void {
    this.members.delete(namespace);
    this.pools.removeNamespace(namespace);
    this.queue.delete(namespace);
  }

  budget(namespace: string, ancestors: readonly string[], cap: bigint | undefined): void {
    if (cap === undefined) this.caps.delete(namespace);
    else this.caps.set(namespace, cap);
    this.pools.setBudget(namespace, ancestors, cap === undefined ? new Map() : new Map([[KEY, cap]]));
    for (const each of this.pools.subtree(namespace)) this.queue.add(each);
    for (const tenant of [namespace, ...ancestors]) {
      const pool = this.pools.poolAt(tenant, KEY);
      if (pool !== undefined) this.#take(relief(this.pools, pool));
    }
  }

  /** The API server's answer to something that needs `amount`. */
  create(namespace: string, amount: bigint): boolean {
    const member = this.members.get(namespace);
    if (member?.hard === undefined) return false;
    if (member.used + amount > member.hard) {
      this.demands.refused(namespace, new Map([[KEY, amount]]));
      this.queue.add(namespace);
      return false;
    }
    member.used += amount;
    this.#tell(namespace, member);
    return true;
  }

  remove(namespace: string, amount: bigint): void {
    const member = this.members.get(namespace);
    if (member === undefined) return;
    member.used = member.used > amount ? member.used - amount : 0n;
    this.#tell(namespace, member);
  }

  /** What was written comes into force; true when what was in use before there was a quota shows only now. */
  enforce(namespace: string): boolean {
    const member = this.members.get(namespace);
    if (member?.spec === undefined || member.hard === member.spec) return false;
    const shows = member.hard === undefined && member.used > 0n;
    member.hard = member.spec;
    this.#tell(namespace, member);
    return shows;
  }

  work(namespace: string): void {
    this.queue.delete(namespace);
    const member = this.members.get(namespace);
    if (member === undefined) return;
    const { hard, takes } = decide(this.pools, namespace, this.demands);
    this.#take(takes);
    let wanted = hard.get(KEY);
    const cut = this.#cuts.get(namespace)?.get(KEY);
    this.#cuts.delete(namespace);
    if (wanted !== undefined && cut !== undefined && cut < wanted) wanted = cut;
    if (wanted === member.spec) return;
    this.writes += 1;
    member.spec = wanted;
    if (wanted === undefined) member.hard = undefined;
    this.#tell(namespace, member);
  }

  /** Until nothing changes any more. */
  rest(): void {
    for (let rounds = 0; rounds < 2_000; rounds += 1) {
      const before = this.writes;
      for (const namespace of this.members.keys()) this.enforce(namespace);
      for (const namespace of [...this.queue]) this.work(namespace);
      if (this.queue.size === 0 && this.writes === before) return;
    }
    assert.fail("the shares never come to rest");
  }

  pool(tenant: string): Pool {
    const pool = this.pools.poolAt(tenant, KEY);
    assert.ok(pool);
    return pool;
  }

  #tell(namespace: string, { spec, hard, used }: Member): void {
    const amounts = (amount: bigint | undefined): Amounts => new Map(amount === undefined ? [] : [[KEY, amount]]);
    const quota = { spec: amounts(spec), hard: amounts(hard), used: hard === undefined ? new Map() : amounts(used) };
    this.pools.setQuota(namespace, spec === undefined ? undefined : quota);
    this.queue.add(namespace);
  }

  #take(takes: ReadonlyMap<string, Hard>): void {
    for (const [namespace, hard] of takes) {
      this.#cuts.set(namespace, hard);
      this.queue.add(namespace);
    }
  }
}

/**
 * Who draws from which budget, and how much of it they hold: pools, kept current event by event. Pure.
 *
 * For each key a tenant with an amount of it is the root of a pool. Members are the namespaces whose nearest such tenant, their
 * own included, it is. A tenant below with an amount of its own is carved out of the pool above. An event about a namespace
 * costs as many steps as it has keys and ancestors, however many tenants there are; only a change of which keys a tenant
 * bounds looks at all the tenants below it.
 */
import { type Amounts, atLeast, noAmounts } from "./amounts.ts";
import type { Counted } from "./headrooms.ts";
import { chargeOf, newPool, type Pool, type QuotaState, roomOf, totalOf } from "./pool.ts";
import { SubtreeUse } from "./subtree-use.ts";

interface Share extends Counted {
  pool: Pool;
  held: bigint;
  planned: bigint;
  used: bigint;
}

interface Node {
  readonly ancestors: readonly string[];
  /** Whether the namespace exists. */
  exists: boolean;
  readonly pools: Map<string, Pool>;
  readonly shares: Map<string, Share>;
  quota: QuotaState | undefined;
  /** Written, and not answered yet. */
  intended: Amounts | undefined;
}

export class Pools {
  /** Called with each pool in which there is more room than before. */
  readonly #onRoom: (pool: Pool) => void;
  readonly #nodes = new Map<string, Node>();
  readonly #below = new Map<string, Set<string>>();
  readonly #usage = new SubtreeUse();

  constructor(onRoom: (pool: Pool) => void = () => undefined) {
    this.#onRoom = onRoom;
  }

  /** The tenant's budget by enforced key; empty: none. */
  setBudget(namespace: string, ancestors: readonly string[], budget: Amounts): void {
    const node = this.#node(namespace, ancestors);
    for (const key of [...node.pools.keys()]) if (!budget.has(key)) this.#removePool(namespace, node, key);
    for (const [key, cap] of budget) {
      const pool = node.pools.get(key);
      if (pool === undefined) this.#addPool(namespace, node, key, cap);
      else this.#setCap(pool, cap);
    }
    this.#dropIfEmpty(namespace, node);
  }

  #setCap(pool: Pool, cap: bigint): void {
    this.#change(pool, () => {
      pool.cap = cap;
    });
  }

  setNamespace(namespace: string, ancestors: readonly string[]): void {
    const node = this.#node(namespace, ancestors);
    if (node.exists) return;
    node.exists = true;
    for (const key of this.#keysAbove(namespace, node)) this.#enter(namespace, node, key);
  }

  removeNamespace(namespace: string): void {
    const node = this.#nodes.get(namespace);
    if (node === undefined) return;
    node.exists = false;
    this.#usage.change([namespace, ...node.ancestors], node.quota?.used, undefined);
    node.quota = undefined;
    node.intended = undefined;
    for (const key of [...node.shares.keys()]) this.#leave(namespace, node, key);
    this.#dropIfEmpty(namespace, node);
  }

  /** What is known of the namespace's quota. */
  setQuota(namespace: string, quota: QuotaState | undefined): void {
    const node = this.#nodes.get(namespace);
    if (node === undefined) return;
    this.#usage.change([namespace, ...node.ancestors], node.quota?.used, quota?.used);
    node.quota = quota;
    this.#recount(namespace, node);
  }

  /** Counts amounts that are about to be written as held; undefined: the write is answered. */
  intend(namespace: string, amounts: Amounts | undefined): void {
    const node = this.#nodes.get(namespace);
    if (node === undefined) return;
    node.intended = amounts;
    this.#recount(namespace, node);
  }

  quotaOf(namespace: string): QuotaState | undefined {
    return this.#nodes.get(namespace)?.quota;
  }

  /** The pools that the namespace draws from, by key; empty where nothing bounds it. */
  poolsOf(namespace: string): ReadonlyMap<string, Pool> {
    const shares = this.#nodes.get(namespace)?.shares ?? new Map<string, Share>();
    return new Map([...shares].map(([key, { pool }]) => [key, pool]));
  }

  /** What the namespace holds of the key and does not use; 0 while a change of it is under way. */
  headroomAt(namespace: string, key: string): bigint {
    return this.#nodes.get(namespace)?.shares.get(key)?.room ?? 0n;
  }

  poolAt(tenant: string, key: string): Pool | undefined {
    return this.#nodes.get(tenant)?.pools.get(key);
  }

  /** The namespace and all known ones below it. */
  subtree(namespace: string): Iterable<string> {
    return [...(this.#nodes.has(namespace) ? [namespace] : []), ...(this.#below.get(namespace) ?? [])];
  }

  /** What the members of the tenant's pool use, those at and below `except` left out. */
  usedOf(tenant: string, key: string, except: string): bigint {
    const pool = this.poolAt(tenant, key);
    if (pool === undefined) return 0n;
    let used = pool.used;
    for (const namespace of this.subtree(except)) {
      const share = this.#nodes.get(namespace)?.shares.get(key);
      if (share?.pool === pool) used -= share.used;
    }
    return used;
  }

  /** What everything at and below the namespace uses of the key, whichever pools it draws from. */
  usedBelow(namespace: string, key: string): bigint {
    return this.#usage.of(namespace, key);
  }

  #node(namespace: string, ancestors: readonly string[]): Node {
    const known = this.#nodes.get(namespace);
    if (known !== undefined) return known;
    const node: Node = {
      ancestors,
      exists: false,
      pools: new Map(),
      shares: new Map(),
      quota: undefined,
      intended: undefined,
    };
    this.#nodes.set(namespace, node);
    for (const ancestor of ancestors) {
      const below = this.#below.get(ancestor);
      if (below === undefined) this.#below.set(ancestor, new Set([namespace]));
      else below.add(namespace);
    }
    return node;
  }

  #dropIfEmpty(namespace: string, node: Node): void {
    if (node.exists || node.pools.size > 0) return;
    this.#nodes.delete(namespace);
    for (const ancestor of node.ancestors) {
      const below = this.#below.get(ancestor);
      below?.delete(namespace);
      if (below?.size === 0) this.#below.delete(ancestor);
    }
  }

  #keysAbove(namespace: string, node: Node): ReadonlySet<string> {
    return new Set([namespace, ...node.ancestors].flatMap((each) => [...(this.#nodes.get(each)?.pools.keys() ?? [])]));
  }

  /** The nearest pool of the key above the namespace. */
  #poolAbove(node: Node, key: string): Pool | undefined {
    for (const ancestor of node.ancestors.toReversed()) {
      const pool = this.poolAt(ancestor, key);
      if (pool !== undefined) return pool;
    }
    return undefined;
  }

  #addPool(namespace: string, node: Node, key: string, cap: bigint): void {
    const above = this.#poolAbove(node, key);
    const pool = newPool(namespace, key, cap);
    node.pools.set(key, pool);
    this.#attach(pool, above);
    this.#redraw(namespace, key, above);
  }

  #removePool(namespace: string, node: Node, key: string): void {
    const pool = node.pools.get(key);
    if (pool === undefined) return;
    node.pools.delete(key);
    this.#redraw(namespace, key, pool);
    this.#attach(pool, undefined);
  }

  /** Finds the pool of everybody at and below the namespace anew who was in `from`, or in none. */
  #redraw(namespace: string, key: string, from: Pool | undefined): void {
    for (const each of this.subtree(namespace)) {
      const node = this.#nodes.get(each);
      if (node === undefined) continue;
      const own = node.pools.get(key);
      if (each !== namespace && own !== undefined && own.parent === from) this.#attach(own, this.#poolAbove(node, key));
      if (!node.exists || node.shares.get(key)?.pool !== from) continue;
      this.#leave(each, node, key);
      this.#enter(each, node, key);
    }
  }

  #attach(pool: Pool, parent: Pool | undefined): void {
    const before = pool.parent;
    if (before === parent) return;
    const [total, charge] = [totalOf(pool), chargeOf(pool)];
    pool.parent = parent;
    if (before !== undefined) {
      before.children.delete(pool);
      this.#change(before, () => {
        before.below -= total;
        before.carved -= charge;
      });
    }
    if (parent === undefined) return;
    parent.children.add(pool);
    this.#change(parent, () => {
      parent.below += total;
      parent.carved += charge;
    });
  }

  #enter(namespace: string, node: Node, key: string): void {
    const pool = node.pools.get(key) ?? this.#poolAbove(node, key);
    if (pool === undefined) return;
    node.shares.set(key, { pool, held: 0n, planned: 0n, used: 0n, room: 0n });
    pool.members.add(namespace);
    this.#count(namespace, node, key);
  }

  #leave(namespace: string, node: Node, key: string): void {
    const share = node.shares.get(key);
    if (share === undefined) return;
    const { pool } = share;
    this.#shift(share, { held: 0n, planned: 0n, used: 0n });
    pool.headrooms.set(namespace, share, 0n);
    pool.members.delete(namespace);
    pool.waiting.delete(namespace);
    node.shares.delete(key);
  }

  #recount(namespace: string, node: Node): void {
    for (const key of node.shares.keys()) this.#count(namespace, node, key);
  }

  #count(namespace: string, node: Node, key: string): void {
    const share = node.shares.get(key);
    if (share === undefined) return;
    const { spec, hard, used } = node.quota ?? { spec: noAmounts, hard: noAmounts, used: noAmounts };
    const [asked, inForce, inUse] = [spec.get(key) ?? 0n, hard.get(key), used.get(key) ?? 0n];
    const intended = node.intended?.get(key);
    const planned = atLeast(intended ?? asked, inUse);
    // A lower amount counts only when it is in force, a higher one from the moment it is sent.
    const held = atLeast(atLeast(asked, inForce ?? 0n), planned);
    this.#shift(share, { held, planned, used: inUse });
    const settled = intended === undefined && inForce === asked;
    share.pool.headrooms.set(namespace, share, settled ? planned - inUse : 0n);
  }

  #shift(share: Share, now: { readonly held: bigint; readonly planned: bigint; readonly used: bigint }): void {
    const { pool } = share;
    this.#change(pool, () => {
      pool.held += now.held - share.held;
      pool.planned += now.planned - share.planned;
      pool.used += now.used - share.used;
    });
    Object.assign(share, now);
  }

  /** Changes a pool and carries what it means to the pools above. */
  #change(pool: Pool, apply: () => void): void {
    const [total, charge, used] = [totalOf(pool), chargeOf(pool), pool.used];
    const room = roomOf(pool);
    apply();
    if (roomOf(pool) > room || totalOf(pool) < total || pool.used < used) this.#onRoom(pool);
    const [more, moreCharge] = [totalOf(pool) - total, chargeOf(pool) - charge];
    const { parent } = pool;
    if (parent === undefined || (more === 0n && moreCharge === 0n)) return;
    this.#change(parent, () => {
      parent.below += more;
      parent.carved += moreCharge;
    });
  }
}

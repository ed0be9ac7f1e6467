/**
 * How a pool is shared: what each member may use at most, so that all together never exceed the pool. Pure; docs/quota.md
 * explains it.
 *
 * What is free is handed out in equal parts, as headroom for whatever is created next; one part more than there are members
 * is kept for whoever needs it. A member whose headroom runs low, or in which something was refused, is given from what is kept; where
 * that is not enough it is taken from the members with the most headroom, and given once it is theirs no more.
 */
import { atLeast, atMost } from "./amounts.ts";
import { leastShare, stepOf } from "./keys.ts";
import { forMembers, type Pool, roomOf, totalOf } from "./pool.ts";
import type { Pools } from "./pools.ts";

/** Members from which is taken at a time: the next are asked when these have given. */
const DONORS = 16;

/** As many are looked at for it: what they do not give is found when the next event comes. */
const LOOKED_AT = 4 * DONORS;

/** Amounts by key. */
export type Hard = Map<string, bigint>;

export interface Decision {
  /** `spec.hard` that the namespace should have now. */
  readonly hard: Hard;
  /** Lower amounts for others first, by namespace: what they hold is needed here. */
  readonly takes: ReadonlyMap<string, Hard>;
}

/** What is known of refusals. */
export interface Demands {
  /** The largest amount that was refused in the namespace lately and is not provided for yet. */
  of(namespace: string, key: string): bigint | undefined;
  /** Whether headroom was just given for something that is about to be created. */
  isFresh(namespace: string, key: string): boolean;
  /** What was refused fits now. */
  served(namespace: string, key: string): void;
}

const positive = (amount: bigint): bigint => atLeast(amount, 0n);
const wholeSteps = (key: string, amount: bigint): bigint => (amount / stepOf(key)) * stepOf(key);

/** Headroom that a member should have. */
export function headroomOf({ key, members, used, ...pool }: Pool): bigint {
  const free = positive(pool.cap - pool.carved - used);
  const count = BigInt(members.size);
  // Alone there is nobody to keep anything for.
  if (count <= 1n) return wholeSteps(key, free);
  return wholeSteps(key, atLeast(atMost(free, leastShare(key)), free / (count + 1n)));
}

/** Room in every pool above: what is given to a member is used there too. */
function roomAbove(pool: Pool): { readonly room: bigint; readonly at: Pool } {
  let [room, at] = [pool.cap - totalOf(pool), pool];
  for (let above = pool.parent; above !== undefined; above = above.parent) {
    const here = above.cap - totalOf(above);
    if (here < room) [room, at] = [here, above];
  }
  return { room, at };
}

/** What the namespace should have, by what is known now. */
export function decide(pools: Pools, namespace: string, demands: Demands): Decision {
  const hard: Hard = new Map();
  const takes = new Map<string, Hard>();
  const quota = pools.quotaOf(namespace);
  for (const [key, pool] of pools.poolsOf(namespace)) {
    pool.waiting.delete(namespace);
    const asked = quota?.spec.get(key);
    // Nothing, until it is known what is in use already.
    if (quota === undefined || asked === undefined) hard.set(key, 0n);
    // Until the last change is in force nobody knows what is in use.
    else if (quota.hard.get(key) !== asked) hard.set(key, asked);
    else {
      const member = { pools, pool, key, namespace, asked, used: quota.used.get(key) ?? 0n };
      hard.set(key, shareOf(member, demands, takes));
    }
  }
  return { hard, takes };
}

interface Member {
  readonly pools: Pools;
  readonly pool: Pool;
  readonly key: string;
  readonly namespace: string;
  readonly asked: bigint;
  readonly used: bigint;
}

function shareOf(member: Member, demands: Demands, takes: Map<string, Hard>): bigint {
  const { pool, key, namespace, asked, used } = member;
  const headroom = positive(asked - used);
  const excess = pool.planned - forMembers(pool);
  // Below what it uses nothing starts any more; what runs is left alone.
  if (excess > 0n) return asked - atMost(atMost(headroom, excess), asked);
  const want = headroomOf(pool);
  const demand = demands.of(namespace, key) ?? 0n;
  const isPossible = demand > 0n && demand <= forMembers(pool) - pool.used;
  if (isPossible && headroom >= demand) demands.served(namespace, key);
  const isShort = isPossible && headroom < demand;
  if (!isShort && (headroom >= lowMark(pool, want) || headroom >= want)) return asked;
  const goal = used + (isShort ? atLeast(demand, want) : want);
  const least = isShort ? used + demand : goal;
  // What was refused elsewhere comes before mere headroom.
  const promised = isShort ? 0n : pool.waiting.wantedByOthers(namespace);
  const above = roomAbove(pool);
  const available = positive(atMost(roomOf(pool) - promised, above.room));
  const given = wholeSteps(key, atMost(goal - asked, available));
  const missing = least - asked - given;
  if (missing > 0n) {
    const wanted = isShort ? missing : 0n;
    pool.waiting.set(namespace, wanted);
    if (above.at !== pool && above.room < roomOf(pool)) above.at.waiting.set(namespace, 0n);
    const onItsWay = pool.held - pool.planned;
    if (isShort || promised === 0n) take(member, { missing: missing - onItsWay, isShort, want, demands }, takes);
  }
  return asked + given;
}

/** Headroom below which a member is topped up: not at every object, so that most events cost no write. */
function lowMark({ members, key }: Pool, want: bigint): bigint {
  return members.size <= 1 ? want : atLeast(want / 2n, atMost(want, leastShare(key)));
}

interface Need {
  readonly missing: bigint;
  /** Something was refused: others may be left without any headroom. */
  readonly isShort: boolean;
  readonly want: bigint;
  readonly demands: Demands;
}

function take({ pools, pool, key, namespace }: Member, need: Need, takes: Map<string, Hard>): void {
  let left = need.missing;
  let [donors, looked] = [0, 0];
  for (const donor of pool.headrooms.richest()) {
    looked += 1;
    if (left <= 0n || donors >= DONORS || looked > LOOKED_AT) return;
    if (donor === namespace || need.demands.isFresh(donor, key)) continue;
    const headroom = pools.headroomAt(donor, key);
    // The classes come in order: nobody after this one has more than twice as much.
    if (!need.isShort && headroom <= need.want) return;
    const spare = need.isShort ? headroom : headroom <= 2n * need.want ? 0n : headroom - need.want;
    const cut = atMost(spare, left);
    if (cut <= 0n) continue;
    addTake(takes, donor, key, (pools.quotaOf(donor)?.spec.get(key) ?? 0n) - cut);
    left -= cut;
    donors += 1;
  }
}

function addTake(takes: Map<string, Hard>, donor: string, key: string, amount: bigint): void {
  const known = takes.get(donor);
  if (known === undefined) takes.set(donor, new Map([[key, amount]]));
  else known.set(key, amount);
}

/** What to take from whom when a pool has become smaller than what its members were promised. */
export function relief(pools: Pools, pool: Pool): ReadonlyMap<string, Hard> {
  const takes = new Map<string, Hard>();
  let left = pool.planned - forMembers(pool);
  for (const donor of pool.headrooms.richest()) {
    if (left <= 0n) break;
    const cut = atMost(pools.headroomAt(donor, pool.key), left);
    addTake(takes, donor, pool.key, (pools.quotaOf(donor)?.spec.get(pool.key) ?? 0n) - cut);
    left -= cut;
  }
  return takes;
}

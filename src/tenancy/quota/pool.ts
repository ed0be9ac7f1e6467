/**
 * One pool: a tenant's budget of one key, who draws from it and how much of it they hold.
 */
import { type Amounts, atLeast } from "./amounts.ts";
import { Headrooms } from "./headrooms.ts";
import { Waiting } from "./waiting.ts";

/** ResourceQuota `tenant-quota-allocated` of a namespace, as known last. Billionths by enforced key. */
export interface QuotaState {
  /** Asked for. */
  readonly spec: Amounts;
  /** In force. */
  readonly hard: Amounts;
  readonly used: Amounts;
}

/** A tenant's budget of one key. All amounts in billionths. */
export interface Pool {
  /** Namespace of the tenant whose budget it is. */
  readonly tenant: string;
  readonly key: string;
  cap: bigint;
  parent: Pool | undefined;
  readonly children: Set<Pool>;
  readonly members: Set<string>;
  /** What the members may use at most at this moment. */
  held: bigint;
  /** What they may use once every write under way is in force. */
  planned: bigint;
  used: bigint;
  /** Kept for tenants below with an amount of their own. */
  carved: bigint;
  /** What everybody below those may use at this moment. */
  below: bigint;
  readonly headrooms: Headrooms;
  readonly waiting: Waiting;
}

/** What everybody in the pool's subtree may use at this moment. Never above `cap` but for what was in use already. */
export const totalOf = ({ held, below }: Pool): bigint => held + below;
/** What the members may hold together. */
export const forMembers = ({ cap, carved }: Pool): bigint => cap - carved;
/** What may be given to members now. Below 0: they hold too much. */
export const roomOf = (pool: Pool): bigint => forMembers(pool) - pool.held;
/** What is kept for the pool in the one above. */
export const chargeOf = (pool: Pool): bigint => atLeast(pool.cap, totalOf(pool));

export function newPool(tenant: string, key: string, cap: bigint): Pool {
  return {
    tenant,
    key,
    cap,
    parent: undefined,
    children: new Set(),
    members: new Set(),
    held: 0n,
    planned: 0n,
    used: 0n,
    carved: 0n,
    below: 0n,
    headrooms: new Headrooms(),
    waiting: new Waiting(),
  };
}

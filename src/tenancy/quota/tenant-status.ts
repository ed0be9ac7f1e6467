/**
 * What a Tenant's status says about budgets. Pure.
 */
import { type Amounts, formatAmount, formatAmounts } from "./amounts.ts";
import type { Budgets, Declared } from "./budgets.ts";
import { amountAt, dimensionOf } from "./dimensions.ts";
import { usageKey } from "./keys.ts";
import type { Pools } from "./pools.ts";

type Texts = Readonly<Record<string, string>>;

/** A tenant below, as the one above sees it. */
export interface ChildQuota {
  readonly name: string;
  /** What it declares; absent: nothing, it draws from the budget above. */
  readonly budget?: Texts;
  readonly allocated?: Texts;
  /** By it and everything below it. */
  readonly used?: Texts;
  readonly left?: Texts;
}

/** `status.quota` of a Tenant. Amounts by resource, as they are declared. */
export interface TenantQuota {
  readonly budget?: Texts;
  /** To tenants below with budgets of their own. */
  readonly allocated?: Texts;
  /** By what draws from this budget directly; without one, by the tenant and everything below it. */
  readonly used?: Texts;
  readonly left?: Texts;
  /** Where the tenant draws from other budgets: namespace of the tenant whose it is. */
  readonly from?: Texts;
  readonly children?: readonly ChildQuota[];
  /** `taken/budget`, for the columns of kubectl. */
  readonly summary?: Texts;
}

/** As many children as a status lists; `cozystack quota` shows all. */
const CHILDREN = 50;

interface Sums {
  readonly budget: Amounts;
  readonly allocated: Amounts;
  readonly used: Amounts;
  readonly left: Amounts;
}

function sumsOf({ place, amounts }: Declared, pools: Pools, budgets: Pick<Budgets, "of">): Sums {
  const [allocated, used, left] = [new Map<string, bigint>(), new Map<string, bigint>(), new Map<string, bigint>()];
  for (const [resource, budget] of amounts) {
    const pool = pools.poolAt(place.owns, usageKey(resource));
    const dimension = dimensionOf(resource);
    let given = 0n;
    for (const child of pool?.children ?? []) {
      const declared = budgets.of(child.tenant)?.amounts;
      given += declared === undefined ? 0n : (amountAt(declared, dimension) ?? 0n);
    }
    const inUse = pool?.used ?? 0n;
    allocated.set(resource, given);
    used.set(resource, inUse);
    left.set(resource, budget - given - inUse);
  }
  return { budget: amounts, allocated, used, left };
}

function textsOf({ budget, allocated, used, left }: Sums): Omit<ChildQuota, "name"> {
  return {
    budget: formatAmounts(budget),
    allocated: formatAmounts(allocated),
    used: formatAmounts(used),
    left: formatAmounts(left),
  };
}

export interface StatusInput {
  readonly owns: string;
  readonly pools: Pools;
  readonly budgets: Pick<Budgets, "of">;
  /** Names of the tenants ordered in its namespace, and the namespaces that they own. */
  readonly children: readonly { readonly name: string; readonly owns: string }[];
}

/** The resources that count for a namespace: those declared by it or by whoever it draws from. */
function resourcesFrom(owns: string, pools: Pools, budgets: Pick<Budgets, "of">): ReadonlyMap<string, string> {
  const from = new Map<string, string>();
  for (const [key, pool] of pools.poolsOf(owns)) {
    for (const resource of budgets.of(pool.tenant)?.amounts.keys() ?? []) {
      if (usageKey(resource) === key) from.set(resource, pool.tenant);
    }
  }
  return from;
}

function usedBelow(owns: string, resources: Iterable<string>, pools: Pools): Texts {
  return Object.fromEntries(
    [...resources]
      .sort()
      .map((resource) => [resource, formatAmount(resource, pools.usedBelow(owns, usageKey(resource)))]),
  );
}

/** The status; undefined for a tenant that has to do with no budget. */
export function tenantQuota({ owns, pools, budgets, children }: StatusInput): TenantQuota | undefined {
  const declared = budgets.of(owns);
  const drawn = resourcesFrom(owns, pools, budgets);
  const from = Object.fromEntries([...drawn].filter(([, tenant]) => tenant !== owns).sort());
  const listed = children.slice(0, CHILDREN).flatMap((child) => childQuota(child, pools, budgets) ?? []);
  if (declared === undefined && drawn.size === 0 && listed.length === 0) return undefined;
  const sums = declared === undefined ? undefined : sumsOf(declared, pools, budgets);
  return {
    ...(sums === undefined ? { used: usedBelow(owns, drawn.keys(), pools) } : textsOf(sums)),
    ...(Object.keys(from).length === 0 ? {} : { from }),
    ...(listed.length === 0 ? {} : { children: listed }),
    ...(sums === undefined ? {} : { summary: summaryOf(sums) }),
  };
}

function childQuota(
  { name, owns }: StatusInput["children"][number],
  pools: Pools,
  budgets: Pick<Budgets, "of">,
): ChildQuota | undefined {
  const declared = budgets.of(owns);
  if (declared !== undefined) return { name, ...textsOf(sumsOf(declared, pools, budgets)) };
  const drawn = resourcesFrom(owns, pools, budgets);
  return drawn.size === 0 ? undefined : { name, used: usedBelow(owns, drawn.keys(), pools) };
}

function summaryOf({ budget, allocated, used }: Sums): Texts {
  return Object.fromEntries(
    [...budget].sort().map(([resource, total]) => {
      const taken = (allocated.get(resource) ?? 0n) + (used.get(resource) ?? 0n);
      return [resource, `${formatAmount(resource, taken)}/${formatAmount(resource, total)}`];
    }),
  );
}

/** Why the tenant's budget is exceeded, resource by resource; empty: it is not. */
export function excessOf(owns: string, pools: Pools, budgets: Pick<Budgets, "of">): readonly string[] {
  const declared = budgets.of(owns);
  if (declared === undefined) return [];
  const { budget, allocated } = sumsOf(declared, pools, budgets);
  return [...budget].sort().flatMap(([resource, total]) => {
    const text = (nano: bigint): string => formatAmount(resource, nano);
    const given = allocated.get(resource) ?? 0n;
    if (given > total)
      return [`${resource}: ${text(given)} allocated of ${text(total)}, ${text(given - total)} too much`];
    const pool = pools.poolAt(owns, usageKey(resource));
    // Enforced amounts: with the buffer, where there is one.
    const over = pool === undefined ? 0n : pool.used + pool.carved - pool.cap;
    if (pool === undefined || over <= 0n) return [];
    return [
      `${resource}: ${text(pool.used)} used beside ${text(pool.carved)} allocated of ${text(pool.cap)}, ${text(over)} too much`,
    ];
  });
}

/**
 * One thing has several names in budgets: `cpu` and `limits.cpu`, `nvidia.com/gpu` and `requests.nvidia.com/gpu`, `services` and
 * `count/services`. Whoever declares one of them is charged to whoever declares another. Pure.
 */
import { COUNTED } from "../../apps/tenant/quota.ts";
import { type Amounts, atMost } from "./amounts.ts";
import { RATED, usageKey } from "./keys.ts";

const COUNT = "count/";

/** What all names of a thing have in common; of itself, itself. */
export function dimensionOf(resource: string): string {
  const counted = resource.startsWith(COUNT) ? resource.slice(COUNT.length) : undefined;
  return counted !== undefined && COUNTED.has(counted) ? counted : usageKey(resource);
}

/** Every name of a dimension. */
function namesOf(dimension: string): readonly string[] {
  if (COUNTED.has(dimension)) return [dimension, `${COUNT}${dimension}`];
  const [, short] = /^(?:limits|requests)\.(.+)$/.exec(dimension) ?? [];
  return short !== undefined && usageKey(short) === dimension ? [short, dimension] : [dimension];
}

/** The dimension that bounds this one besides: nothing asks for more than its limits. */
function limitOf(dimension: string): string | undefined {
  const short = dimension.startsWith("requests.") ? dimension.slice("requests.".length) : undefined;
  return short !== undefined && RATED.has(short) ? `limits.${short}` : undefined;
}

const least = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || b === undefined ? (a ?? b) : atMost(a, b);

/** What is declared of the dimension, by whichever names: the least of them. */
export function amountAt(amounts: Amounts, dimension: string): bigint | undefined {
  return namesOf(dimension).reduce<bigint | undefined>((found, name) => least(found, amounts.get(name)), undefined);
}

/** What the amounts allow of the dimension, said or implied. */
export function boundAt(amounts: Amounts, dimension: string): bigint | undefined {
  const limit = limitOf(dimension);
  const declared = amountAt(amounts, dimension);
  return limit === undefined ? declared : least(declared, amountAt(amounts, limit));
}

/** Every dimension that the amounts bound. */
export function dimensionsOf(amounts: Amounts): ReadonlySet<string> {
  const found = new Set([...amounts.keys()].map(dimensionOf));
  for (const dimension of [...found]) {
    const requests = dimension.replace(/^limits\./, "requests.");
    if (limitOf(requests) === dimension) found.add(requests);
  }
  return found;
}

/** The name by which one of the amounts declares the dimension; without one its own. */
export function nameIn(all: readonly Amounts[], dimension: string): string {
  const names = namesOf(dimension);
  return all.flatMap((amounts) => names.find((name) => amounts.has(name)) ?? [])[0] ?? dimension;
}

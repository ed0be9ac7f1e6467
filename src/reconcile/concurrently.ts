/**
 * Doing a list of things with a bound on how many at a time.
 */

/** Results in the order of the items. The first rejection rejects the whole; what has begun still ends. */
export async function concurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const at = next;
      next += 1;
      const item = items[at];
      if (item !== undefined) results[at] = await work(item);
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, lane));
  for (const ended of lanes) if (ended.status === "rejected") throw ended.reason;
  return results;
}

/**
 * So many at a time: work waits its turn, first come first served.
 */

/** Runs work as soon as fewer than `limit` are under way. */
export function slots(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      // Whoever waits has this place at once: it is never free in between.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

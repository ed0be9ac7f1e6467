/**
 * Time and chance, passed in wherever they are used, so that tests and simulations decide them.
 */

export interface World {
  /** Wall clock, milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a clock that never goes back and does not stop; only differences mean something. */
  monotonic(): number;
  /** At least 0, below 1. */
  random(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const wake = () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** The machine's own clock and randomness. */
export const systemWorld: World = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  sleep,
};

/** The time as Kubernetes writes it: RFC 3339, seconds. */
export function timestamp(world: Pick<World, "now">): string {
  return new Date(world.now()).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Exponential back-off: `base`, doubled with every failure up to `cap`, spread over its upper half by chance. Milliseconds. */
export function backoff(failures: number, base: number, cap: number, random: () => number): number {
  const full = Math.min(cap, base * 2 ** Math.min(failures, 30));
  return full / 2 + (full / 2) * random();
}

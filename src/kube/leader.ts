/**
 * Leadership: work that one process does at a time, and the guard that keeps a former leader from writing.
 */
import type { Client } from "./client.ts";
import { type HeldLease, heldLease, LeaseLostError, type LeaseOptions } from "./lease.ts";

/** What the work is given. */
export interface Leadership {
  /**
   * Aborted when leadership ends. When it was lost, fenced writes are refused from then on; when the process stops,
   * the lease is kept until the work has ended.
   */
  readonly signal: AbortSignal;
  readonly lease: HeldLease;
}

/**
 * Runs `work` whenever this process leads, until `signal` is aborted. Leadership ends when the lease's time is over;
 * the work is waited for before the lease is sought again or released. A rejection of the work ends everything.
 */
export async function whileLeading(
  options: LeaseOptions,
  signal: AbortSignal,
  work: (leadership: Leadership) => Promise<void>,
): Promise<void> {
  const lease = heldLease(options);
  const stop = new AbortController();
  const running = lease.run(stop.signal);
  const step = async (): Promise<void> => {
    await until(lease, signal);
    if (signal.aborted) return;
    const term = new AbortController();
    const ended = endOfTerm(lease, options, AbortSignal.any([signal, term.signal])).then(() => term.abort());
    try {
      await work({ signal: term.signal, lease });
    } finally {
      term.abort();
      await ended;
    }
  };
  try {
    while (!signal.aborted) await step();
  } finally {
    stop.abort();
    await running;
  }
}

/** Resolves when the lease is held or the signal is aborted. */
function until(lease: HeldLease, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!lease.held() && !signal.aborted) return;
      stop();
      signal.removeEventListener("abort", look);
      resolve();
    };
    const stop = lease.onAttempt(look);
    signal.addEventListener("abort", look);
    look();
  });
}

/** Resolves when the lease's time is over or the signal is aborted. */
async function endOfTerm(lease: HeldLease, { world }: LeaseOptions, signal: AbortSignal): Promise<void> {
  while (lease.held() && !signal.aborted) {
    const lost = new AbortController();
    const stop = lease.onAttempt(() => {
      if (!lease.held()) lost.abort();
    });
    await world.sleep(lease.remaining(), AbortSignal.any([signal, lost.signal])).catch(() => {});
    stop();
  }
}

/** The same client, whose writes reject with {@link LeaseLostError} when `held` is false. Dry runs are writes here. */
export function fenced(client: Client, name: string, held: () => boolean): Client {
  const guard = () => {
    if (!held()) throw new LeaseLostError(name);
  };
  return {
    ...client,
    async create(...call) {
      guard();
      return client.create(...call);
    },
    async replace(...call) {
      guard();
      return client.replace(...call);
    },
    async apply(...call) {
      guard();
      return client.apply(...call);
    },
    async jsonPatch(...call) {
      guard();
      return client.jsonPatch(...call);
    },
    async mergePatch(...call) {
      guard();
      return client.mergePatch(...call);
    },
    async delete(...call) {
      guard();
      return client.delete(...call);
    },
    as: (identity) => fenced(client.as(identity), name, held),
  };
}

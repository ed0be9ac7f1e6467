/**
 * A work queue: keys that need attention, worked on by a bounded number of workers.
 *
 * A key is worked on by one worker at a time. Adding it again meanwhile means once more afterwards; adding it many times
 * before means once. Groups (tenants) share the workers evenly: a thousand waiting keys of one delay another's key by
 * no more than the work under way.
 */
import { delays } from "./delays.ts";
import { CozystackError } from "./errors.ts";
import { turns } from "./turns.ts";
import { backoff, type World } from "./world.ts";

/** What becomes of a key after it was worked on. */
export type Outcome =
  | { readonly is: "done" }
  /** Again after so many milliseconds; no failure. */
  | { readonly is: "again"; readonly after: number }
  /** Again after the key's back-off, which grows with each failure in a row; not before `after` ms, when given. */
  | { readonly is: "failed"; readonly error: unknown; readonly after?: number };

export interface QueueOptions {
  readonly world: World;
  /** Keys worked on at a time. */
  readonly concurrency: number;
  /** Works on a key. The signal is aborted when the queue stops. A throw counts as failed. */
  readonly work: (key: string, signal: AbortSignal) => Promise<Outcome>;
  /** The group of a key. Default: all keys are one group. */
  readonly groupOf?: (key: string) => string;
  /** Keys of one group worked on at a time. Default three quarters of `concurrency`, so that a busy group leaves room. */
  readonly groupConcurrency?: number;
  /**
   * Back-off of failing keys in milliseconds: the first, the longest, and the gap that even new events leave between
   * two attempts at a failing key. Default 500, 300,000 and 1,000.
   */
  readonly backoff?: { readonly base?: number; readonly cap?: number; readonly gap?: number };
  /** Told about each failure. */
  readonly onError?: (key: string, error: unknown) => void;
}

export interface WorkQueue {
  /** Work on the key now, or as soon as a failing key's gap allows. */
  add(key: string): void;
  /** Work on the key after so many milliseconds. The earliest of several counts. */
  addAfter(key: string, milliseconds: number): void;
  /** Drops what waits for the key, and its failures. Work under way is finished. */
  forget(key: string): void;
  /** Failures of the key in a row. */
  failures(key: string): number;
  /** Keys that wait for a worker. */
  readonly waiting: number;
  /** Keys under way. */
  readonly working: number;
  /** Keys that wait for their time. */
  readonly delayed: number;
  /** Works until the signal is aborted, then waits for what is under way. Once only. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when nothing waits for a worker or is under way. Delayed keys are not waited for. */
  idle(): Promise<void>;
}

interface Failing {
  readonly count: number;
  /** No attempt before this time, whatever happens. */
  readonly notBefore: number;
}

export function workQueue(options: QueueOptions): WorkQueue {
  const { world, concurrency } = options;
  const { base = 500, cap = 300_000, gap = 1_000 } = options.backoff ?? {};
  const groupOf = options.groupOf ?? (() => "");
  const share = options.groupOf === undefined ? concurrency : Math.max(1, Math.floor((concurrency * 3) / 4));
  const ready = turns(groupOf, options.groupConcurrency ?? share);
  const later = delays();
  const failing = new Map<string, Failing>();
  /** Keys under way, and whether they were added meanwhile. */
  const underWay = new Map<string, { again: boolean }>();
  const load = new Map<string, number>();
  let idlers: (() => void)[] = [];
  let running: AbortSignal | undefined;
  let alarm = new AbortController();
  let drained: (() => void) | undefined;

  const addLater = (key: string, due: number): void => {
    const earliest = later.earliest;
    later.add(key, due);
    if (earliest === undefined || due < earliest) alarm.abort();
  };

  /** In line for a worker; after the one that has the key, if any. */
  const admit = (key: string): void => {
    const active = underWay.get(key);
    if (active === undefined) ready.add(key);
    else active.again = true;
  };

  const add = (key: string): void => {
    const notBefore = failing.get(key)?.notBefore ?? 0;
    if (world.monotonic() < notBefore) {
      addLater(key, notBefore);
      return;
    }
    later.remove(key);
    admit(key);
    pump();
  };

  const settle = (key: string, outcome: Outcome, again: boolean): void => {
    if (outcome.is === "failed") {
      const count = (failing.get(key)?.count ?? 0) + 1;
      const wait = Math.max(backoff(count - 1, base, cap, world.random), outcome.after ?? 0);
      const now = world.monotonic();
      failing.set(key, { count, notBefore: now + Math.min(wait, gap) });
      addLater(key, now + wait);
      options.onError?.(key, outcome.error);
    } else {
      failing.delete(key);
      if (outcome.is === "again") addLater(key, world.monotonic() + outcome.after);
    }
    if (again) add(key);
  };

  const work = async (key: string, signal: AbortSignal): Promise<Outcome> => {
    try {
      return await options.work(key, signal);
    } catch (error) {
      return { is: "failed", error };
    }
  };

  const start = async (key: string, signal: AbortSignal): Promise<void> => {
    const group = groupOf(key);
    const entry = { again: false };
    underWay.set(key, entry);
    load.set(group, (load.get(group) ?? 0) + 1);
    const outcome = await work(key, signal);
    underWay.delete(key);
    const left = (load.get(group) ?? 1) - 1;
    if (left === 0) load.delete(group);
    else load.set(group, left);
    settle(key, outcome, entry.again);
    pump();
  };

  const pump = (): void => {
    while (running !== undefined && !running.aborted && underWay.size < concurrency) {
      const key = ready.next((group) => load.get(group) ?? 0);
      if (key === undefined) break;
      void start(key, running);
    }
    if (underWay.size > 0) return;
    if (running?.aborted === true) drained?.();
    if (ready.size > 0) return;
    const resolved = idlers;
    idlers = [];
    for (const resolve of resolved) resolve();
  };

  /** Moves keys whose time has come to those that wait for a worker. */
  const keepTime = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      for (const key of later.take(world.monotonic())) admit(key);
      pump();
      const { earliest } = later;
      const wait = earliest === undefined ? 2 ** 31 - 1 : Math.min(earliest - world.monotonic(), 2 ** 31 - 1);
      try {
        await world.sleep(Math.max(wait, 0), AbortSignal.any([signal, alarm.signal]));
      } catch {
        // Woken by an earlier time or by the end of the queue, which the loop sees itself.
        alarm = new AbortController();
      }
    }
  };

  return {
    add,
    addAfter(key, milliseconds) {
      if (milliseconds <= 0) add(key);
      else addLater(key, world.monotonic() + milliseconds);
    },
    forget(key) {
      ready.remove(key);
      later.remove(key);
      failing.delete(key);
      const active = underWay.get(key);
      if (active !== undefined) active.again = false;
    },
    failures: (key) => failing.get(key)?.count ?? 0,
    get waiting() {
      return ready.size;
    },
    get working() {
      return underWay.size;
    },
    get delayed() {
      return later.size;
    },
    async run(signal) {
      if (running !== undefined) {
        throw new CozystackError("QueueRunning", "a work queue runs once", "Make another queue.");
      }
      running = signal;
      const finished = new Promise<void>((resolve) => {
        drained = resolve;
      });
      await keepTime(signal);
      pump();
      await finished;
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        pump();
      }),
  };
}

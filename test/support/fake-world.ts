/** A world whose time stands still until a test moves it. */
import { setImmediate } from "node:timers/promises";
import type { World } from "../../src/kube/world.ts";

export interface FakeWorld extends World {
  /** Moves time forward, waking sleepers in order and letting what they start run. */
  advance(milliseconds: number): Promise<void>;
  /** Lets everything run that waits for no time. */
  settle(): Promise<void>;
  /** Moves the wall clock alone, as when somebody sets it. */
  setClock(now: number): void;
}

interface Sleeper {
  readonly due: number;
  wake(): void;
}

/** `random` gives the chances, default always 0.5. */
export function fakeWorld(random: () => number = () => 0.5): FakeWorld {
  let time = 0;
  let offset = Date.UTC(2026, 0, 1);
  const sleepers = new Set<Sleeper>();

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  };
  const next = (until: number): Sleeper | undefined =>
    [...sleepers].filter((sleeper) => sleeper.due <= until).sort((a, b) => a.due - b.due)[0];

  return {
    now: () => offset + time,
    monotonic: () => time,
    random,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        const abort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          due: time + milliseconds,
          wake() {
            signal?.removeEventListener("abort", abort);
            resolve();
          },
        };
        signal?.addEventListener("abort", abort, { once: true });
        sleepers.add(sleeper);
      }),
    async advance(milliseconds) {
      const until = time + milliseconds;
      await settle();
      for (let sleeper = next(until); sleeper !== undefined; sleeper = next(until)) {
        sleepers.delete(sleeper);
        time = Math.max(time, sleeper.due);
        sleeper.wake();
        await settle();
      }
      time = until;
    },
    settle,
    setClock(now) {
      offset = now - time;
    },
  };
}

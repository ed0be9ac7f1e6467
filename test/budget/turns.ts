/**
 * Concurrency under the control of a seed: whatever waits for a turn goes on in an order drawn by chance, and the same seed
 * draws the same order.
 */
import type { World } from "../../src/kube/world.ts";

/** Numbers from a seed: mulberry32. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export class Turns {
  readonly random: () => number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(seed: number) {
    this.random = random(seed);
  }

  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** Waits for a turn. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Starts work that takes turns; its failures are its own. */
  start(work: () => Promise<unknown>): void {
    this.#running += 1;
    const ended = (): void => {
      this.#running -= 1;
    };
    work().then(ended, ended);
  }

  get running(): number {
    return this.#running;
  }

  /** Lets one of those that wait go on, chosen by chance. */
  async step(): Promise<void> {
    const [next] = this.#waiting.splice(this.below(this.#waiting.length), 1);
    next?.();
    await settledMicrotasks();
  }

  /** Until nothing runs any more. */
  async drain(): Promise<void> {
    while (this.#running > 0) await this.step();
  }
}

/** Everything that needs no turn has happened. */
function settledMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A clock that only the test moves. */
export interface TestClock extends World {
  advance(milliseconds: number): void;
}

export function testClock(random: () => number): TestClock {
  let time = 1_000_000;
  return {
    now: () => time,
    // What waits for time must not give up because the test moved the calendar.
    monotonic: () => 0,
    random,
    sleep: () => Promise.resolve(),
    advance(milliseconds) {
      time += milliseconds;
    },
  };
}

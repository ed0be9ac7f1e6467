/**
 * Noticing that another manager changes our fields back each time (api-machinery rule 2): after two corrections we stop
 * and say so, instead of writing for ever.
 */

/** A correction older than this has nothing to do with the next one. Milliseconds. */
export const FIGHT_MEMORY = 10 * 60_000;

const CORRECTIONS = 2;

interface Fight {
  /** The body that was put back. */
  readonly desired: string;
  readonly times: readonly number[];
}

/** Corrections of one controller, in memory: a restart forgives. */
export class Fights {
  readonly #fights = new Map<string, Fight>();

  /** Whether an object may be corrected once more. `object` identifies it, `desired` what it is to become. */
  mayCorrect(object: string, desired: string, now: number): boolean {
    return this.#recent(object, desired, now).length < CORRECTIONS;
  }

  /** Remembers a correction that was written. */
  corrected(object: string, desired: string, now: number): void {
    this.#fights.set(object, { desired, times: [...this.#recent(object, desired, now), now] });
  }

  /** Milliseconds until another correction would be tried. */
  wait(object: string, now: number): number {
    const first = this.#fights.get(object)?.times[0];
    return first === undefined ? 0 : Math.max(0, first + FIGHT_MEMORY - now);
  }

  forget(object: string): void {
    this.#fights.delete(object);
  }

  #recent(object: string, desired: string, now: number): readonly number[] {
    const fight = this.#fights.get(object);
    return fight?.desired === desired ? fight.times.filter((time) => now - time < FIGHT_MEMORY) : [];
  }
}

/**
 * When a rehearsal has come to an end: everything was looked at, and nobody writes any more.
 */
import type { World } from "../../kube/world.ts";

export interface RestOptions {
  /** Writes so far, of whoever acts. */
  readonly writes: () => number;
  /** What is still on its way. */
  readonly unsettled: () => number;
  /** Milliseconds without a write after which what is settled rests. What is not settled is given five times as long. */
  readonly quiet: number;
  /** Milliseconds to wait for rest at most. */
  readonly patience: number;
  readonly world: World;
  readonly signal: AbortSignal;
  /** Told how much is left, now and then. */
  readonly onWait?: (unsettled: number) => void;
}

const LOOK_EVERY_MS = 200;

/** Resolves at rest: true; false when patience has ended first. */
export async function atRest(options: RestOptions): Promise<boolean> {
  const { writes, unsettled, quiet, patience, world, signal, onWait = () => undefined } = options;
  const begun = world.monotonic();
  let before = -1;
  let since = begun;
  for (;;) {
    const now = world.monotonic();
    const count = writes();
    if (count !== before) {
      before = count;
      since = now;
    }
    const left = unsettled();
    if (now - since >= (left === 0 ? quiet : quiet * 5)) return true;
    if (now - begun > patience) return false;
    onWait(left);
    await world.sleep(LOOK_EVERY_MS, signal);
  }
}

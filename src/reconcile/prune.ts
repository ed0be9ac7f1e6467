/**
 * When an object that is no longer rendered may go: nothing live of the instance refers to it, every controller has
 * seen what is wanted now, and that has been so for a while (api-machinery rule 6).
 */
import { valueAt } from "../kube/json.ts";
import { type KubeObject, keyOf, type ObjectRef } from "../kube/object.ts";
import { isReferable, refersTo } from "./references.ts";

/** How long a reference must be gone. Milliseconds. */
export const SETTLE = 10_000;

export type PruneVerdict =
  | { readonly may: true }
  /** `after`: milliseconds until it may, when only time is missing; else an event will tell. */
  | { readonly may: false; readonly after?: number };

/** The waiting times of one controller, in memory: after a restart they begin anew. */
export class PruneWaits {
  readonly #since = new Map<string, number>();
  readonly #settle: number;

  constructor(settle: number = SETTLE) {
    this.#settle = settle;
  }

  /** `live` are the instance's other objects as they are now. */
  judge(ref: ObjectRef, live: readonly KubeObject[], now: number): PruneVerdict {
    if (!isReferable(ref)) return { may: true };
    const key = keyOf(ref);
    if (live.some((object) => !isCaughtUp(object) || refersTo(object, ref))) {
      this.#since.delete(key);
      return { may: false };
    }
    const since = this.#since.get(key) ?? now;
    this.#since.set(key, since);
    const after = since + this.#settle - now;
    if (after > 0) return { may: false, after };
    this.#since.delete(key);
    return { may: true };
  }
}

/** A controller that does not say which generation it has seen cannot be waited for. */
function isCaughtUp(object: KubeObject): boolean {
  const observed = valueAt(object, "status", "observedGeneration");
  return typeof observed !== "number" || observed >= (object.metadata.generation ?? 0);
}

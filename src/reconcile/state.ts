/**
 * What was observed of one instance, reduced to one closed value, and what follows from each (style: habit 1).
 */
import { apiProblems } from "../kube/errors.ts";
import type { ObjectRef } from "../kube/object.ts";
import type { Change } from "./change.ts";
import type { NotCurrent } from "./health.ts";
import type { ObjectProblem } from "./problem.ts";
import type { Shortage } from "./quota-shortage.ts";

/** Why deletion does not go on: an object that stays, with the finalizers that hold it where there are any. */
export interface Blocker {
  readonly object: ObjectRef;
  readonly finalizers: readonly string[];
  readonly why: string;
}

export type InstanceState =
  /** Something it needs does not exist yet. */
  | { readonly is: "waiting"; readonly on: ObjectRef; readonly why: string }
  /** Writes are left to do after this pass: an object is replaced, or one that was pruned is on its way out. */
  | { readonly is: "outOfSync"; readonly changes: readonly Change[] }
  /** Everything is written; these are not healthy yet, which quotas may be the reason of. */
  | { readonly is: "progressing"; readonly on: readonly NotCurrent[]; readonly short?: readonly Shortage[] }
  | { readonly is: "ready" }
  /** Only a person can help. `problems` holds at least one. */
  | { readonly is: "refused"; readonly problems: readonly ObjectProblem[] }
  /** Data would be lost; `hash` is the consent that is missing. */
  | { readonly is: "unconfirmed"; readonly hash: string; readonly changes: readonly Change[] }
  | { readonly is: "deleting"; readonly left: readonly ObjectRef[]; readonly blockedBy?: Blocker }
  | { readonly is: "gone" };

/** What the controller does after a pass. Events wake an instance from every one of them. */
export type NextAction =
  | { readonly do: "wait" }
  /** Look again after a time that grows with each repetition, since the cause may go without an event. */
  | { readonly do: "retry"; readonly because: string }
  | { readonly do: "forget" };

/** What the API server will say until an event tells otherwise: in a namespace that goes, the instance is next. */
const HOPELESS: ReadonlySet<string> = new Set(["NamespaceTerminating"]);

export function nextAction(state: InstanceState): NextAction {
  switch (state.is) {
    case "waiting":
    case "progressing":
    case "ready":
    case "unconfirmed":
    case "outOfSync":
      return { do: "wait" };
    case "refused": {
      // Webhooks, quotas and schemas change without telling us; all else that helps is an event.
      const retried = state.problems.find(
        ({ transient, code }) => transient || (code in apiProblems && !HOPELESS.has(code)),
      );
      return retried === undefined ? { do: "wait" } : { do: "retry", because: retried.message };
    }
    case "deleting":
      return { do: "wait" };
    case "gone":
      return { do: "forget" };
  }
}

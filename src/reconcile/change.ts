/**
 * A plan as a value: what would change, and what each change does to what runs. The CLI and the console print it, the
 * controller executes it. Plain JSON, without any Secret's values.
 */
import { createHash } from "node:crypto";
import { type Impact, type VolumesOfFewer, worse } from "../contracts/impact.ts";
import { keyOf, type ObjectRef } from "../kube/object.ts";
import type { Json } from "../sdk/context.ts";
import { canonical } from "./digest.ts";

/** One field that differs. An absent side is an absent value. */
export interface FieldChange {
  /** Dotted, list indexes in brackets: `spec.containers[0].image`. */
  readonly path: string;
  readonly from?: Json;
  readonly to?: Json;
  readonly impact: Impact;
  /** What becomes of the volumes of servers that go with this change; absent where none goes, or none has any. */
  readonly volumes?: VolumesOfFewer;
}

/** What happens to one object. `adopt` is an update of an object that was not ours before. */
export type ChangeAction = "create" | "update" | "adopt" | "delete";

export interface Change {
  readonly object: ObjectRef;
  readonly action: ChangeAction;
  readonly impact: Impact;
  /** What differs; empty for a creation and a deletion. Values of Secrets are {@link MASKED}. */
  readonly fields: readonly FieldChange[];
  /** For people: `image postgresql:17.6 -> 17.7`, `no longer rendered`. */
  readonly because: string;
}

export interface Plan {
  /** The application. */
  readonly instance: ObjectRef;
  readonly changes: readonly Change[];
  /** Worst impact of all changes; `none` for an empty plan. */
  readonly impact: Impact;
  /** What `apps.cozystack.io/allow-data-loss` must say; absent when nothing is lost. See {@link planHash}. */
  readonly hash?: string;
}

/** Stands for any value of a Secret. */
export const MASKED = "(secret)";

/** Puts changes into a plan. */
export function planOf(instance: ObjectRef, changes: readonly Change[]): Plan {
  const hash = planHash(changes);
  const impact = changes.reduce<Impact>((worst, change) => worse(worst, change.impact), "none");
  return { instance, changes, impact, ...(hash === undefined ? {} : { hash }) };
}

/**
 * Identifies the data that a plan would destroy: 16 hexadecimal digits over the changes of impact `losesData`, and
 * nothing else, so that a consent holds while harmless parts of the plan change, and no longer once more would be lost.
 * Undefined when nothing is lost.
 */
export function planHash(changes: readonly Change[]): string | undefined {
  const losing = changes
    .filter((change) => change.impact === "losesData")
    .map((change) => [
      keyOf(change.object),
      // Of an object made anew, other data would be lost.
      change.object.uid ?? "",
      change.action,
      change.fields.filter((field) => field.impact === "losesData").map((field) => [field.path, field.to ?? null]),
    ])
    .map(canonical)
    .sort();
  if (losing.length === 0) return undefined;
  return createHash("sha256").update(losing.join("\n")).digest("hex").slice(0, 16);
}

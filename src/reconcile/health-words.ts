/**
 * The words of health: what a live object says of itself, read from its conditions, its phase and the like.
 */
import { isRecord, valueAt } from "../kube/json.ts";
import type { KubeObject } from "../kube/object.ts";

/** `failed` means that waiting will not help; everything that may still come right is `inProgress`. */
export type Health =
  | { readonly is: "current" }
  | { readonly is: "inProgress" | "failed" | "terminating"; readonly why: string };

export const current: Health = { is: "current" };
export const inProgress = (why: string): Health => ({ is: "inProgress", why });
export const failed = (why: string): Health => ({ is: "failed", why });

interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Whether it speaks of the spec as it is now, as far as it says. */
  readonly isOld: boolean;
}

export function conditionOf(object: KubeObject, type: string): Condition | undefined {
  const conditions = valueAt(object, "status", "conditions");
  const found = Array.isArray(conditions)
    ? conditions.find((entry) => isRecord(entry) && entry["type"] === type)
    : undefined;
  if (!isRecord(found)) return undefined;
  const text = (key: string) => (typeof found[key] === "string" ? found[key] : "");
  const observed = found["observedGeneration"];
  const isOld = typeof observed === "number" && observed < (object.metadata.generation ?? 0);
  return { status: text("status"), reason: text("reason"), message: text("message"), isOld };
}

export function said(condition: Condition, otherwise: string): string {
  return condition.message || condition.reason || otherwise;
}

export function numberAt(object: KubeObject, ...path: readonly string[]): number {
  const value = valueAt(object, ...path);
  return typeof value === "number" ? value : 0;
}

export function byConditions(object: KubeObject): Health {
  const stalled = conditionOf(object, "Stalled");
  if (stalled?.status === "True") return failed(said(stalled, "stalled"));
  const reconciling = conditionOf(object, "Reconciling");
  if (reconciling?.status === "True") return inProgress(said(reconciling, "reconciling"));
  const ready = conditionOf(object, "Ready");
  if (ready?.isOld === true) return inProgress("its controller has not seen its last change yet");
  if (ready === undefined || ready.status === "True") return current;
  return inProgress(said(ready, "not ready"));
}

/** For kinds whose controller always reports: silence means that it has not looked yet. */
export function mustReport(object: KubeObject): Health {
  if (conditionOf(object, "Ready") === undefined) return inProgress("its controller has not reported yet");
  return byConditions(object);
}

export function phase(...good: readonly string[]): (object: KubeObject) => Health {
  return (object) => {
    const value = valueAt(object, "status", "phase");
    if (typeof value === "string" && good.includes(value)) return current;
    if (value === "Failed" || value === "Lost") return failed(`phase ${value}`);
    return inProgress(typeof value === "string" ? `phase ${value}` : "its controller has not reported yet");
  };
}

export function flag(path: readonly string[], name: string): (object: KubeObject) => Health {
  return (object) => (valueAt(object, ...path) === true ? current : inProgress(`${name} is not yet true`));
}

/**
 * What render returns: an object with the policy by which the controller keeps it.
 */
import type { ImpactRules } from "../contracts/impact.ts";
import type { KubeObject } from "../kube/object.ts";
import type { Json } from "./context.ts";

/**
 * - `managed`: server-side applied, drift put right, pruned when no longer rendered.
 * - `createOnly`: created once, afterwards only read; pruned when no longer rendered. For objects with generated values.
 * - `keep`: managed, but left in place when no longer rendered and when the application is deleted.
 * - `runOnce`: a Job, or a request to an operator that has an end as well, whose name says its content. Run once per name; its success is recorded in the inventory, after
 *   which a missing Job is not drift. The previous one is pruned when the next has succeeded.
 * - `patchExisting`: some fields of an object that another controller makes and owns (the claim of a DataVolume).
 *   Server-side applied only while the object exists and differs in these fields; never created, never pruned, never
 *   deleted with the application, not in the inventory, and not marked with our labels or owner annotation. No longer
 *   rendered: nothing is written, the fields keep their value.
 */
export type Policy = "managed" | "createOnly" | "keep" | "runOnce" | "patchExisting";

export interface Manifest {
  readonly object: KubeObject;
  readonly policy: Policy;
  /** Objects of a lower wave are applied first. See {@link waveOf} for the defaults. */
  readonly wave: number;
  /**
   * JSON pointers of fields that cannot be changed in place. When one differs from live, the controller deletes the object
   * (uid and resourceVersion preconditions, dependents orphaned) and applies it anew: impact `replaces`.
   */
  readonly replaceOn?: readonly string[];
  /** What changes of this object's fields mean, where its kind cannot know: values of a chart. Paths as those of a kind. */
  readonly impacts?: Pick<ImpactRules, "at" | "fewer">;
  /**
   * A JSON merge patch that makes the live object ready for the apply, where the apply alone cannot: fields of other
   * managers that must go in the same request. Rendered from live state and only while live needs it. The controller sends
   * it with the live resourceVersion in `metadata`, then moves what it came to own to its Apply entry, then applies.
   */
  readonly transition?: { readonly [field: string]: Json };
}

/** What a render function may return for one object: the object alone is `managed` in the default wave of its kind. */
export type Rendered = KubeObject | Manifest;

export function isManifest(rendered: Rendered): rendered is Manifest {
  return "policy" in rendered;
}

const EARLY: ReadonlySet<string> = new Set([
  "Namespace",
  "ServiceAccount",
  "Secret",
  "ConfigMap",
  "ResourceQuota",
  "LimitRange",
]);

/** Default wave: 0 for what others mount or run under, 2 for Jobs, 1 for the rest. */
export function waveOf(object: KubeObject): number {
  if (EARLY.has(object.kind)) return 0;
  return object.kind === "Job" ? 2 : 1;
}

function withPolicy(policy: Policy): (object: KubeObject, wave?: number) => Manifest {
  return (object, wave = waveOf(object)) => ({ object, policy, wave });
}

export const createOnly = withPolicy("createOnly");
export const keep = withPolicy("keep");
export const runOnce = withPolicy("runOnce");
export const patchExisting = withPolicy("patchExisting");
const managed = withPolicy("managed");

/** A rendered object with more to say about how it changes. */
export function changing(
  rendered: Rendered,
  how: Partial<Pick<Manifest, "replaceOn" | "impacts" | "transition">>,
): Manifest {
  return { ...manifestOf(rendered), ...how };
}

/** The manifest of a rendered object, defaults filled in. */
export function manifestOf(rendered: Rendered): Manifest {
  return isManifest(rendered) ? rendered : managed(rendered);
}

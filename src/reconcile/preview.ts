/**
 * What the controller would do, for a person to read: the controller's own plan, made without being carried out.
 */
import { type KubeObject, keyOf } from "../kube/object.ts";
import type { App } from "../sdk/app.ts";
import type { Change } from "./change.ts";
import type { Wanted } from "./plan-types.ts";
import { type Prepared, type PrepareOptions, prepare } from "./prepare.ts";

/** Stands in the name of a Job that says its content for the part that is made of values not generated yet. */
export const DECIDED_AT_APPLY = "<decided at apply>";

export type PreviewOptions = Omit<PrepareOptions, "pending" | "mayAdopt" | "onInterest">;

/**
 * As `prepare`, with no trace. A Job's name says its content, and content that holds a generated value has another name at
 * each try: such a name is shown as {@link DECIDED_AT_APPLY}, since no plan can know it.
 */
export async function preview(app: App, object: KubeObject, options: PreviewOptions): Promise<Prepared> {
  const attempt = () =>
    prepare(app, object, { ...options, pending: new Map(), mayAdopt: () => false, onInterest: () => undefined });
  const prepared = await attempt();
  if (prepared.is !== "planned" || !prepared.plan.plan.changes.some(({ action }) => action === "create"))
    return prepared;
  if (runOnce(prepared.wanted).length === 0) return prepared;
  // With other random values: what comes out otherwise hangs on them.
  const other = await attempt();
  if (other.is !== "planned") return prepared;
  const { plan } = prepared.plan;
  const changes = withHonestNames(plan.changes, prepared.wanted, other.wanted);
  return { ...prepared, plan: { ...prepared.plan, plan: { ...plan, changes } } };
}

const runOnce = (wanted: readonly Wanted[]): readonly Wanted[] =>
  wanted.filter(({ manifest }) => manifest.policy === "runOnce");

/** The changes, with the names of Jobs that two renders of the same object disagree about. */
export function withHonestNames(
  changes: readonly Change[],
  wanted: readonly Wanted[],
  otherwise: readonly Wanted[],
): readonly Change[] {
  const others = runOnce(otherwise);
  const undecided = new Set(
    runOnce(wanted).flatMap(({ ref }, at) => {
      const other = others[at]?.ref;
      return other === undefined || keyOf(other) === keyOf(ref) ? [] : [keyOf(ref)];
    }),
  );
  return changes.map((change) => {
    if (!undecided.has(keyOf(change.object))) return change;
    return { ...change, object: { ...change.object, name: undecidedName(change.object.name) } };
  });
}

/** A name whose last part is not known. */
export function undecidedName(name: string): string {
  return `${name.slice(0, name.lastIndexOf("-") + 1)}${DECIDED_AT_APPLY}`;
}

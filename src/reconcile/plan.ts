/**
 * The plan: desired objects against what is live and what the inventory says, as changes with the writes that make them.
 * Pure: the controller executes exactly the value that the CLI and the console print.
 */
import { keyOf, type ObjectRef } from "../kube/object.ts";
import { planOf } from "./change.ts";
import { planManifest } from "./plan-manifest.ts";
import { planPrune } from "./plan-prune.ts";
import type { InstancePlan, PlanInput, Wanted } from "./plan-types.ts";

/** The plan of one instance. */
export function planOfInstance(input: PlanInput): InstancePlan {
  const planned = input.wanted.map((wanted) => planManifest(wanted, input));
  const prune = planPrune(input);
  const steps = [...planned.flatMap(({ step }) => step ?? []), ...prune.steps].sort((a, b) => a.wave - b.wave);
  const plan = planOf(
    input.instance,
    steps.map((step) => step.change),
  );
  const confirm = plan.hash !== undefined && plan.hash !== input.consent ? plan.hash : undefined;
  return {
    plan,
    steps,
    refused: [...planned.flatMap(({ refused }) => refused ?? []), ...prune.refused],
    waiting: planned.flatMap(({ waiting }) => waiting ?? []),
    owned: planned.flatMap(({ entry }) => entry ?? []),
    gone: prune.gone,
    unconfirmed: prune.unconfirmed,
    ...(confirm === undefined ? {} : { confirm }),
  };
}

/** Two manifests of the same identity, if there are any. */
export function duplicateOf(wanted: readonly Wanted[]): ObjectRef | undefined {
  const seen = new Set<string>();
  return wanted.find(({ ref }) => {
    const key = keyOf(ref);
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  })?.ref;
}

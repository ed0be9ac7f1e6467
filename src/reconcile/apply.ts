/**
 * Carries out a plan's steps, wave by wave. An object that is refused does not stop the others; a Secret whose values
 * others are made of does.
 */
import { isApiError } from "../kube/errors.ts";
import { keyOf } from "../kube/object.ts";
import { concurrently } from "./concurrently.ts";
import type { ApplyOptions, Outcome } from "./outcome.ts";
import type { InstancePlan, Step } from "./plan-types.ts";
import { problemOfError } from "./problem.ts";
import { writeStep } from "./write.ts";

/** Carries out the steps. Rejects only for faults that concern the whole instance; those are retried as a whole. */
export async function applyPlan(plan: InstancePlan, options: ApplyOptions): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const wave of wavesOf(plan.steps)) {
    outcomes.push(...(await concurrently(wave, options.concurrency ?? 4, (step) => attempt(step, options))));
    if (outcomes.some(stopsTheRest)) break;
  }
  return outcomes;
}

/** Before all others what they may be made of; the rest in the order of their waves. */
function wavesOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const waves = Map.groupBy(
    steps.filter((step) => !isGenerated(step)),
    (step) => step.wave,
  );
  return [steps.filter(isGenerated), ...[...waves.entries()].sort(([a], [b]) => a - b).map(([, wave]) => wave)];
}

function isGenerated({ write }: Step): boolean {
  return "entry" in write && write.entry?.generated === true;
}

async function attempt(step: Step, options: ApplyOptions): Promise<Outcome> {
  try {
    return await writeStep(step, options);
  } catch (error) {
    // The object changed under us, or a write's answer was lost: what is true is found out by planning again.
    if (isApiError(error, "Conflict") || (isApiError(error) && error.ambiguous)) return { step, again: true };
    if (isApiError(error, "Aborted", "Closed", "Unauthorized", "Network")) throw error;
    return { step, problem: problemOfError(step.change.object, error) };
  }
}

/** Others must not be made from generated values that were not stored, nor from a picture that was wrong. */
function stopsTheRest(outcome: Outcome): boolean {
  if (outcome.again === true) return true;
  return outcome.problem !== undefined && isGenerated(outcome.step);
}

/** Keys of the objects that outcomes say are gone. */
export function droppedKeys(outcomes: readonly Outcome[]): ReadonlySet<string> {
  return new Set(outcomes.filter(({ dropped }) => dropped === true).map(({ step }) => keyOf(step.change.object)));
}

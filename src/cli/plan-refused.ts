/**
 * A plan of which a part would be refused: nothing of it is carried out.
 */
import { CozystackError } from "../kube/errors.ts";
import type { DocumentPlan } from "./print-plan.ts";

/** A change that would not be carried out. */
export class PlanRefusedError extends CozystackError {
  constructor(done: "applied" | "deleted", count: number) {
    super(
      "PlanRefused",
      `nothing was ${done}: ${count} ${count === 1 ? "problem" : "problems"}, shown in the plan above`,
      "Correct what the plan names.",
    );
  }
}

/** Throws PlanRefusedError where something would be refused. */
export function requireNoRefusal(plans: readonly DocumentPlan[], done: "applied" | "deleted"): void {
  const problems = plans.flatMap(({ refused = [] }) => refused);
  if (problems.length > 0) throw new PlanRefusedError(done, problems.length);
}

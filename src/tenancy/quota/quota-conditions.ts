/**
 * The conditions about budgets among those of a Tenant, which others write as well.
 */
import type { Condition } from "../../reconcile/status.ts";
import { conditionsOf } from "../../reconcile/status.ts";

export type { Condition };

/** What may be the matter with a tenant's budget. */
export interface Finding {
  readonly type: "QuotaOvercommitted" | "GateBypassed";
  readonly is: boolean;
  readonly message: string;
  /** The message when it is not so any more. */
  readonly otherwise: string;
}

/** The list with these findings in it; undefined where it says so already. What never was the matter is not mentioned. */
export function conditionsWith(
  stored: unknown,
  findings: readonly Finding[],
  generation: number,
  now: string,
): readonly Condition[] | undefined {
  let conditions = conditionsOf({ conditions: stored });
  let changed = false;
  for (const { type, is, message, otherwise } of findings) {
    const old = conditions.find((condition) => condition.type === type);
    const status = is ? "True" : "False";
    const said = is ? message : otherwise;
    if (old === undefined ? !is : old.status === status && old.message === said) continue;
    changed = true;
    const condition: Condition = {
      type,
      status,
      reason: is ? type : "AsExpected",
      message: said,
      lastTransitionTime: old?.status === status ? old.lastTransitionTime : now,
      observedGeneration: generation,
    };
    conditions = [...conditions.filter((each) => each.type !== type), condition];
  }
  return changed ? conditions : undefined;
}

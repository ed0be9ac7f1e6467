/**
 * What a refused user reads.
 */
import type { ErrorCause } from "../../kube/errors.ts";
import { formatAmount } from "./amounts.ts";
import type { Shortage } from "./charges.ts";

/** Annotation by which its user accepts that a tenant keeps less than it has given away. */
export const FORCE_ANNOTATION = "apps.cozystack.io/force-quota";

export const shortageField = ({ resource }: Shortage): string => `spec.resourceQuotas[${resource}]`;

function sentence(shortage: Shortage): string {
  const { resource, tenant } = shortage;
  const text = (nano: bigint): string => formatAmount(resource, nano);
  const figures = `total ${text(shortage.total)}, allocated ${text(shortage.allocated)}, used ${text(shortage.used)}`;
  if (shortage.is === "above") {
    return `${text(shortage.asked)} asked, ${text(shortage.left)} left in ${tenant} (${figures})`;
  }
  return (
    `${text(shortage.asked)} asked, ${text(shortage.left)} left in ${tenant} itself (${figures}): the tenants below have ` +
    `more; lower theirs first, or set the annotation ${FORCE_ANNOTATION}: "true"`
  );
}

/** One finding a resource. */
export function causesOf(shortages: readonly Shortage[]): readonly ErrorCause[] {
  return shortages.map((shortage) => ({
    reason: "FieldValueForbidden",
    field: shortageField(shortage),
    message: sentence(shortage),
  }));
}

export function refusalMessage(shortages: readonly Shortage[]): string {
  return shortages.map((shortage) => `${shortageField(shortage)}: ${sentence(shortage)}`).join("; ");
}

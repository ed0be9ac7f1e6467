/**
 * What is refused beyond the types of fields: as CEL for the API server, and again for documents it has not seen.
 */
import { refuse } from "../../sdk/errors.ts";
import { quantityOf, quantityToInteger } from "../../sdk/quantity.ts";
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";

/** The operator's own pattern. */
export const versionPattern = "^[0-9]+\\.[0-9]+\\.[0-9]+$";

const unitPattern = "^[+]?[0-9.]+[KMG]i$";

const message = "size must be given in Ki, Mi or Gi, such as 4Gi: how much of it may be used is computed from it";

export const rules: readonly PlacedRule[] = [
  growOnly("size"),
  rule({ path: "size", rule: `string(self).matches('${unitPattern}')`, message }),
];

/** How many bytes of a volume of that size etcd may use: 95 %, so that it can still be compacted when it is full. */
export function quotaBytes(size: string | number): number {
  if (typeof size === "number" || !new RegExp(unitPattern).test(size)) {
    refuse({ code: "InvalidValue", field: "spec.size", message, remedy: "Write the size as 4Gi or 4096Mi." });
  }
  return Number((quantityToInteger(quantityOf(size, "spec.size")) * 95n) / 100n);
}

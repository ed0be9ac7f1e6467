/**
 * An application's spec: its fields (fields.ts) and the rules over them.
 */
import Type, { type TEnum, type TObject, type TProperties } from "typebox";
import type { AppSpec } from "./app.ts";
import { oneOf } from "./fields.ts";
import type { PlacedRule } from "./rules.ts";

export * from "./fields.ts";
export { growOnly, type PlacedRule, requires, rule } from "./rules.ts";
export * from "./sizing-fields.ts";

type Reclaimable<F extends TProperties> = F & { reclaimPolicy: TEnum<("Delete" | "Retain")[]> };

/**
 * The schema of `spec` with its rules. Unknown fields are kept as stored and never rendered. `storesData` adds `reclaimPolicy`:
 * whether volumes and passwords go when the application does.
 */
export function appSpec<F extends TProperties>(
  fields: F,
  rules: readonly PlacedRule[],
  options: { readonly storesData: true },
): AppSpec<TObject<Reclaimable<F>>>;
export function appSpec<F extends TProperties>(
  fields: F,
  rules?: readonly PlacedRule[],
  options?: { readonly storesData?: false },
): AppSpec<TObject<F>>;
export function appSpec(
  fields: TProperties,
  rules: readonly PlacedRule[] = [],
  options: { readonly storesData?: boolean } = {},
): AppSpec<TObject> {
  const reclaimPolicy = oneOf(["Delete", "Retain"], {
    default: "Delete",
    description:
      "Whether deleting the application deletes its volumes and passwords as well, or keeps them for one of the same name.",
  });
  const all = options.storesData === true ? { ...fields, reclaimPolicy } : fields;
  return { schema: Type.Object(all, { "x-kubernetes-preserve-unknown-fields": true, default: {} }), rules };
}

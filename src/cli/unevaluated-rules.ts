/**
 * Rules that only an API server evaluates: CEL in the definitions of kinds. Where none is asked, people are told which fields
 * may still be refused.
 */
import type { StructuralSchema } from "../kube/structural-schema.ts";
import type { App } from "../sdk/app.ts";
import { volumeMessage } from "../sdk/volume-size.ts";

/** Evaluated here as well (sdk/check.ts), or about a change of what is stored. */
function isElsewhere({ rule, message = "" }: { readonly rule: string; readonly message?: string }): boolean {
  return (
    rule === "false" ||
    rule.includes("oldSelf") ||
    message.startsWith("every name must match") ||
    message.startsWith(volumeMessage("always"))
  );
}

function fieldsIn(schema: StructuralSchema, path: string): readonly string[] {
  const own = (schema["x-kubernetes-validations"] ?? [])
    .filter((one) => !isElsewhere(one))
    .map(({ fieldPath = "" }) => `${path}${fieldPath}`);
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => fieldsIn(child, `${path}.${name}`));
  const values =
    schema.additionalProperties === undefined ? [] : fieldsIn(schema.additionalProperties, `${path}.<name>`);
  const items = schema.items === undefined ? [] : fieldsIn(schema.items, `${path}[]`);
  return [...own, ...below, ...values, ...items];
}

/** The fields over which an API server evaluates more than their types, each once. */
export function ruledFields(app: App): readonly string[] {
  const spec = app.crd().spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"];
  return spec === undefined ? [] : [...new Set(fieldsIn(spec, "spec"))];
}

/** What to say of a kind whose rules were not evaluated; undefined where it has none. */
export function unevaluated(app: App): string | undefined {
  const fields = ruledFields(app);
  if (fields.length === 0) return undefined;
  return `${app.kind}: no API server was asked, which evaluates further rules over ${fields.join(", ")}`;
}

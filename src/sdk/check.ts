/**
 * Checking a spec against its schema, with an answer that says what to do.
 */
import type { Static, TObject } from "typebox";
import Value from "typebox/value";
import { isRecord } from "../kube/json.ts";
import { valueSchemaOf, withDefaults } from "./defaults.ts";
import { refuse } from "./errors.ts";
import { hintsOf } from "./hints.ts";

/** `/users/alice/0` as `spec.users.alice[0]`. */
function fieldOf(pointer: string): string {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return parts.reduce((path, part) => (/^[0-9]+$/.test(part) ? `${path}[${part}]` : `${path}.${part}`), "spec");
}

function problemOf(error: { readonly message: string; readonly params: object }): string {
  const allowed = "allowedValues" in error.params ? error.params.allowedValues : undefined;
  return Array.isArray(allowed) ? `must be one of ${allowed.join(", ")}` : error.message;
}

/** Patterns on keys of maps, which the CRD has as CEL. */
function checkKeys(schema: unknown, value: unknown, path: string): void {
  if (!isRecord(schema)) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkKeys(schema["items"], item, `${path}[${index}]`);
  }
  if (!isRecord(value)) return;
  const { keyPattern } = hintsOf(schema);
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  for (const [key, entry] of Object.entries(value)) {
    if (keyPattern !== undefined && !new RegExp(keyPattern).test(key)) {
      refuse({
        code: "InvalidSpec",
        field: path,
        message: `the name ${JSON.stringify(key)} does not match ${keyPattern}`,
        remedy: "Choose another name.",
      });
    }
    checkKeys(Object.hasOwn(properties, key) ? properties[key] : valueSchemaOf(schema), entry, `${path}.${key}`);
  }
}

/** The spec with its defaults, of the type that `schema` says. Refuses one that does not fit, naming the first field. */
export function readSpec<S extends TObject>(schema: S, value: unknown): Static<S> {
  const spec = withDefaults(schema, value);
  if (!Value.Check(schema, spec)) {
    const [first] = Value.Errors(schema, spec);
    return refuse({
      code: "InvalidSpec",
      field: fieldOf(first?.instancePath ?? ""),
      message: first === undefined ? "does not fit the schema" : problemOf(first),
      remedy: "Correct the field; `cozystack explain` shows what it takes.",
    });
  }
  checkKeys(schema, spec, "spec");
  return spec;
}

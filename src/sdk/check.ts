/**
 * Checking a spec against its schema, with an answer that says what to do.
 */
import type { Static, TObject } from "typebox";
import Value from "typebox/value";
import { isRecord } from "../kube/json.ts";
import { valueSchemaOf, withDefaults } from "./defaults.ts";
import { type RefusalDetails, refuse } from "./errors.ts";
import { hintsOf } from "./hints.ts";
import { noQuantity, quantityPattern } from "./quantity.ts";
import { isVolumeSize, volumeMessage } from "./volume-size.ts";

const partsOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** `/users/alice/0` as `spec.users.alice[0]`. */
function fieldOf(pointer: string): string {
  return partsOf(pointer).reduce(
    (path, part) => (/^[0-9]+$/.test(part) ? `${path}[${part}]` : `${path}.${part}`),
    "spec",
  );
}

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

const mostProblems = 5;

/** Named at most so many, and each field once: of a choice that does not fit, not every branch. */
function firstErrors(errors: readonly SchemaError[]): readonly SchemaError[] {
  const byField = Map.groupBy(errors, ({ instancePath }) => instancePath);
  return [...byField.values()].flatMap((all) => all.find(({ keyword }) => keyword === "anyOf") ?? all[0] ?? []);
}

function refusedValue(spec: unknown, pointer: string): unknown {
  return partsOf(pointer).reduce<unknown>(
    (value, part) => (Array.isArray(value) ? value[Number(part)] : isRecord(value) ? value[part] : undefined),
    spec,
  );
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** What is wrong with one value. The value itself is shown where no secret can stand. */
function problemOf(error: SchemaError, spec: unknown): Omit<RefusalDetails, "field"> {
  const { keyword, params, message } = error;
  const value = refusedValue(spec, error.instancePath);
  const code = "InvalidSpec";
  const remedy = "Correct the field; `cozystack explain` shows what it takes.";
  if (keyword === "pattern" && "pattern" in params && params.pattern === quantityPattern) return noQuantity(value);
  if (keyword === "anyOf") return { code, message: `must be integer or string, not ${typeOf(value)}`, remedy };
  if (keyword === "type") return { code, message: `${message}, not ${typeOf(value)}`, remedy };
  const allowed = "allowedValues" in params ? params.allowedValues : undefined;
  return { code, message: Array.isArray(allowed) ? `must be one of ${allowed.join(", ")}` : message, remedy };
}

/** Patterns on keys of maps and sizes of volumes, which the CRD has as CEL. */
function checkHints(schema: unknown, value: unknown, path: string): void {
  if (!isRecord(schema)) return;
  const { keyPattern, volume } = hintsOf(schema);
  if (volume !== undefined && value !== undefined && !isVolumeSize(value, volume)) {
    const remedy = "Write a size such as 10Gi.";
    refuse({
      code: "InvalidValue",
      field: path,
      message: `${volumeMessage(volume)}, not ${JSON.stringify(value)}`,
      remedy,
    });
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkHints(schema["items"], item, `${path}[${index}]`);
  }
  if (!isRecord(value)) return;
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
    checkHints(Object.hasOwn(properties, key) ? properties[key] : valueSchemaOf(schema), entry, `${path}.${key}`);
  }
}

/** The spec with its defaults, of the type that `schema` says. Refuses one that does not fit, naming the fields. */
export function readSpec<S extends TObject>(schema: S, value: unknown): Static<S> {
  const spec = withDefaults(schema, value);
  if (!Value.Check(schema, spec)) {
    const [first, ...others] = firstErrors([...Value.Errors(schema, spec)]);
    if (first === undefined) {
      return refuse({ code: "InvalidSpec", field: "spec", message: "does not fit the schema", remedy: "Correct it." });
    }
    const problem = problemOf(first, spec);
    const named = others.slice(0, mostProblems - 1);
    const more = others.length - named.length;
    const message = [
      problem.message,
      ...named.map((other) => `${fieldOf(other.instancePath)}: ${problemOf(other, spec).message}`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join("; ");
    return refuse({ ...problem, field: fieldOf(first.instancePath), message });
  }
  checkHints(schema, spec, "spec");
  return spec;
}

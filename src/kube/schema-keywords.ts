/**
 * The keywords a schema may use, each with what it becomes in a structural schema, and the ones that Kubernetes
 * refuses, each with what to write instead.
 */
import { isRecord } from "./json.ts";
import { re2Problem } from "./re2.ts";
import { type StructuralSchema, StructuralSchemaError, type ValidationRule } from "./structural-types.ts";

/** Where a keyword stands: its siblings, the path of its schema, and how to emit a schema below it. */
export interface Place {
  readonly node: Readonly<Record<string, unknown>>;
  readonly path: string;
  emit(child: unknown, path: string): StructuralSchema;
}

type Keyword = (value: unknown, place: Place) => StructuralSchema;

const useEnum = "Use Type.Enum([...]) for a choice of values, int-or-string for a quantity.";
const useRule = "Say it as a CEL rule in x-kubernetes-validations.";
const inline = "Put the schema itself in its place.";

/** Keywords of JSON Schema that a CustomResourceDefinition cannot have. */
export const refusedKeywords: Readonly<Record<string, string>> = {
  oneOf: useEnum,
  const: useEnum,
  allOf: "Write one Type.Object with all properties.",
  not: useRule,
  if: useRule,
  dependentRequired: useRule,
  $ref: inline,
  $defs: inline,
  uniqueItems: 'Use "x-kubernetes-list-type": "set".',
  prefixItems: "Write an object with named fields.",
};

const typeNames = ["object", "array", "string", "integer", "number", "boolean"] as const;
const reasons = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"] as const;

const oneOf =
  <const V extends string>(values: readonly V[]) =>
  (value: unknown): value is V =>
    values.some((one) => one === value);
const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
const isTrue = (value: unknown): value is true => value === true;
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0;

/** A keyword that goes on as it is, if its value is of the right type. */
const copy =
  <V>(key: keyof StructuralSchema, check: (value: unknown) => value is V): Keyword =>
  (value, { path }) => ({ [key]: need(check, value, path, key) });

/** A flag that Kubernetes knows only as true. */
const flag =
  (key: keyof StructuralSchema): Keyword =>
  (value, { path }) =>
    value === false ? {} : { [key]: need(isTrue, value, path, key) };

/** Kubernetes has the older form of exclusive bounds: the bound, and a flag beside it. */
const exclusive =
  (key: "exclusiveMinimum" | "exclusiveMaximum", bound: "minimum" | "maximum"): Keyword =>
  (value, { node, path }) => {
    if (node[bound] !== undefined) throw new StructuralSchemaError(path, `${bound} and ${key}`, "Keep one of them.");
    return { [bound]: need(isNumber, value, path, key), [key]: true };
  };

function need<V>(check: (value: unknown) => value is V, value: unknown, path: string, key: string): V {
  if (check(value)) return value;
  throw new StructuralSchemaError(path, `${key} is ${JSON.stringify(value)}`, `Give ${key} a value of its type.`);
}

function isRules(value: unknown): value is readonly ValidationRule[] {
  return (
    Array.isArray(value) &&
    value.every(
      (rule) =>
        isRecord(rule) && isText(rule["rule"]) && (rule["reason"] === undefined || oneOf(reasons)(rule["reason"])),
    )
  );
}

function isIntOrString(branches: unknown): boolean {
  if (!Array.isArray(branches) || branches.length !== 2) return false;
  const bare = branches.flatMap((one) => (isRecord(one) && Object.keys(one).length === 1 ? [one["type"]] : []));
  return bare.includes("integer") && bare.includes("string");
}

const emitEnum: Keyword = (value, { node, path }) => {
  const values = need(isList, value, path, "enum");
  if (node["type"] !== undefined) return { enum: values };
  if (values.every(isText)) return { type: "string", enum: values };
  if (values.every(isNumber)) return { type: values.every(Number.isInteger) ? "integer" : "number", enum: values };
  throw new StructuralSchemaError(path, "enum of mixed types", "Use values of one type.");
};

const emitPattern: Keyword = (value, { path }) => {
  const pattern = need(isText, value, path, "pattern");
  const problem = re2Problem(pattern);
  if (problem === undefined) return { pattern };
  throw new StructuralSchemaError(path, `pattern ${pattern}: ${problem}`, "Write a pattern that RE2 can match.");
};

const emitRequired: Keyword = (value, { node, path }) => {
  const properties = isRecord(node["properties"]) ? node["properties"] : {};
  // A field with a default is always there once stored; requiring it would refuse manifests that rely on the default.
  const required = need(isTexts, value, path, "required").filter((name) => {
    const property = properties[name];
    return !isRecord(property) || property["default"] === undefined;
  });
  return required.length === 0 ? {} : { required };
};

const emitProperties: Keyword = (value, { path, emit }) => ({
  properties: Object.fromEntries(
    Object.entries(need(isRecord, value, path, "properties")).map(([name, child]) => [
      name,
      emit(child, path === "" ? name : `${path}.${name}`),
    ]),
  ),
});

const emitValues: Keyword = (value, { node, path, emit }) => {
  // A CRD's objects are closed by themselves; a Record says so beside its values.
  if (value === false) return {};
  if (value === true) {
    const remedy = 'Use "x-kubernetes-preserve-unknown-fields": true.';
    throw new StructuralSchemaError(path, "additionalProperties: true", remedy);
  }
  if (isRecord(node["properties"]) && Object.keys(node["properties"]).length > 0) {
    throw new StructuralSchemaError(path, "additionalProperties beside properties", "Keep one of them.");
  }
  return { additionalProperties: emit(value, `${path}{*}`) };
};

/** How TypeBox writes a Record. */
const emitPatternProperties: Keyword = (value, place) => {
  const [[pattern, values] = [], ...more] = Object.entries(need(isRecord, value, place.path, "patternProperties"));
  if (pattern === "^.*$" && more.length === 0) return emitValues(values, place);
  const remedy = "Use Type.Record(Type.String(), ...), and a CEL rule for its keys.";
  throw new StructuralSchemaError(place.path, "keys with a pattern", remedy);
};

const emitUnion: Keyword = (value, { node, path }) => {
  if (node["x-kubernetes-int-or-string"] === true && isIntOrString(value)) return {};
  throw new StructuralSchemaError(path, "a union is not allowed in a CustomResourceDefinition", useEnum);
};

/** Every keyword that may stand in a schema. */
export const keywords: Readonly<Record<string, Keyword>> = {
  type: copy("type", oneOf(typeNames)),
  title: copy("title", isText),
  description: copy("description", isText),
  format: copy("format", isText),
  default: (value) => ({ default: value }),
  nullable: flag("nullable"),
  enum: emitEnum,
  pattern: emitPattern,
  minLength: copy("minLength", isNumber),
  maxLength: copy("maxLength", isNumber),
  minimum: copy("minimum", isNumber),
  maximum: copy("maximum", isNumber),
  exclusiveMinimum: exclusive("exclusiveMinimum", "minimum"),
  exclusiveMaximum: exclusive("exclusiveMaximum", "maximum"),
  multipleOf: copy("multipleOf", isNumber),
  minItems: copy("minItems", isNumber),
  maxItems: copy("maxItems", isNumber),
  minProperties: copy("minProperties", isNumber),
  maxProperties: copy("maxProperties", isNumber),
  required: emitRequired,
  properties: emitProperties,
  patternProperties: emitPatternProperties,
  additionalProperties: emitValues,
  items: (value, { path, emit }) => ({ items: emit(value, `${path}[*]`) }),
  anyOf: emitUnion,
  "x-kubernetes-int-or-string": flag("x-kubernetes-int-or-string"),
  "x-kubernetes-preserve-unknown-fields": flag("x-kubernetes-preserve-unknown-fields"),
  "x-kubernetes-embedded-resource": flag("x-kubernetes-embedded-resource"),
  "x-kubernetes-list-type": copy("x-kubernetes-list-type", oneOf(["atomic", "set", "map"])),
  "x-kubernetes-list-map-keys": copy("x-kubernetes-list-map-keys", isTexts),
  "x-kubernetes-map-type": copy("x-kubernetes-map-type", oneOf(["atomic", "granular"])),
  "x-kubernetes-validations": copy("x-kubernetes-validations", isRules),
};

/**
 * Reading a spec: defaults filled in as the API server and Helm do, fields that the schema does not know left out, unless they are handed on.
 */
import type { TSchema } from "typebox";
import { isRecord } from "../kube/json.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The schema of a map's values; undefined for other schemas. */
export function valueSchemaOf(schema: Fields): unknown {
  return isRecord(schema["patternProperties"]) ? Object.values(schema["patternProperties"])[0] : undefined;
}

const withoutNulls = (value: Fields): Fields =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined));

/** `over` laid onto `base`, maps key by key, as Helm lays values onto a chart's defaults. */
function merge(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over;
  const merged = Object.entries(over).map(
    ([key, value]) => [key, merge(Object.hasOwn(base, key) ? base[key] : undefined, value)] as const,
  );
  return { ...base, ...Object.fromEntries(merged) };
}

function readFields(properties: Fields, value: Fields): Fields {
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    const read = readNode(schema, value[name]);
    return read === undefined ? [] : [[name, read] as const];
  });
  return Object.fromEntries(entries);
}

function readNode(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return value;
  if (value === null && schema["nullable"] === true) return undefined;
  // As in Helm: null takes the place of a default; where there is none it is a wrong value.
  const absent = value === undefined || (value === null && schema["default"] !== undefined);
  const given = absent ? structuredClone(schema["default"]) : value;
  if (isRecord(given)) {
    if (isRecord(schema["properties"])) {
      const known = readFields(schema["properties"], given);
      return schema["x-cozystack-unknown"] === "passed" ? { ...given, ...known } : known;
    }
    const values = valueSchemaOf(schema);
    if (values === undefined) return given;
    const all = withoutNulls(mergedMap(schema, given));
    return Object.fromEntries(Object.entries(all).map(([key, entry]) => [key, readNode(values, entry)]));
  }
  if (Array.isArray(given) && schema["items"] !== undefined)
    return given.map((item) => readNode(schema["items"], item));
  return given;
}

function mergedMap(schema: Fields, given: Fields): Fields {
  const merged = merge(schema["default"] ?? {}, given);
  return isRecord(merged) ? merged : given;
}

/**
 * The spec that render sees: `value` with defaults at every depth, nulls taken as absent, and without the fields that the
 * schema does not know. A map with a default keeps the default's keys beside those given, as upstream's releases do. The
 * result is not checked: a value of a wrong type stays as it is.
 */
export function withDefaults(schema: TSchema, value: unknown): unknown {
  return readNode(schema, value ?? {});
}

/** Everything that the API server must fill in where `schema` stands; undefined without a default. */
export function defaultOf(schema: unknown): unknown {
  if (!isRecord(schema) || schema["default"] === undefined) return undefined;
  return readNode(schema, undefined);
}

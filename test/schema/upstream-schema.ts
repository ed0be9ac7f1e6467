/**
 * The schemas of the applications being replaced, what their releases make of a user's values, and values that they accept.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { isRecord } from "../../src/kube/json.ts";

const directory = resolve(import.meta.dirname, "../../../shared/reference/schemas");

type Node = Readonly<Record<string, unknown>>;

/** The schema of an application's folder; undefined where there is none. */
export function upstreamSchema(folder: string): Node | undefined {
  const file = join(directory, `${folder}.json`);
  if (!existsSync(file)) return undefined;
  const schema: unknown = JSON.parse(readFileSync(file, "utf8"));
  return isRecord(schema) ? schema : undefined;
}

export const haveUpstream = existsSync(directory);

const childrenOf = (node: Node): readonly (readonly [string, Node])[] =>
  isRecord(node["properties"])
    ? Object.entries(node["properties"]).flatMap(([name, child]) => (isRecord(child) ? [[name, child] as const] : []))
    : [];

/** The defaults that a release starts from. */
export function chartDefaults(node: Node): unknown {
  const { default: own } = node;
  if (node["properties"] === undefined) return own;
  if (own === undefined && node["type"] === "object" && node["properties"] !== undefined && !("default" in node))
    return undefined;
  const nested = childrenOf(node).map(([name, child]) => [name, chartDefaults(child)] as const);
  const base = isRecord(own) ? own : {};
  return { ...Object.fromEntries(nested.filter(([, value]) => value !== undefined)), ...base };
}

/** A user's values laid onto the defaults, as a release sees them. */
export function merged(defaults: unknown, values: unknown): unknown {
  if (!isRecord(defaults) || !isRecord(values)) return values;
  const own = Object.entries(values).map(([key, value]) => [key, merged(defaults[key], value)] as const);
  return { ...defaults, ...Object.fromEntries(own) };
}

const quantityText = fc
  .tuple(fc.integer({ min: 0, max: 500 }), fc.constantFrom("", "m", "k", "M", "G", "Mi", "Gi", "Ti"))
  .map((parts) => parts.join(""));
const key = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);

/** Replaces the values of a field, by its path with `*` for items and values of maps. */
export type Overrides = Readonly<Record<string, fc.Arbitrary<unknown>>>;

function scalar(node: Node): fc.Arbitrary<unknown> {
  const choices = node["enum"];
  if (Array.isArray(choices)) return fc.constantFrom(...choices);
  if (node["x-kubernetes-int-or-string"] === true)
    return fc.oneof(quantityText, fc.integer({ min: 0, max: 1_000_000 }));
  if (node["type"] === "boolean") return fc.boolean();
  if (node["type"] === "integer") return fc.integer({ min: -5, max: 70_000 });
  if (node["type"] === "number") return fc.double({ min: -5, max: 1000, noNaN: true });
  return fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.string({ unit: "grapheme", maxLength: 10 }),
    fc.constantFrom("", "abc", "a-b", "1d", "a.example.org"),
  );
}

function object(node: Node, path: string, overrides: Overrides): fc.Arbitrary<unknown> {
  const required = Array.isArray(node["required"]) ? node["required"].filter((name) => typeof name === "string") : [];
  const fields = childrenOf(node).map(
    ([name, child]) => [name, valuesOf(child, path === "" ? name : `${path}.${name}`, overrides)] as const,
  );
  const { additionalProperties } = node;
  if (fields.length === 0 && isRecord(additionalProperties)) {
    return fc.dictionary(
      overrides[`${path}{key}`]?.map(String) ?? key,
      valuesOf(additionalProperties, `${path}.*`, overrides),
      { maxKeys: 3, noNullPrototype: true },
    );
  }
  const needed = required.filter(
    (name) => chartDefaults(childrenOf(node).find(([each]) => each === name)?.[1] ?? {}) === undefined,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: needed, noNullPrototype: true });
}

/** Values that `node` accepts, with optional fields left out now and then. */
export function valuesOf(node: Node, path = "", overrides: Overrides = {}): fc.Arbitrary<unknown> {
  const override = overrides[path];
  if (override !== undefined) return override;
  if (node["type"] === "object") return object(node, path, overrides);
  if (node["type"] === "array") {
    const items = isRecord(node["items"]) ? node["items"] : {};
    return fc.array(valuesOf(items, `${path}.*`, overrides), { maxLength: 3 });
  }
  return scalar(node);
}

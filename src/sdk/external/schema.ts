/**
 * From the schema of a chart's values, as its author wrote it, to one that the API server serves. What a
 * CustomResourceDefinition cannot say is left out: the chart checks its values itself, so that a looser schema here loses
 * nothing. Whatever the text, the result is structural.
 */
import Type, { type TObject, type TSchema } from "typebox";
import Value from "typebox/value";
import { isRecord } from "../../kube/json.ts";
import { withDefaults } from "../defaults.ts";
import { isReserved, jsonObject, keywordsOf, type Node, resolved, typeOf } from "./keywords.ts";

/** A schema that cannot be read. */
export class SchemaProblem extends Error {}

/** Deeper and larger than any chart's; what is beyond may be anything. References can lead in circles. */
const DEEPEST = 16;
const MOST_NODES = 4_000;

interface Budget {
  left: number;
}
/** In characters. The API server keeps a definition in one object of at most 1.5 MB, with its managers. */
export const LARGEST_SCHEMA = 512 * 1024;

const open = { "x-kubernetes-preserve-unknown-fields": true } as const;

/** Reads and normalises; every object is open, since charts take values that their schema does not name. */
export function valuesSchema(text: string): TObject {
  if (text.length > LARGEST_SCHEMA) {
    throw new SchemaProblem(`has ${text.length} characters, at most ${LARGEST_SCHEMA} are possible`);
  }
  const root = text.trim() === "" ? {} : jsonObject(text);
  if (root === undefined) throw new SchemaProblem("is no JSON object");
  const type = typeOf(resolved(root, root));
  if (type.is !== "object" && type.is !== "any") throw new SchemaProblem(`describes ${type.is}, not an object`);
  const node = normalise({ ...resolved(root, root), type: "object" }, root, 0, { left: MOST_NODES });
  const { properties, type: _, default: __, nullable: ___, ...rest } = node;
  const fields = Object.entries(isRecord(properties) ? properties : {}).filter(([name]) => !isReserved(name));
  const schemas = Object.fromEntries(fields.map(([name, child]) => [name, asSchema(child)]));
  const options = {
    ...rest,
    ...open,
    required: requiredOf(rest["required"], fields),
    // What the reconcile path must know: nothing is unknown, all goes to the chart.
    "x-cozystack-unknown": "passed",
  };
  const schema = Type.Object(schemas, options);
  return Value.Check(schema, withDefaults(schema, {})) ? Type.Object(schemas, { ...options, default: {} }) : schema;
}

function requiredOf(value: unknown, fields: readonly (readonly [string, unknown])[]): string[] {
  const names = new Set(fields.map(([name]) => name));
  return (Array.isArray(value) ? value : []).filter((name) => names.has(name));
}

const asSchema = (node: unknown): TSchema => Type.Unsafe(isRecord(node) ? node : open);

/** One node and all below. `root` is where references lead. */
function normalise(given: unknown, root: Node, depth: number, budget: Budget): Node {
  budget.left -= 1;
  if (!isRecord(given) || depth > DEEPEST || budget.left < 0) return open;
  const node = resolved(given, root);
  const type = typeOf(node);
  const bare: Node = { ...keywordsOf(node, type), ...childrenOf(node, type.is, root, depth, budget) };
  const preset = node["default"];
  if (preset === undefined || preset === null) return bare;
  // The API server refuses a definition whose defaults do not fit it.
  const schema = asSchema(bare);
  return Value.Check(schema, withDefaults(schema, preset)) ? { ...bare, default: preset } : bare;
}

function childrenOf(node: Node, type: string, root: Node, depth: number, budget: Budget): Node {
  const below = (child: unknown): Node => normalise(child, root, depth + 1, budget);
  if (type === "array") {
    const items = isRecord(node["items"]) ? below(node["items"]) : open;
    return { items, ...listType(node, items) };
  }
  if (type !== "object") return {};
  const { properties, additionalProperties: values, patternProperties } = node;
  if (isRecord(properties) && Object.keys(properties).length > 0) {
    const fields = Object.entries(properties).map(([name, child]) => [name, below(child)] as const);
    const names = new Set(fields.filter(([, child]) => child["default"] === undefined).map(([name]) => name));
    const wanted = Array.isArray(node["required"]) ? [...new Set(node["required"])] : [];
    const required = wanted.filter((name) => names.has(name));
    return { properties: Object.fromEntries(fields), ...open, ...(required.length === 0 ? {} : { required }) };
  }
  if (isRecord(values) && Object.keys(values).length > 0) {
    return { additionalProperties: below(values) };
  }
  const [first, ...more] = isRecord(patternProperties) ? Object.values(patternProperties) : [];
  // Keys of one form only: their form is not said, their values are.
  if (isRecord(first) && more.length === 0) return { additionalProperties: below(first) };
  return open;
}

/** Server-side apply merges lists by this; said only where the API server takes it. */
function listType(node: Node, items: Node): Node {
  const type = node["x-kubernetes-list-type"];
  if (type === "atomic") return { "x-kubernetes-list-type": type };
  if (type === "set" && ["string", "integer"].includes(String(items["type"])) && items["nullable"] !== true) {
    return { "x-kubernetes-list-type": type };
  }
  const keys = node["x-kubernetes-list-map-keys"];
  if (type !== "map" || !Array.isArray(keys) || keys.length === 0 || items["nullable"] === true) return {};
  const { properties, required } = items;
  const fits = keys.every((key) => {
    const property = isRecord(properties) && typeof key === "string" ? properties[key] : undefined;
    if (!isRecord(property) || !["string", "integer", "boolean"].includes(String(property["type"]))) return false;
    return (
      property["nullable"] !== true &&
      (property["default"] !== undefined || (Array.isArray(required) && required.includes(key)))
    );
  });
  return fits && new Set(keys).size === keys.length
    ? { "x-kubernetes-list-type": type, "x-kubernetes-list-map-keys": keys }
    : {};
}

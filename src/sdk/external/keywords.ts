/**
 * The keywords of one node of a chart's schema, as far as a CustomResourceDefinition can say them.
 */
import { isRecord } from "../../kube/json.ts";
import { re2Problem } from "../../kube/re2.ts";

export type Node = Readonly<Record<string, unknown>>;

export type NodeType = "object" | "array" | "string" | "integer" | "number" | "boolean" | "int-or-string" | "any";

/** A type, and whether null is a value as well. */
export interface Typed {
  readonly is: NodeType;
  readonly nullable: boolean;
}

const plain: readonly NodeType[] = ["object", "array", "string", "integer", "number", "boolean"];

/** A JSON text's object; undefined for other texts. */
export function jsonObject(text: string): Node | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Keys at the top that belong to the platform. */
export const isReserved = (name: string): boolean => name.startsWith("_");

/** References lead to another place of the same text, and no further than this. */
const LONGEST_CHAIN = 8;

/** A node with what it refers to in the reference's place, and with what `allOf` adds. */
export function resolved(node: Node, root: Node, left = LONGEST_CHAIN): Node {
  const { $ref, allOf, ...own } = node;
  const target = typeof $ref === "string" ? found(root, $ref) : undefined;
  const parts = [...(target === undefined ? [] : [target]), ...(Array.isArray(allOf) ? allOf.filter(isRecord) : [])];
  if (parts.length === 0 || left === 0) return own;
  return parts.map((part) => resolved(part, root, left - 1)).reduceRight(merged, own);
}

function found(root: Node, reference: string): Node | undefined {
  if (!reference.startsWith("#")) return undefined;
  const names = reference.slice(1).split("/").slice(1);
  const at = names.reduce<unknown>((place, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return isRecord(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  }, root);
  return isRecord(at) ? at : undefined;
}

/** `over` wins; fields of both are there, and required by either. */
function merged(over: Node, under: Node): Node {
  const both = (key: string): boolean => isRecord(over[key]) && isRecord(under[key]);
  const properties = both("properties")
    ? { properties: Object.fromEntries([...entries(under["properties"]), ...entries(over["properties"])]) }
    : {};
  const [a, b] = [over["required"], under["required"]];
  const required = Array.isArray(a) && Array.isArray(b) ? { required: [...a, ...b] } : {};
  return { ...under, ...over, ...properties, ...required };
}

const entries = (value: unknown): readonly [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

/** The type of a node, guessed from what it says where it says none. */
export function typeOf(node: Node): Typed {
  const said = Array.isArray(node["type"]) ? node["type"] : node["type"] === undefined ? [] : [node["type"]];
  const union = [node["anyOf"], node["oneOf"]].flatMap((branches) => (Array.isArray(branches) ? branches : []));
  const types = new Set(said.length > 0 ? said : union.map((branch) => (isRecord(branch) ? branch["type"] : "any")));
  const nullable = node["nullable"] === true || types.delete("null");
  const is = (type: NodeType): Typed => ({ is: type, nullable });
  if (node["x-kubernetes-int-or-string"] === true) return is("int-or-string");
  const isBoth = types.has("string") && (types.has("integer") || types.has("number"));
  if (types.size === 2 && isBoth) return is(types.has("integer") ? "int-or-string" : "any");
  const [only] = types;
  const type = plain.find((each) => each === only);
  if (types.size === 1 && type !== undefined) {
    // A string that may also be a number, written as a union beside the type.
    return is(type === "string" && isIntOrString(union) ? "int-or-string" : type);
  }
  if (types.size > 0) return is("any");
  return is(guessed(node));
}

function isIntOrString(union: readonly unknown[]): boolean {
  const types = union.map((branch) => (isRecord(branch) ? branch["type"] : undefined));
  return types.length === 2 && types.includes("integer") && types.includes("string");
}

function guessed(node: Node): NodeType {
  if (isRecord(node["properties"]) || isRecord(node["additionalProperties"])) return "object";
  if (node["items"] !== undefined) return "array";
  const values = valuesOf(node);
  return values.length > 0 && values.every((value) => typeof value === "string") ? "string" : "any";
}

function valuesOf(node: Node): readonly unknown[] {
  if (Array.isArray(node["enum"])) return node["enum"];
  return Object.hasOwn(node, "const") ? [node["const"]] : [];
}

/** What a value of the type is, for choices. */
const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: Number.isSafeInteger,
  number: (value) => typeof value === "number" && Number.isFinite(value),
  boolean: (value) => typeof value === "boolean",
};

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const formats: ReadonlySet<unknown> = new Set(["int32", "int64", "float", "double", "date-time"]);
const formatsOf: Readonly<Record<string, readonly string[]>> = {
  string: ["date-time"],
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

function isPattern(value: unknown): boolean {
  if (typeof value !== "string" || value.length > 4096 || re2Problem(value) !== undefined) return false;
  try {
    new RegExp(value, "u");
    return true;
  } catch {
    return false;
  }
}

/** By type: its keywords, and which values of them are taken. */
const bounds: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  object: { minProperties: isCount, maxProperties: isCount },
  array: { minItems: isCount, maxItems: isCount },
  string: { minLength: isCount, maxLength: isCount, pattern: isPattern },
  integer: { multipleOf: (value) => Number.isSafeInteger(value) && Number(value) > 0 },
  // multipleOf of fractions means something else in each language.
  "int-or-string": { pattern: isPattern },
};

/** Everything of a node but what is below it and its default. */
export function keywordsOf(node: Node, { is: type, nullable }: Typed): Node {
  const taken = Object.entries(bounds[type] ?? {}).filter(([key, takes]) => takes(node[key]));
  const format = node["format"];
  return {
    ...typed(type),
    ...(nullable && type !== "any" ? { nullable: true } : {}),
    ...(isText(node["title"]) ? { title: node["title"] } : {}),
    ...(isText(node["description"]) ? { description: node["description"] } : {}),
    ...Object.fromEntries(taken.map(([key]) => [key, node[key]])),
    ...limits(node, type),
    ...(formats.has(format) && formatsOf[type]?.includes(String(format)) ? { format } : {}),
    ...choice(node, type, nullable),
    ...rules(node, type),
  };
}

function typed(type: NodeType): Node {
  if (type === "any") return { "x-kubernetes-preserve-unknown-fields": true };
  if (type !== "int-or-string") return { type };
  return { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] };
}

/** Kubernetes has one bound at each end, and a flag; JSON schema may have two, or the flag of its older form. */
function limits(node: Node, type: NodeType): Node {
  if (type !== "integer" && type !== "number") return {};
  const end = (bound: "minimum" | "maximum", exclusive: "exclusiveMinimum" | "exclusiveMaximum"): Node => {
    const [value, beyond] = [node[bound], node[exclusive]];
    // Beyond what the API server's own integers hold, a bound turns into another one.
    const isBound = (each: unknown): boolean => isNumber(each) && Math.abs(Number(each)) <= Number.MAX_SAFE_INTEGER;
    if (isBound(beyond)) return { [exclusive]: beyond };
    if (!isBound(value)) return {};
    return beyond === true ? { [exclusive]: value } : { [bound]: value };
  };
  return { ...end("minimum", "exclusiveMinimum"), ...end("maximum", "exclusiveMaximum") };
}

function choice(node: Node, type: NodeType, nullable: boolean): Node {
  const fits = isOfType[type];
  const given = valuesOf(node);
  const values = fits === undefined ? [] : [...new Set(given.filter(fits))];
  // With a value that could not be said, the choice would refuse what its author allows.
  const isWhole = given.every((value) => values.includes(value) || (nullable && value === null));
  return values.length > 0 && isWhole ? { enum: nullable ? [...values, null] : values } : {};
}

/** Rules are handed on as they are: the API server says what is wrong with them. */
function rules(node: Node, type: NodeType): Node {
  const given = node["x-kubernetes-validations"];
  const kept = (Array.isArray(given) ? given : []).filter((rule) => isRecord(rule) && isText(rule["rule"]));
  return type === "any" || kept.length === 0 ? {} : { "x-kubernetes-validations": kept };
}

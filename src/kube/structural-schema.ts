/**
 * From a TypeBox schema to the structural schema of a CustomResourceDefinition.
 *
 * Kubernetes accepts a subset of JSON Schema, and refuses the rest only when a CRD is installed. This accepts a closed
 * list of keywords and throws a {@link StructuralSchemaError} on anything else, so that the build fails instead.
 */
import type { TSchema } from "typebox";
import { isRecord } from "./json.ts";
import { keywords, refusedKeywords } from "./schema-keywords.ts";
import { type StructuralSchema, StructuralSchemaError } from "./structural-types.ts";

export { type StructuralSchema, StructuralSchemaError, type ValidationRule } from "./structural-types.ts";

/** Form hints and the like: for our own programs, never for the API server. */
const ownPrefix = "x-cozystack-";

function checkListMap(schema: StructuralSchema, path: string): void {
  const keys = schema["x-kubernetes-list-map-keys"];
  if ((schema["x-kubernetes-list-type"] === "map") !== (keys !== undefined)) {
    const remedy = 'Use "x-kubernetes-list-type": "map" together with x-kubernetes-list-map-keys.';
    throw new StructuralSchemaError(path, "a keyed list without its keys, or keys without a keyed list", remedy);
  }
  for (const key of keys ?? []) {
    const property = schema.items?.properties?.[key];
    if (property === undefined)
      throw new StructuralSchemaError(path, `the items have no ${key}`, "Name a field of them.");
    if (property.default === undefined && schema.items?.required?.includes(key) !== true) {
      const remedy = "A key of a list must be required or have a default.";
      throw new StructuralSchemaError(path, `the key ${key} is optional`, remedy);
    }
  }
}

function checkNode(schema: StructuralSchema, path: string): void {
  const open = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const intOrString = schema["x-kubernetes-int-or-string"] === true;
  if (schema.type === undefined && !open && !intOrString) {
    const remedy = 'Give it a type, or "x-kubernetes-preserve-unknown-fields": true.';
    throw new StructuralSchemaError(path, "a schema without a type", remedy);
  }
  if (intOrString && schema.type !== undefined) {
    throw new StructuralSchemaError(path, "int-or-string with a type", "Leave the type out.");
  }
  if (schema.type === "array" && schema.items === undefined) {
    throw new StructuralSchemaError(path, "a list without items", "Say what its items are.");
  }
  const holds = schema.properties !== undefined || schema.additionalProperties !== undefined;
  if (holds && schema.type !== "object") {
    throw new StructuralSchemaError(
      path,
      `properties in ${schema.type ?? "a schema without a type"}`,
      "Use type object.",
    );
  }
  if (schema["x-kubernetes-list-type"] === "set" && schema.items?.type === "object") {
    const atomic = schema.items["x-kubernetes-map-type"] === "atomic";
    if (!atomic) throw new StructuralSchemaError(path, "a set of objects", 'Use a keyed list, "map", instead.');
  }
  checkListMap(schema, path);
}

function emit(value: unknown, path: string): StructuralSchema {
  if (!isRecord(value)) {
    throw new StructuralSchemaError(path, `${JSON.stringify(value)} is not a schema`, "Write a schema object.");
  }
  const parts = Object.entries(value).flatMap(([key, content]) => {
    if (content === undefined || key.startsWith(ownPrefix)) return [];
    const instead = refusedKeywords[key];
    if (instead !== undefined) {
      throw new StructuralSchemaError(path, `${key} is not allowed in a CustomResourceDefinition`, instead);
    }
    const keyword = keywords[key];
    if (keyword === undefined) throw new StructuralSchemaError(path, `unknown keyword ${key}`, "Remove it.");
    return [keyword(content, { node: value, path, emit })];
  });
  const schema: StructuralSchema = Object.assign({}, ...parts);
  checkNode(schema, path);
  return schema;
}

/**
 * The structural schema of `schema`. `path` is where it will stand (`spec`), for messages.
 *
 * Fields that have a default are not listed as required. Keys with the prefix `x-cozystack-` are left out.
 * @throws StructuralSchemaError on anything Kubernetes would refuse, except the cost of CEL rules.
 */
export function structuralSchema(schema: TSchema, path = ""): StructuralSchema {
  return emit(schema, path);
}

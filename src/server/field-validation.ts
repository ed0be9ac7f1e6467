/**
 * Fields that a resource does not know: refused, warned of, or dropped, as the caller asked.
 */
import { isRecord } from "../kube/json.ts";
import { objectMeta } from "./openapi/meta.ts";
import type { Schema } from "./openapi/schema.ts";
import type { WriteRequestOptions } from "./request-options.ts";
import type { Resource } from "./resource.ts";
import { badRequest } from "./status.ts";

function unknownFields(value: unknown, schema: Schema, path: string): readonly string[] {
  if (schema.open === true || schema.ref !== undefined) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, index) => unknownFields(item, items, `${path}[${index}]`));
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, field]) => {
    const at = path === "" ? key : `${path}.${key}`;
    const known = schema.properties?.[key] ?? schema.additionalProperties;
    return known === undefined ? [at] : unknownFields(field, known, at);
  });
}

const common: Readonly<Record<string, Schema>> = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: objectMeta,
};

/** @throws StatusError `BadRequest` under strict validation, with every unknown field. */
export function checkFields(
  document: Readonly<Record<string, unknown>>,
  { schema }: Pick<Resource, "schema">,
  validation: WriteRequestOptions["fieldValidation"],
  warn: (message: string) => void,
): void {
  if (validation === "Ignore") return;
  const found = unknownFields(document, { ...schema, properties: { ...common, ...schema.properties } }, "");
  const problems = found.map((field) => `unknown field ${JSON.stringify(field)}`);
  if (validation === "Warn") problems.forEach((problem) => void warn(problem));
  else if (problems.length > 0) throw badRequest(`strict decoding error: ${problems.join(", ")}`);
}

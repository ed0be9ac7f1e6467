/**
 * What a kind's schema says of its fields, for people at a terminal: read from the very definition that is served.
 */
import { CozystackError } from "../kube/errors.ts";
import { isRecord } from "../kube/json.ts";
import type { StructuralSchema } from "../kube/structural-schema.ts";
import { nearest } from "../reconcile/unknown-fields.ts";
import type { App } from "../sdk/app.ts";
import { valueSchemaOf } from "../sdk/defaults.ts";
import { hintsOf } from "../sdk/hints.ts";
import { isForbidden } from "../sdk/released-fields.ts";
import { boundsOf } from "../sdk/schema-text.ts";

/** A path that leads to no field. */
export class FieldUnknownError extends CozystackError {
  constructor(app: App, path: string, near: string | undefined) {
    super(
      "FieldUnknown",
      `${app.kind} has no field ${path}${near === undefined ? "" : `; did you mean ${near}?`}`,
      `\`cozystack explain ${app.singular}\` lists its fields.`,
    );
  }
}

export interface FieldHelp {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description?: string;
  readonly default?: unknown;
  readonly bounds: readonly string[];
  readonly rules: readonly string[];
}

/** A field as the API server sees it, and as the application declared it. */
interface Field {
  readonly path: string;
  readonly schema: StructuralSchema;
  readonly declared: unknown;
  readonly required: boolean;
}

/** A kind in the list of all. */
export function kindHelp({ kind, plural, group, catalog, longestName }: App) {
  const { category, summary, title } = catalog;
  return { kind, plural, apiVersion: `${group}/v1alpha1`, title, category, summary, longestName };
}

/** The field at a path of names; `[]` or any name stands for the items of a list and the entries of a map. */
export function fieldAt(app: App, names: readonly string[]): Field {
  const [version] = app.crd().spec.versions;
  const root = version?.schema?.openAPIV3Schema ?? {};
  const tops = root.properties ?? {};
  const [given = "spec", ...others] = names;
  // What is listed for the kind are the fields of its spec: they may be named without it.
  const [first, rest] = tops[given] === undefined ? ["spec", names] : [given, others];
  const top = tops[first];
  if (top === undefined) throw new FieldUnknownError(app, given, nearest(given, Object.keys(tops)));
  let field: Field = {
    path: first,
    schema: top,
    declared: first === "spec" ? app.schema : undefined,
    required: false,
  };
  for (const name of rest) {
    const next = name === "[]" || name === "" ? itemsOf(field) : childOf(field, name);
    if (next === undefined) {
      const known = Object.keys(itemsOf(field)?.schema.properties ?? field.schema.properties ?? {});
      throw new FieldUnknownError(app, `${field.path}.${name}`, nearest(name, known));
    }
    field = next;
  }
  return field;
}

function childOf(field: Field, name: string): Field | undefined {
  const { schema, declared, path } = field;
  const child = schema.properties?.[name];
  if (child !== undefined && !isForbidden(child)) {
    const properties = isRecord(declared) ? declared["properties"] : undefined;
    return {
      path: `${path}.${name}`,
      schema: child,
      declared: isRecord(properties) ? properties[name] : undefined,
      required: schema.required?.includes(name) === true,
    };
  }
  // Names within a map, and fields of a list's items without naming the list's brackets.
  const inner = itemsOf(field);
  if (inner === undefined) return undefined;
  return schema.additionalProperties === undefined ? childOf(inner, name) : (childOf(inner, name) ?? inner);
}

function itemsOf({ schema, declared, path }: Field): Field | undefined {
  if (schema.items !== undefined) {
    const items = isRecord(declared) ? declared["items"] : undefined;
    return { path: `${path}[]`, schema: schema.items, declared: items, required: false };
  }
  if (schema.additionalProperties === undefined) return undefined;
  const values = isRecord(declared) ? valueSchemaOf(declared) : undefined;
  return { path: `${path}.<name>`, schema: schema.additionalProperties, declared: values, required: false };
}

/** A field and those directly in it. */
export function helpOf(app: App, field: Field) {
  const within = itemsOf(field) ?? field;
  const names = Object.keys(within.schema.properties ?? {});
  const order = field.path === "spec" ? (app.catalog.fieldOrder ?? []) : [];
  const sorted = [...order.filter((name) => names.includes(name)), ...names.filter((name) => !order.includes(name))];
  return {
    kind: app.kind,
    apiVersion: `${app.group}/v1alpha1`,
    field: about(field),
    fields: sorted.flatMap((name) => {
      const child = childOf(within, name);
      return child === undefined ? [] : [about(child)];
    }),
  };
}

function about({ path, schema, declared, required }: Field): FieldHelp {
  const hints = hintsOf(declared);
  const isLeaf = schema.properties === undefined;
  return {
    name: path.slice(path.lastIndexOf(".") + 1),
    path,
    type: typeText(schema),
    required: required && schema.default === undefined,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(schema.default === undefined || !isLeaf ? {} : { default: schema.default }),
    bounds: [
      ...(schema.enum === undefined ? [] : [`One of: ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`]),
      ...boundsOf(schema, (pattern) => pattern),
      ...(hints.immutable ? ["Cannot be changed later"] : []),
      ...(hints.keyPattern === undefined ? [] : [`Names match ${hints.keyPattern}`]),
    ],
    rules: (schema["x-kubernetes-validations"] ?? []).flatMap(({ message }) => message ?? []),
  };
}

function typeText(schema: StructuralSchema): string {
  if (schema["x-kubernetes-int-or-string"] === true)
    return schema.pattern === undefined ? "integer or string" : "quantity";
  if (schema.items !== undefined) return `list of ${typeText(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map to ${typeText(schema.additionalProperties)}`;
  return schema.type ?? "any";
}

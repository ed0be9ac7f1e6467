/**
 * The reference page of a kind, made from its definition: what is written here once is what the API server enforces.
 */
import type { StructuralSchema } from "../kube/structural-schema.ts";
import type { App } from "./app.ts";
import { isForbidden } from "./released-fields.ts";
import { boundsOf } from "./schema-text.ts";

/** Text within a cell of a table. */
const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const code = (text: string) => `\`${text.replaceAll("`", "'")}\``;
const json = (value: unknown) => code(JSON.stringify(value));

function specOf(app: App): StructuralSchema {
  const [version] = app.crd().spec.versions;
  return version?.schema?.openAPIV3Schema?.properties?.["spec"] ?? {};
}

function statusOf(app: App): StructuralSchema {
  const [version] = app.crd().spec.versions;
  return version?.schema?.openAPIV3Schema?.properties?.["status"] ?? {};
}

function typeOf(schema: StructuralSchema): string {
  if (schema["x-kubernetes-int-or-string"] === true)
    return schema.pattern === undefined ? "integer or string" : "quantity";
  if (schema.enum !== undefined) return schema.enum.length > 12 ? "preset" : schema.enum.map(json).join(", ");
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map to ${typeOf(schema.additionalProperties)}`;
  return schema.type ?? "any";
}

function bounds(schema: StructuralSchema): readonly string[] {
  return [
    ...boundsOf(schema, code),
    ...(schema["x-kubernetes-validations"] ?? []).flatMap(({ message }) => message ?? []),
  ];
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function row(path: string, schema: StructuralSchema, required: boolean): string {
  const leaf = schema.properties === undefined;
  const given = schema.default === undefined ? (required ? "required" : "") : leaf ? json(schema.default) : "";
  const said = [...(schema.description === undefined ? [] : [schema.description]), ...bounds(schema)]
    .map(sentence)
    .join(" ");
  return `| ${code(path)} | ${cell(typeOf(schema))} | ${cell(given)} | ${cell(said)} |`;
}

function rows(schema: StructuralSchema, path: string, order: readonly string[]): readonly string[] {
  const names = Object.keys(schema.properties ?? {});
  const known = order.filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))].flatMap((name) => {
    const child = schema.properties?.[name];
    if (child === undefined || isForbidden(child)) return [];
    const at = path === "" ? name : `${path}.${name}`;
    return [row(at, child, schema.required?.includes(name) === true), ...inside(child, at)];
  });
}

function inside(schema: StructuralSchema, path: string): readonly string[] {
  if (schema.items !== undefined) return inside(schema.items, `${path}[]`);
  if (schema.additionalProperties !== undefined) return inside(schema.additionalProperties, `${path}.<name>`);
  return rows(schema, path, []);
}

const header = ["| Field | Type | Default | Meaning |", "| --- | --- | --- | --- |"];

/** How long names may be, and what makes them so. */
function naming(app: App): string {
  if (app.module) return `There is one in a tenant, named ${code(app.kind.toLowerCase())}.`;
  if (app.kind === "Tenant") return `Names have lower case letters and digits, at most ${app.longestName}.`;
  const prefix = app.release === "" ? "" : ` Its objects are named ${code(`${app.release}<name>`)}.`;
  return `Names have at most ${app.longestName} characters.${prefix}`;
}

/** The page of `app` in Markdown. */
export function referencePage(app: App): string {
  const spec = specOf(app);
  const fields = rows(spec, "", app.catalog.fieldOrder ?? []);
  const rules = (spec["x-kubernetes-validations"] ?? []).flatMap(({ message }) =>
    message === undefined ? [] : [`- ${sentence(message)}`],
  );
  return [
    `# ${app.catalog.title}`,
    "",
    sentence(app.catalog.summary),
    "",
    `${code(`${app.group}/v1alpha1`)}, kind ${code(app.kind)} (${code(app.plural)}). ${naming(app)}`,
    "",
    "## spec",
    "",
    ...(fields.length === 0 ? ["It has no fields."] : [...header, ...fields]),
    ...(rules.length === 0 ? [] : ["", "Besides:", "", ...rules]),
    "",
    "## status",
    "",
    ...header,
    ...rows(statusOf(app), "", []),
    "",
  ].join("\n");
}

/** The list of all pages; `pageOf` names the file of an application's page. */
export function referenceIndex(apps: readonly App[], pageOf: (app: App) => string): string {
  const sorted = [...apps].sort((a, b) => (a.kind < b.kind ? -1 : 1));
  const lines = sorted.map((app) => {
    const name = `[${app.kind}](${pageOf(app)})`;
    return `| ${name} | ${code(app.plural)} | ${app.catalog.category} | ${cell(app.catalog.summary)} |`;
  });
  return ["# Kinds", "", "| Kind | Plural | Category | |", "| --- | --- | --- | --- |", ...lines, ""].join("\n");
}

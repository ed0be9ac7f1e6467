/**
 * The fields that an application's kind has ever been released with. A definition without one of them would silently drop
 * what people have stored; with another type it would refuse it.
 */
import type { CustomResourceDefinition } from "../kube/core-kinds.ts";
import type { StructuralSchema } from "../kube/structural-schema.ts";

/** Type by path, `*` for values of maps and items of lists. */
export type Fields = Readonly<Record<string, string>>;

/** Fields by the name of their definition. */
export type ReleasedFields = Readonly<Record<string, Fields>>;

function typeOf(schema: StructuralSchema): string {
  return schema["x-kubernetes-int-or-string"] === true ? "int-or-string" : (schema.type ?? "any");
}

/** A field that is in the schema only to be refused with advice: nothing is ever stored in it. */
export function isForbidden(schema: StructuralSchema): boolean {
  return schema["x-kubernetes-validations"]?.some(({ rule }) => rule === "false") === true;
}

function walk(schema: StructuralSchema, path: string): readonly (readonly [string, string])[] {
  if (isForbidden(schema)) return [];
  const below = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [["*", schema.items] as const]),
    ...(schema.additionalProperties === undefined ? [] : [["*", schema.additionalProperties] as const]),
  ];
  return [[path, typeOf(schema)], ...below.flatMap(([name, child]) => walk(child, `${path}.${name}`))];
}

/** Every field of `spec` that the stored version of a definition knows. */
export function fieldsOf(definition: CustomResourceDefinition): Fields {
  const stored = definition.spec.versions.find(({ storage }) => storage);
  const spec = stored?.schema?.openAPIV3Schema?.properties?.["spec"];
  return spec === undefined ? {} : Object.fromEntries(walk(spec, "spec"));
}

/** What is wrong with `current` as successor of what was released: fields that are gone or have another type. */
export function droppedFields(released: Fields, current: Fields): readonly string[] {
  return Object.entries(released).flatMap(([path, type]) => {
    const now = current[path];
    if (now === undefined) return [`${path} (${type}) is gone`];
    return now === type ? [] : [`${path} was ${type} and is ${now}`];
  });
}

/** `released` with all that `current` has besides, sorted. What was released stays as it was. */
export function withFields(released: Fields, current: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...current, ...released }).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Fields of a spec that its schema does not know (api-machinery 11): kept, never rendered, and named to the user with
 * what was probably meant.
 */
import { isRecord } from "../kube/json.ts";

/** `spec.replica (did you mean replicas?)` for each unknown field, at most `limit`, in the order of the spec. */
export function unknownFields(schema: unknown, spec: unknown, limit = 50): readonly string[] {
  const found: string[] = [];
  visit(schema, spec, "spec", found);
  return found.slice(0, limit);
}

function visit(schema: unknown, value: unknown, path: string, found: string[]): void {
  if (!isRecord(schema)) return;
  // All goes to a chart, which knows its values better than their schema does.
  if (schema["x-cozystack-unknown"] === "passed") return;
  if (Array.isArray(value)) {
    value.forEach((item, at) => {
      visit(schema["items"], item, `${path}[${at}]`, found);
    });
    return;
  }
  if (!isRecord(value)) return;
  const { properties } = schema;
  const others = mapValues(schema);
  for (const [key, item] of Object.entries(value)) {
    const at = /^[\w-]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
    if (isRecord(properties) && properties[key] !== undefined) visit(properties[key], item, at, found);
    else if (others !== undefined) visit(others, item, at, found);
    else if (isRecord(properties)) found.push(described(at, key, Object.keys(properties)));
  }
}

/** The schema of a map's values, in both ways of writing maps. */
function mapValues(schema: Readonly<Record<string, unknown>>): unknown {
  const { additionalProperties, patternProperties } = schema;
  if (isRecord(patternProperties)) return Object.values(patternProperties)[0];
  if (additionalProperties === true) return {};
  return isRecord(additionalProperties) ? additionalProperties : undefined;
}

function described(path: string, key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return near === undefined ? path : `${path} (did you mean ${near}?)`;
}

/** The known name that is nearest by edits, if it is near enough to be meant: a third of the length. */
export function nearest(key: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((name) => ({ name, edits: distance(key.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.max(1, Math.floor(key.length / 3)) ? best.name : undefined;
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replace));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

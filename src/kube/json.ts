/**
 * Looking into parsed JSON whose shape is not known.
 */

/** A JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of keys, undefined where anything on the way is missing. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (!isRecord(at)) return undefined;
    at = at[key];
  }
  return at;
}

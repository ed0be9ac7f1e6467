/**
 * JSON pointers (RFC 6901).
 */
import { isRecord } from "../../src/kube/json.ts";

/** `a/b` as one segment of a pointer. */
export function escapeSegment(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The segments of a pointer, unescaped. The empty pointer has none. */
export function segmentsOf(pointer: string): readonly string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a pointer; undefined when there is none. */
export function resolve(root: unknown, pointer: string): unknown {
  let at = root;
  for (const segment of segmentsOf(pointer)) {
    if (Array.isArray(at)) at = at[Number(segment)];
    else if (isRecord(at)) at = at[segment];
    else return undefined;
  }
  return at;
}

/**
 * Whether a pattern covers a pointer: equal segments, where `*` in the pattern stands for any one, and everything below the
 * pattern's end is covered as well.
 */
export function covers(pattern: string, pointer: string): boolean {
  const wanted = segmentsOf(pattern);
  const actual = segmentsOf(pointer);
  return wanted.length <= actual.length && wanted.every((segment, at) => segment === "*" || segment === actual[at]);
}

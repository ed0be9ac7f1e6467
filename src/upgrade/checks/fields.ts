/**
 * Fields of objects whose shape nobody has promised.
 */
import { valueAt } from "../../kube/json.ts";

/** The text at a path; undefined for an empty one, and for anything else. */
export function textIn(value: unknown, ...path: readonly string[]): string | undefined {
  const text = valueAt(value, ...path);
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** The list at a path; empty where there is none. */
export function listIn(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = valueAt(value, ...path);
  return Array.isArray(list) ? list : [];
}

/**
 * Merge patches: JSON Merge Patch (RFC 7386), and Kubernetes' strategic form of it.
 */
import { isRecord } from "../../kube/json.ts";
import { badRequest } from "../status.ts";

type Fields = Readonly<Record<string, unknown>>;

/** null removes, objects are merged, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged: Record<string, unknown> = { ...(isRecord(target) ? target : {}) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

const directive = "$patch";
const retain = "$retainKeys";

/** A map that is put in place of another one: its own directives are not content. */
function withoutDirectives(patch: Fields): Fields {
  return Object.fromEntries(
    Object.entries(patch)
      .filter(([key, value]) => !key.startsWith("$") && value !== null)
      .map(([key, value]) => [key, isRecord(value) ? withoutDirectives(value) : value]),
  );
}

/**
 * A strategic merge patch of an object that holds maps and single values: the directives for maps are carried out. Those
 * for lists are about fields that our objects do not have, and change nothing.
 */
export function strategicMergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  switch (patch[directive]) {
    case "replace":
      return withoutDirectives(patch);
    case "delete":
      return {};
    case "merge":
    case undefined:
      break;
    default:
      throw badRequest(`strategic merge patch: ${directive} is none of replace, delete, merge`);
  }
  const kept = patch[retain];
  const base = Object.entries(isRecord(target) ? target : {}).filter(
    ([key]) => !Array.isArray(kept) || kept.includes(key),
  );
  const merged: Record<string, unknown> = Object.fromEntries(base);
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith("$")) continue;
    if (value === null) delete merged[key];
    else merged[key] = strategicMergePatch(merged[key], value);
  }
  return merged;
}

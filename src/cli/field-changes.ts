/**
 * What differs between two versions of a document, for people: fields, with what nobody should see masked.
 */
import { isRecord } from "../kube/json.ts";
import type { KubeObject } from "../kube/object.ts";
import { type FieldChange, MASKED } from "../reconcile/change.ts";
import { type Difference, formatPath, type PathSegment } from "../reconcile/diff.ts";
import { canonical } from "../reconcile/digest.ts";
import type { Json } from "../sdk/context.ts";

/** Names of fields that hold what must not be shown, in whatever kind. */
const confidential =
  /password|passphrase|secret(access)?key$|accesskey$|token|privatekey|credential|cloudinit$|^auth$/i;

/** The fields that differ from `before` to `after`, both as the API server has them. Status and bookkeeping are left out. */
export function documentChanges(before: KubeObject, after: KubeObject): readonly FieldChange[] {
  const isSecret = after.kind === "Secret" && after.apiVersion === "v1";
  return differing(shown(before), shown(after), []).map(({ path, before: from, after: to }) => {
    const hide = path.some((part) => typeof part === "string" && confidential.test(part)) || (isSecret && isData(path));
    return {
      path: formatPath(path),
      ...(from === undefined ? {} : { from: hide ? MASKED : masked(from) }),
      ...(to === undefined ? {} : { to: hide ? MASKED : masked(to) }),
      impact: "none",
    };
  });
}

const isData = (path: readonly PathSegment[]): boolean => path[0] === "data" || path[0] === "stringData";

function shown({ metadata, ...rest }: KubeObject): Readonly<Record<string, unknown>> {
  const fields = Object.entries(rest).filter(([key]) => key !== "status" && key !== "apiVersion");
  const { labels, annotations } = metadata;
  return { metadata: { labels: labels ?? {}, annotations: annotations ?? {} }, ...Object.fromEntries(fields) };
}

function differing(before: unknown, after: unknown, path: readonly PathSegment[]): readonly Difference[] {
  if (canonical(before ?? null) === canonical(after ?? null)) return [];
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differing(before[key], after[key], [...path, key]));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((item, at) => differing(before[at], item, [...path, at]));
  }
  return [{ path, before, after }];
}

/** A value with its confidential parts hidden. */
function masked(value: unknown): Json {
  if (value === null || typeof value === "boolean" || typeof value === "number" || typeof value === "string")
    return value;
  if (Array.isArray(value)) return value.map(masked);
  if (!isRecord(value)) return null;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, confidential.test(key) ? MASKED : masked(item)]),
  );
}

/**
 * Reading managedFields: which fields a manager holds, and which of them are no longer wanted.
 */
import { isRecord } from "../kube/json.ts";
import type { KubeObject, ManagedFieldsEntry } from "../kube/object.ts";
import { type Difference, fieldOf, type PathSegment } from "./diff.ts";
import { canonical } from "./digest.ts";

/** The entries of a manager on the object itself, not on its subresources. */
export function entriesOf(
  object: KubeObject,
  manager: string,
  operation: "Apply" | "Update",
): readonly ManagedFieldsEntry[] {
  return (object.metadata.managedFields ?? []).filter(
    (entry) => entry.manager === manager && entry.operation === operation && (entry.subresource ?? "") === "",
  );
}

/** Whether a manager has written the object (not its subresources) by either operation. */
export function writtenBy(object: KubeObject, manager: string): boolean {
  return entriesOf(object, manager, "Apply").length > 0 || entriesOf(object, manager, "Update").length > 0;
}

/** Another manager that holds the field at a path, for messages; undefined when none is known. */
export function otherManagerOf(object: KubeObject, path: readonly PathSegment[], manager: string): string | undefined {
  const holders = (object.metadata.managedFields ?? []).filter((entry) => {
    if (entry.manager === manager) return false;
    let at: unknown = entry.fieldsV1;
    for (const segment of path) {
      if (typeof segment === "number") return true;
      if (!isRecord(at)) return false;
      at = at[`f:${segment}`];
      if (at === undefined) return false;
      if (isRecord(at) && Object.keys(at).length === 0) return true;
    }
    return at !== undefined;
  });
  return holders[0]?.manager;
}

/**
 * The fields that `manager` wrote before, by whichever operation, and that `desired` no longer sets: they go with the next
 * apply (field-owner.ts). Empty where managedFields are not known.
 */
export function removedFields(desired: KubeObject, live: KubeObject, manager: string): readonly Difference[] {
  const found: Difference[] = [];
  const walk = (fields: unknown, want: unknown, have: unknown, path: readonly PathSegment[]): void => {
    if (!isRecord(fields)) return;
    for (const [key, below] of Object.entries(fields)) {
      const step = stepInto(key, want, have);
      if (step === undefined) continue;
      const at = [...path, step.segment];
      if (step.want === undefined) {
        if (step.have !== undefined) found.push({ path: at, before: step.have, after: undefined });
      } else walk(below, step.want, step.have, at);
    }
  };
  for (const operation of ["Apply", "Update"] as const) {
    for (const entry of entriesOf(live, manager, operation)) walk(entry.fieldsV1, desired, live, []);
  }
  return found;
}

interface Step {
  readonly segment: PathSegment;
  readonly want: unknown;
  readonly have: unknown;
}

/** Follows one key of fieldsV1: `f:` a field, `k:` the item of a list with these keys, `v:` a value of a set. */
function stepInto(key: string, want: unknown, have: unknown): Step | undefined {
  const text = key.slice(2);
  if (key.startsWith("f:")) {
    return {
      segment: text,
      want: isRecord(want) ? fieldOf(want, text) : undefined,
      have: isRecord(have) ? fieldOf(have, text) : undefined,
    };
  }
  const matches = key.startsWith("k:") ? hasKeys(text) : key.startsWith("v:") ? isValue(text) : undefined;
  if (matches === undefined || !Array.isArray(have)) return undefined;
  const at = have.findIndex(matches);
  if (at < 0) return undefined;
  return { segment: at, want: Array.isArray(want) ? want.find(matches) : undefined, have: have[at] };
}

function hasKeys(text: string): ((item: unknown) => boolean) | undefined {
  const keys = parsed(text);
  if (!isRecord(keys)) return undefined;
  return (item) =>
    isRecord(item) &&
    // A key that the item leaves to its default (`protocol`) does not tell items apart in what we render.
    Object.entries(keys).every(([name, value]) => item[name] === value || item[name] === undefined);
}

function isValue(text: string): (item: unknown) => boolean {
  const value = canonical(parsed(text));
  return (item) => canonical(item) === value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Written by the API server; one that we cannot read tells us nothing.
    return undefined;
  }
}

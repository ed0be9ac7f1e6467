/**
 * Writes as values: what a migration would do to one object, printable before anything is sent. An edit is a function of
 * what the object is like, so that one that changed meanwhile is read again rather than overwritten.
 */
import type { ImpactRules } from "../../contracts/impact.ts";
import { impactRulesOf } from "../../contracts/index.ts";
import type { JsonPatch } from "../../kube/client.ts";
import { isRecord } from "../../kube/json.ts";
import { type AnyKind, type KubeObject, type ObjectRef, refOf } from "../../kube/object.ts";
import type { Change } from "../../reconcile/change.ts";
import type { PathSegment } from "../../reconcile/diff.ts";
import { deletionImpact, fieldChanges, worstOf } from "../../reconcile/impact.ts";

/** One field and its value afterwards; undefined takes it away. */
export interface Edit {
  readonly path: readonly PathSegment[];
  readonly to: unknown;
}

interface Common {
  readonly kind: AnyKind;
  /** For people, of the whole write. */
  readonly because: string;
}

/** Sets or takes away fields of an object that exists. */
export interface EditWrite extends Common {
  readonly do: "edit";
  readonly live: KubeObject;
  /** What is left to do to the object; nothing where it is as it should be. */
  readonly edits: (live: KubeObject) => readonly Edit[];
  readonly subresource?: "status";
  /** Impact of its fields, where the kind's rules do not fit this very change. */
  readonly rules?: ImpactRules;
}

/** Makes an object; one that is there already is left alone. */
export interface CreateWrite extends Common {
  readonly do: "create";
  readonly object: KubeObject;
  /** Owner of its fields where it is not the migrations: another part of the program goes on with it. */
  readonly manager?: string;
}

/** Deletes this very object. */
export interface DeleteWrite extends Common {
  readonly do: "delete";
  readonly live: KubeObject;
  /** Default `Background`. */
  readonly propagation?: "Background" | "Orphan";
  /** Whether it may go as it is now. Default: yes. */
  readonly may?: (live: KubeObject) => boolean;
  /** What is lost with it, where the kind's rules do not fit: nothing, when it lives on under another name. */
  readonly impact?: "deletes";
}

export type MigrationWrite = EditWrite | CreateWrite | DeleteWrite;

/** The object that a write is about; with its uid where it exists. */
export function objectOf(write: MigrationWrite): ObjectRef {
  return refOf(write.do === "create" ? write.object : write.live);
}

/** The value at a path; undefined where anything on the way is missing. */
export function fieldAt(object: unknown, path: readonly PathSegment[]): unknown {
  let at: unknown = object;
  for (const segment of path) {
    if (Array.isArray(at) && typeof segment === "number") at = at[segment];
    else if (isRecord(at) && Object.hasOwn(at, segment)) at = at[segment];
    else return undefined;
  }
  return at;
}

/** A write for people; the same value that `upgrade plan` gives. */
export function changeOf(write: MigrationWrite): Change {
  const object = objectOf(write);
  const { because } = write;
  if (write.do === "create") return { object, action: "create", impact: "none", fields: [], because };
  if (write.do === "delete") {
    return { object, action: "delete", impact: write.impact ?? deletionImpact(object), fields: [], because };
  }
  const found = write.edits(write.live).map(({ path, to }) => ({ path, before: fieldAt(write.live, path), after: to }));
  const fields = fieldChanges(object, found, write.rules ?? impactRulesOf(object.group, object.kind));
  return { object, action: "update", impact: worstOf(fields), fields, because };
}

const pointer = (path: readonly PathSegment[]): string =>
  path.map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** Edits as a patch that holds for this version of the object alone. */
export function patchOf(live: KubeObject, edits: readonly Edit[]): JsonPatch {
  const made = new Set<string>();
  const operations = edits.flatMap(({ path, to }): JsonPatch => {
    const before = fieldAt(live, path);
    if (to === undefined) return before === undefined ? [] : [{ op: "remove", path: pointer(path) }];
    const above = path.slice(0, -1).flatMap((_, index): JsonPatch => {
      const parent = path.slice(0, index + 1);
      const at = pointer(parent);
      const there = fieldAt(live, parent);
      if ((there !== undefined && there !== null) || made.has(at)) return [];
      made.add(at);
      return [{ op: "add", path: at, value: {} }];
    });
    const isItem = typeof path.at(-1) === "number";
    return [...above, { op: isItem ? "replace" : "add", path: pointer(path), value: to }];
  });
  return [{ op: "test", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion }, ...operations];
}

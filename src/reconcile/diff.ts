/**
 * Desired against live: what of the live object we look at, and where it differs.
 */
import { isRecord } from "../kube/json.ts";
import { groupOf, type KubeObject } from "../kube/object.ts";
import { canonical } from "./digest.ts";
import { type ItemKey, itemKeyOf } from "./lists.ts";

export type PathSegment = string | number;

/** A place where two objects differ. Undefined stands for an absent value. */
export interface Difference {
  readonly path: readonly PathSegment[];
  readonly before: unknown;
  readonly after: unknown;
}

/** A field of a parsed object, and nothing that every object inherits. */
export function fieldOf(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Dotted, with list indexes and keys that are no plain words in brackets. */
export function formatPath(path: readonly PathSegment[]): string {
  return path
    .map((segment, at) => {
      if (typeof segment === "number") return `[${segment}]`;
      if (!/^[\w$-]+$/.test(segment)) return `[${JSON.stringify(segment)}]`;
      return at === 0 ? segment : `.${segment}`;
    })
    .join("");
}

/**
 * The part of `live` at the paths of `desired`, defaults and other managers' fields left out. Items of a keyed list that
 * are not desired are left out as well; any other list is taken whole.
 */
export function projectOn(desired: KubeObject, live: KubeObject): unknown {
  const group = groupOf(desired.apiVersion);
  const project = (want: unknown, have: unknown, field: string): unknown => {
    if (isRecord(want) && isRecord(have)) {
      const fields = Object.keys(want).filter((key) => fieldOf(have, key) !== undefined);
      return Object.fromEntries(fields.map((key) => [key, project(want[key], have[key], key)]));
    }
    if (Array.isArray(want) && Array.isArray(have)) {
      const key = itemKeyOf(group, field, want);
      if (key === undefined) return wholeList(want, have, field);
      const byKey = itemsBy(key, have);
      return want.flatMap((item) => {
        const found = byKey.get(key(item) ?? "");
        return found === undefined ? [] : [project(item, found, field)];
      });
    }
    return have;
  };
  // Within a whole list, defaults filled into an item are still not ours.
  const wholeList = (want: readonly unknown[], have: readonly unknown[], field: string): unknown =>
    have.map((item, at) => (at < want.length ? project(want[at], item, field) : item));
  return project(desired, live, "");
}

function itemsBy(key: ItemKey, items: readonly unknown[]): Map<string, unknown> {
  return new Map(items.map((item) => [key(item) ?? "", item]));
}

/** Every leaf of `desired` that `live` lacks or has otherwise. `same` forgives notations: `0.5` and `500m`. */
export function differences(
  desired: KubeObject,
  live: KubeObject,
  same: (a: unknown, b: unknown) => boolean = () => false,
): readonly Difference[] {
  const group = groupOf(desired.apiVersion);
  const found: Difference[] = [];
  const compare = (want: unknown, have: unknown, path: readonly PathSegment[], field: string): void => {
    if (isRecord(want) && isRecord(have)) {
      for (const key of Object.keys(want)) {
        if (want[key] !== undefined) compare(want[key], fieldOf(have, key), [...path, key], key);
      }
    } else if (Array.isArray(want) && Array.isArray(have)) {
      compareLists(want, have, path, field);
    } else if (canonical(want) !== canonical(have) && !emptyAndAbsent(want, have) && !same(want, have)) {
      found.push({ path, before: have, after: want });
    }
  };
  const compareLists = (
    want: readonly unknown[],
    have: readonly unknown[],
    path: readonly PathSegment[],
    field: string,
  ): void => {
    const key = itemKeyOf(group, field, want);
    const byKey = key === undefined ? undefined : itemsBy(key, have);
    want.forEach((item, at) => {
      const other = byKey === undefined ? have[at] : byKey.get(key?.(item) ?? "");
      compare(item, other, [...path, at], field);
    });
    if (byKey === undefined) {
      have.slice(want.length).forEach((item, at) => {
        found.push({ path: [...path, want.length + at], before: item, after: undefined });
      });
    }
  };
  compare(desired, live, [], "");
  return found;
}

// The API server drops empty maps and lists from some kinds: their absence is no difference.
function emptyAndAbsent(want: unknown, have: unknown): boolean {
  if (have !== undefined && have !== null) return false;
  return (isRecord(want) && Object.keys(want).length === 0) || (Array.isArray(want) && want.length === 0);
}

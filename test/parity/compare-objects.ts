/**
 * Compares one rendered object with the one of a case, by the rules of the cases' README.
 */
import { isRecord } from "../../src/kube/json.ts";
import type { UnknownObject } from "../../src/kube/object.ts";
import { escapeSegment } from "./pointer.ts";
import { hasShape } from "./shape.ts";
import { sameText } from "./texts.ts";

/** What is known about an object's values; pointers are relative to the object. */
export interface ObjectRules {
  readonly volatile: ReadonlySet<string>;
  readonly shapes: ReadonlyMap<string, string>;
  /** Pattern by pointer. */
  readonly textHash: ReadonlyMap<string, string>;
  readonly longText: ReadonlySet<string>;
  readonly helmOnly: ReadonlySet<string>;
}

export type DifferenceKind = "missing" | "extra" | "differs";

export interface Difference {
  /** Key of the object: `apiVersion/Kind/namespace/name`. */
  readonly object: string;
  /** Within the object; empty for the object as a whole. */
  readonly pointer: string;
  readonly kind: DifferenceKind;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly why?: string;
}

const LINEAGE_LABELS = [
  /^apps\.cozystack\.io\/application\.(group|kind|name)$/,
  /^internal\.cozystack\.io\/(managed-by-cozystack|tenantresource)$/,
  /^app\.kubernetes\.io\/managed-by$/,
];
const OWNER_ANNOTATION = /^internal\.cozystack\.io\/owner$/;

function withoutKeys(map: unknown, patterns: readonly RegExp[]): unknown {
  if (!isRecord(map)) return map;
  const kept = Object.entries(map).filter(([key]) => !patterns.some((pattern) => pattern.test(key)));
  // A map that held nothing else counts as absent: whether it was written at all tells nothing.
  return kept.length === 0 && Object.keys(map).length > 0 ? undefined : Object.fromEntries(kept);
}

/** The object as it is compared: lineage labels, the owner annotation and the namespace (which is in the key) taken out. */
export function comparable(object: UnknownObject): Readonly<Record<string, unknown>> {
  const { labels, annotations, namespace, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: withoutKeys(labels, LINEAGE_LABELS),
      annotations: withoutKeys(annotations, [OWNER_ANNOTATION]),
    },
  };
}

/** Whether a map entry counts as absent. Below a HelmRelease's values null removes a default of the chart. */
function absent(value: unknown, pointer: string, keepsNull: boolean): boolean {
  return value === undefined || (value === null && !(keepsNull && pointer.startsWith("/spec/values/")));
}

function isOpaque(value: unknown): boolean {
  return isRecord(value) && typeof value["$opaque"] === "string";
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

/** Compares two objects of the same key. */
export function compareObjects(
  key: string,
  expected: UnknownObject,
  actual: UnknownObject,
  rules: ObjectRules,
): readonly Difference[] {
  const found: Difference[] = [];
  const keepsNull = expected.kind === "HelmRelease";

  const report = (
    pointer: string,
    kind: DifferenceKind,
    expectedValue: unknown,
    actualValue: unknown,
    why?: string,
  ) => {
    found.push({
      object: key,
      pointer,
      kind,
      expected: expectedValue,
      actual: actualValue,
      ...(why === undefined ? {} : { why }),
    });
  };

  /** True when a rule says all there is to say about the values at this pointer. */
  function byRule(pointer: string, one: unknown, other: unknown): boolean {
    const pattern = rules.textHash.get(pointer);
    if (pattern !== undefined) {
      if (typeof other !== "string" || !new RegExp(pattern).test(other))
        report(pointer, "differs", one, other, `must match ${pattern}`);
      return true;
    }
    // Before the volatile ones: a script that holds a password is both, and the case shows no text to compare types with.
    if (isOpaque(one)) {
      if (typeof other !== "string" || other === "") report(pointer, "differs", one, other, "must be a text");
      return true;
    }
    if (rules.volatile.has(pointer)) {
      const shape = rules.shapes.get(pointer);
      if (typeOf(one) !== typeOf(other)) report(pointer, "differs", one, other, `must be a ${typeOf(one)}`);
      else if (shape !== undefined && !(typeof other === "string" && hasShape(other, shape))) {
        report(pointer, "differs", one, other, `must have the shape ${shape}`);
      }
      return true;
    }
    if (rules.longText.has(pointer) && typeof one === "string" && typeof other === "string") {
      if (!sameText(one, other)) report(pointer, "differs", one, other, "the texts say different things");
      return true;
    }
    return false;
  }

  function compare(pointer: string, one: unknown, other: unknown): void {
    if (byRule(pointer, one, other)) return;
    if (Array.isArray(one) && Array.isArray(other)) compareLists(pointer, one, other);
    else if (isRecord(one) && isRecord(other)) compareMaps(pointer, one, other);
    else if (one !== other) report(pointer, "differs", one, other);
  }

  function compareLists(pointer: string, one: readonly unknown[], other: readonly unknown[]): void {
    if (one.length !== other.length) {
      report(pointer, "differs", one, other, `${other.length} entries instead of ${one.length}`);
      return;
    }
    one.forEach((item, index) => {
      compare(`${pointer}/${index}`, item, other[index]);
    });
  }

  function compareMaps(
    pointer: string,
    one: Readonly<Record<string, unknown>>,
    other: Readonly<Record<string, unknown>>,
  ): void {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const at = `${pointer}/${escapeSegment(name)}`;
      // Helm's bookkeeping may go with Helm; inside templates and selectors the same label is part of what runs.
      if (rules.helmOnly.has(at) && at.startsWith("/metadata/")) continue;
      const [inOne, inOther] = [!absent(one[name], at, keepsNull), !absent(other[name], at, keepsNull)];
      if (inOne && inOther) compare(at, one[name], other[name]);
      else if (inOne) report(at, "missing", one[name], undefined);
      else if (inOther) report(at, "extra", undefined, other[name]);
    }
  }

  compareMaps("", comparable(expected), comparable(actual));
  return found;
}

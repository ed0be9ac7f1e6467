/**
 * Compares all objects of a render with those of a case.
 */
import { kindByGroupKind } from "../../src/contracts/index.ts";
import { groupOf, type UnknownObject } from "../../src/kube/object.ts";
import type { ParityCase } from "./case.ts";
import { compareObjects, type Difference, type ObjectRules } from "./compare-objects.ts";
import { resolve } from "./pointer.ts";
import { brokenRelations, type Related } from "./shape.ts";

/** `apiVersion/Kind/namespace/name`, the namespace filled in where the kind has one. */
export function keyOfObject(object: UnknownObject, releaseNamespace: string): string {
  const namespaced = kindByGroupKind(groupOf(object.apiVersion), object.kind)?.namespaced ?? true;
  const namespace = namespaced ? (object.metadata.namespace ?? releaseNamespace) : "";
  return `${object.apiVersion}/${object.kind}/${namespace}/${object.metadata.name}`;
}

/** One object of the case and the rendered one that stands for it. */
export interface Pair {
  readonly index: number;
  readonly key: string;
  readonly expected: UnknownObject;
  readonly actual: UnknownObject;
}

/** Which rendered object stands for which object of the case. */
export interface Pairing {
  readonly pairs: readonly Pair[];
  readonly missing: readonly { readonly key: string; readonly object: UnknownObject }[];
  readonly extra: readonly { readonly key: string; readonly object: UnknownObject }[];
}

/** Another way to find the rendered object for one of the case; undefined leaves it to its key. */
export type Renamed = (key: string) => RegExp | undefined;

/** Pairs by key, by a name's hash pattern, or as `renamed` says. Throws when two rendered objects have the same key. */
export function pairObjects(
  testCase: ParityCase,
  rendered: readonly UnknownObject[],
  renamed: Renamed = () => undefined,
): Pairing {
  const namespace = testCase.release.namespace;
  const open = new Map<string, UnknownObject>();
  for (const object of rendered) {
    const key = keyOfObject(object, namespace);
    if (open.has(key)) throw new Error(`${key} is rendered twice`);
    open.set(key, object);
  }
  const namePatterns = new Map(testCase.textHash.map((hash) => [hash.path, hash.pattern]));
  const take = (index: number, key: string): UnknownObject | undefined => {
    const pattern = namePatterns.get(`/objects/${index}/metadata/name`);
    const other = renamed(key);
    const fits =
      pattern !== undefined
        ? sameButName(keyPrefix(key), new RegExp(pattern))
        : other !== undefined
          ? (candidate: string) => other.test(candidate)
          : (candidate: string) => candidate === key;
    const found = [...open.keys()].find(fits) ?? (open.has(key) ? key : undefined);
    const object = found === undefined ? undefined : open.get(found);
    if (found !== undefined) open.delete(found);
    return object;
  };
  const pairs: Pair[] = [];
  const missing: { readonly key: string; readonly object: UnknownObject }[] = [];
  testCase.objects.forEach((expected, index) => {
    const key = keyOfObject(expected, namespace);
    const actual = take(index, key);
    if (actual === undefined) missing.push({ key, object: expected });
    else pairs.push({ index, key, expected, actual });
  });
  return { pairs, missing, extra: [...open].map(([key, object]) => ({ key, object })) };
}

function keyPrefix(key: string): string {
  return key.slice(0, key.lastIndexOf("/") + 1);
}

function sameButName(prefix: string, name: RegExp): (candidate: string) => boolean {
  return (candidate) => keyPrefix(candidate) === prefix && name.test(candidate.slice(prefix.length));
}

/** The rules of the case's pointers that lie in one of its objects. */
function rulesOf(testCase: ParityCase, index: number): ObjectRules {
  const prefix = `/objects/${index}`;
  const within = (pointers: readonly string[]) =>
    new Set(
      pointers.filter((pointer) => pointer.startsWith(`${prefix}/`)).map((pointer) => pointer.slice(prefix.length)),
    );
  return {
    volatile: within(testCase.volatile),
    shapes: new Map(
      Object.entries(testCase.volatileShape)
        .filter(([pointer]) => pointer.startsWith(`${prefix}/`))
        .map(([pointer, shape]) => [pointer.slice(prefix.length), shape]),
    ),
    textHash: new Map(
      testCase.textHash
        .filter((hash) => hash.path.startsWith(`${prefix}/`))
        .map((hash) => [hash.path.slice(prefix.length), hash.pattern]),
    ),
    longText: within(testCase.longText),
    helmOnly: within(testCase.helmOnly),
  };
}

/** All differences between a case and a render. */
export function compareCase(
  testCase: ParityCase,
  rendered: readonly UnknownObject[],
  renamed?: Renamed,
): readonly Difference[] {
  const { pairs, missing, extra } = pairObjects(testCase, rendered, renamed);
  const byIndex = new Map(pairs.map((pair) => [pair.index, pair]));

  /** The pair and the pointer within its object that a pointer of the case means. */
  const locate = (pointer: string): { readonly pair: Pair; readonly inside: string } | undefined => {
    const match = /^\/objects\/(\d+)(\/.*)?$/.exec(pointer);
    const pair = match === null ? undefined : byIndex.get(Number(match[1]));
    return pair === undefined ? undefined : { pair, inside: match?.[2] ?? "" };
  };
  const read = (pointer: string): Related | undefined => {
    const place = locate(pointer);
    const value = place === undefined ? undefined : resolve(place.pair.actual, place.inside);
    return typeof value === "string" ? { value, shape: testCase.volatileShape[pointer] } : undefined;
  };

  const relations = testCase.volatileRelations.flatMap((relation): readonly Difference[] => {
    const place = locate(relation.path);
    if (place === undefined) return [];
    return brokenRelations(relation, read).map((why) => ({
      object: place.pair.key,
      pointer: place.inside,
      kind: "differs",
      why,
    }));
  });

  return [
    ...missing.map(({ key, object }): Difference => ({ object: key, pointer: "", kind: "missing", expected: object })),
    ...extra.map(({ key, object }): Difference => ({ object: key, pointer: "", kind: "extra", actual: object })),
    ...pairs.flatMap((pair) => compareObjects(pair.key, pair.expected, pair.actual, rulesOf(testCase, pair.index))),
    ...relations,
    ...unequalHashes(testCase, locate),
  ];
}

/** Hashes that are equal in the case must be equal in the render: a machine template's name and the reference to it. */
function unequalHashes(
  testCase: ParityCase,
  locate: (pointer: string) => { readonly pair: Pair; readonly inside: string } | undefined,
): readonly Difference[] {
  const seen = new Map<string, unknown>();
  return testCase.textHash.flatMap((hash): readonly Difference[] => {
    const place = locate(hash.path);
    if (place === undefined) return [];
    const expected = resolve(place.pair.expected, place.inside);
    const actual = resolve(place.pair.actual, place.inside);
    if (typeof expected !== "string") return [];
    if (!seen.has(expected)) seen.set(expected, actual);
    if (seen.get(expected) === actual) return [];
    const why = `is ${JSON.stringify(seen.get(expected))} elsewhere, where the case has the same value`;
    return [{ object: place.pair.key, pointer: place.inside, kind: "differs", expected, actual, why }];
  });
}

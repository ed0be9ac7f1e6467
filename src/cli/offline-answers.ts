/**
 * What a render may know without a cluster: the objects of a file, and generated values made on the spot.
 */
import { createHash } from "node:crypto";
import { CozystackError } from "../kube/errors.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { groupOf, type Kind, type KubeObject } from "../kube/object.ts";
import type { Answers, GeneratedSecret, NeedRequest } from "../sdk/needs.ts";

/** A render that needs an object which nobody gave it. */
export class NeededObjectError extends CozystackError {
  constructor(where: string, kind: string, name: string) {
    super("ObjectNeeded", `${where}: needs ${kind} ${name} to exist`, "Put it into the file given with --existing.");
  }
}

/** `count` random bytes for one generated value; `seed` says which value. */
export type RandomFor = (seed: string) => (count: number) => Uint8Array;

/** The same bytes at every run, so that two renders can be compared. Never for values that are used. */
export const repeatable: RandomFor = (seed) => {
  let block = 0;
  return (count) => {
    const blocks = Array.from({ length: Math.ceil(count / 32) }, () => {
      block += 1;
      return createHash("sha256").update(`${seed}/${block}`).digest();
    });
    return new Uint8Array(Buffer.concat(blocks).subarray(0, count));
  };
};

export interface OfflineOptions {
  /** Names the document in errors. */
  readonly where: string;
  /** Everything that exists. What names no namespace is in the application's. */
  readonly existing: readonly KubeObject[];
  readonly namespace: string;
  readonly requests: readonly NeedRequest[];
  readonly random: RandomFor;
}

/** Answers from a list of objects. Throws NeededObjectError where a required one is missing. */
export function offlineAnswers({ where, existing, namespace, requests, random }: OfflineOptions): Answers {
  const isIn = (kind: Kind<KubeObject>, object: KubeObject, wanted: string | undefined): boolean =>
    !kind.namespaced || (object.metadata.namespace ?? namespace) === (wanted ?? namespace);
  const answers: Answers = {
    object: <T extends KubeObject>(kind: Kind<T>, name: string, wanted?: string) =>
      existing
        .filter((object) => isOf(kind, object))
        .find((object) => object.metadata.name === name && isIn(kind, object, wanted)),
    list: <T extends KubeObject>(kind: Kind<T>, labels: Readonly<Record<string, string>>, wanted?: string) =>
      existing
        .filter((object) => isOf(kind, object))
        .filter((object) => isIn(kind, object, wanted))
        .filter((object) => Object.entries(labels).every(([key, value]) => object.metadata.labels?.[key] === value)),
    generated: (name) => generated(name, existing, namespace, requests, random),
  };
  for (const request of requests) {
    if (request.type !== "object" || !request.required) continue;
    if (answers.object(request.kind, request.name, request.namespace) === undefined) {
      throw new NeededObjectError(where, request.kind.kind, request.name);
    }
  }
  return answers;
}

function isOf<T extends KubeObject>(kind: Kind<T>, object: KubeObject): object is T {
  return groupOf(object.apiVersion) === kind.group && object.kind === kind.kind;
}

function generated(
  name: string,
  existing: readonly KubeObject[],
  namespace: string,
  requests: readonly NeedRequest[],
  random: RandomFor,
): GeneratedSecret {
  const live = existing.find(
    ({ apiVersion, kind, metadata }) =>
      apiVersion === "v1" &&
      kind === "Secret" &&
      metadata.name === name &&
      (metadata.namespace ?? namespace) === namespace,
  );
  const data = decoded(valueAt(live, "data"));
  const request = requests.find((each) => each.type === "generated" && each.name === name);
  const generators = request?.type === "generated" ? request.values : {};
  const made = Object.entries(generators).map(
    ([key, generate]) => [key, generate(random(`${namespace}/${name}/${key}`))] as const,
  );
  return { name, values: { ...Object.fromEntries(made), ...data }, existing: new Set(Object.keys(data)) };
}

function decoded(data: unknown): Readonly<Record<string, string>> {
  if (!isRecord(data)) return {};
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(String(value), "base64").toString("utf8")]),
  );
}

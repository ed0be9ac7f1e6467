/**
 * What a case lets a render know: the objects it lists exist and nothing else; generated values come from a seeded stream.
 */
import { createHash } from "node:crypto";
import { isRecord } from "../../src/kube/json.ts";
import { groupOf, type Kind, type KubeObject, type UnknownObject } from "../../src/kube/object.ts";
import type { Answers, GeneratedSecret, NeedRequest } from "../../src/sdk/needs.ts";

/** A stream of bytes that is the same for the same seed. */
export function seededBytes(seed: string): (bytes: number) => Uint8Array {
  let counter = 0;
  return (bytes) => {
    const out = new Uint8Array(bytes);
    for (let at = 0; at < bytes; at += 32) {
      out.set(
        createHash("sha256")
          .update(`${seed}/${counter++}`)
          .digest()
          .subarray(0, Math.min(32, bytes - at)),
        at,
      );
    }
    return out;
  };
}

function isOf<T extends KubeObject>(kind: Kind<T>, object: KubeObject): object is T {
  return groupOf(object.apiVersion) === kind.group && object.kind === kind.kind;
}

function hasLabels(object: KubeObject, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([name, value]) => object.metadata.labels?.[name] === value);
}

function decoded(data: unknown): Readonly<Record<string, string>> {
  if (!isRecord(data)) return {};
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(String(value), "base64").toString("utf8")]),
  );
}

/** Answers from the objects of a case. `namespace` is the application's own; `seed` decides the generated values. */
export function caseAnswers(
  existing: readonly UnknownObject[],
  namespace: string,
  requests: readonly NeedRequest[],
  seed: string,
): Answers {
  const random = seededBytes(seed);
  const secrets = new Map<string, GeneratedSecret>();
  const inNamespace = (kind: Kind<KubeObject>, object: KubeObject, wanted: string) =>
    !kind.namespaced || (object.metadata.namespace ?? namespace) === wanted;

  function generate(name: string): GeneratedSecret {
    const request = requests.find((candidate) => candidate.type === "generated" && candidate.name === name);
    const live = existing.find(
      (object) =>
        object.apiVersion === "v1" &&
        object.kind === "Secret" &&
        object.metadata.name === name &&
        (object.metadata.namespace ?? namespace) === namespace,
    );
    const kept = decoded(live?.["data"]);
    const generators = request?.type === "generated" ? Object.entries(request.values) : [];
    const fresh = generators.filter(([key]) => kept[key] === undefined).map(([key, make]) => [key, make(random)]);
    return { name, values: { ...kept, ...Object.fromEntries(fresh) }, existing: new Set(Object.keys(kept)) };
  }

  return {
    object(kind, name, where = namespace) {
      for (const object of existing) {
        if (isOf(kind, object) && object.metadata.name === name && inNamespace(kind, object, where)) return object;
      }
      return undefined;
    },
    list(kind, labels, where = namespace) {
      return existing.flatMap((object) =>
        isOf(kind, object) && hasLabels(object, labels) && inNamespace(kind, object, where) ? [object] : [],
      );
    },
    generated(name) {
      const secret = secrets.get(name) ?? generate(name);
      secrets.set(name, secret);
      return secret;
    },
  };
}

/**
 * Resolves what a render must know about the cluster, before it runs. A read that fails rejects; only a read that
 * succeeded says "absent", and a required object that is absent makes the instance wait.
 */
import { Secret } from "../kube/core-kinds.ts";
import { type AnyKind, type Kind, type KubeObject, keyOf, type ObjectRef } from "../kube/object.ts";
import type { Answers, GeneratedSecret, NeedRequest } from "../sdk/needs.ts";
import { answerGenerated, type GeneratedAnswer, type GeneratedOptions } from "./needs-generated.ts";
import type { ObjectProblem } from "./problem.ts";
import { isOfKind, refIn, type View } from "./view.ts";

export interface NeedsInput extends GeneratedOptions {
  readonly view: View;
  /** The application's namespace. */
  readonly namespace: string;
  readonly requests: readonly NeedRequest[];
}

/** `generated` tells per Secret name what is new in it. */
export type ResolvedNeeds =
  | { readonly is: "resolved"; readonly answers: Answers; readonly generated: ReadonlyMap<string, GeneratedAnswer> }
  | { readonly is: "waiting"; readonly on: ObjectRef; readonly why: string }
  | { readonly is: "refused"; readonly problem: ObjectProblem };

/** What wakes an instance: these objects, and any object of a kind that has these labels. */
export interface Interest {
  readonly refs: readonly ObjectRef[];
  readonly lists: readonly ListInterest[];
}

export interface ListInterest {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What the requests must be woken by, known before anything is read. */
export function interestOf(requests: readonly NeedRequest[], namespace: string): Interest {
  return {
    refs: requests.flatMap((request) => {
      if (request.type === "list") return [];
      if (request.type === "generated") return [refIn(Secret, request.name, namespace)];
      return [refIn(request.kind, request.name, request.namespace ?? namespace)];
    }),
    lists: requests.flatMap((request) => {
      if (request.type !== "list") return [];
      const { group, kind, namespaced } = request.kind;
      return [
        { group, kind, labels: request.labels, ...(namespaced ? { namespace: request.namespace ?? namespace } : {}) },
      ];
    }),
  };
}

/** Kinds that the requests read: their stores must run. */
export function kindsOf(requests: readonly NeedRequest[]): readonly AnyKind[] {
  return requests.map((request) => (request.type === "generated" ? Secret : request.kind));
}

/** Resolves all requests. */
export async function resolveRequests(input: NeedsInput): Promise<ResolvedNeeds> {
  const objects = new Map<string, KubeObject | undefined>();
  const lists = new Map<string, readonly KubeObject[]>();
  const generated = new Map<string, GeneratedAnswer>();
  for (const request of input.requests) {
    const { namespace = input.namespace } = request.type === "generated" ? {} : request;
    if (request.type === "object") {
      const { counts } = request;
      const live = await input.view.read(request.kind, request.name, namespace);
      const object = live !== undefined && counts?.if(live) === false ? undefined : live;
      if (object === undefined && request.required)
        return waitingFor(request.kind, request.name, namespace, input.view, counts?.says);
      objects.set(keyOf(refIn(request.kind, request.name, namespace)), object);
    } else if (request.type === "list") {
      const found = await input.view.list(request.kind, request.labels, namespace);
      lists.set(listKey(request.kind, request.labels, namespace), found);
    } else {
      const answer = await answerGenerated(input.view, request, input.namespace, input);
      if (answer.is === "refused") return answer;
      generated.set(request.name, answer);
    }
  }
  return { is: "resolved", answers: answersOf(input.namespace, objects, lists, generated), generated };
}

async function waitingFor(
  kind: AnyKind,
  name: string,
  namespace: string,
  view: View,
  or: string | undefined,
): Promise<ResolvedNeeds> {
  const served = await view.serves(kind);
  const absent = or === undefined ? "does not exist yet" : `does not exist yet, or ${or}`;
  return {
    is: "waiting",
    on: refIn(kind, name, namespace),
    why: served ? absent : `does not exist yet: the cluster does not serve ${kind.plural}.${kind.group}`,
  };
}

function listKey(kind: AnyKind, labels: Readonly<Record<string, string>>, namespace: string | undefined): string {
  return `${kind.group}/${kind.kind}/${kind.namespaced ? namespace : ""}/${JSON.stringify(Object.entries(labels).sort())}`;
}

function answersOf(
  home: string,
  objects: ReadonlyMap<string, KubeObject | undefined>,
  lists: ReadonlyMap<string, readonly KubeObject[]>,
  generated: ReadonlyMap<string, GeneratedSecret>,
): Answers {
  return {
    object<T extends KubeObject>(kind: Kind<T>, name: string, namespace = home): T | undefined {
      const key = keyOf(refIn(kind, name, namespace));
      if (!objects.has(key)) throw new Error(`${key} was not among the needs`);
      const object = objects.get(key);
      return object === undefined ? undefined : typed(kind, object);
    },
    list<T extends KubeObject>(
      kind: Kind<T>,
      labels: Readonly<Record<string, string>>,
      namespace = home,
    ): readonly T[] {
      const found = lists.get(listKey(kind, labels, namespace));
      if (found === undefined) throw new Error(`a list of ${kind.kind} was not among the needs`);
      return found.map((object) => typed(kind, object));
    },
    generated(name) {
      const secret = generated.get(name);
      if (secret === undefined) throw new Error(`generated Secret ${name} was not among the needs`);
      return secret;
    },
  };
}

function typed<T extends KubeObject>(kind: Kind<T>, object: KubeObject): T {
  if (isOfKind(kind, object)) return object;
  throw new Error(`asked for a ${kind.kind}, got a ${object.kind}`);
}

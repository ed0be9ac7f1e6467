/**
 * Where checks get their facts: a source reads some kind of objects once for all checks that need it, and says whether it could.
 */
import { CozystackError } from "../../kube/errors.ts";
import type { UnknownObject } from "../../kube/object.ts";
import type { Version } from "../versions.ts";

/** A kind by the names that its API has for it; in which version it is served, the cluster says. */
export interface Resource {
  /** `""` for the core group. */
  readonly group: string;
  readonly plural: string;
}

/** `PLURAL.GROUP`, as kubectl writes it. */
export function resourceText({ group, plural }: Resource): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** Something that could not be read. */
export interface Unread {
  /** Kind or object, for people. */
  readonly what: string;
  readonly problem: string;
}

/**
 * What came of a read. `notServed`: the API server says that it has no such kind, which is an answer. `unreadable`: denied, late, or not
 * understood, which is none.
 */
export type Answer<T> =
  | { readonly is: "read"; readonly value: T }
  | { readonly is: "notServed" }
  | ({ readonly is: "unreadable" } & Unread);

export const read = <T>(value: T): Answer<T> => ({ is: "read", value });
export const notServed: Answer<never> = { is: "notServed" };

/** What was read; `otherwise` where it was not. */
export function valueIn<T>(answer: Answer<T>, otherwise: T): T {
  return answer.is === "read" ? answer.value : otherwise;
}

/** The answers that are none. */
export function unreadable(answers: readonly Answer<unknown>[]): readonly Unread[] {
  return answers.flatMap((answer) =>
    answer.is === "unreadable" ? [{ what: answer.what, problem: answer.problem }] : [],
  );
}

/** The answer for a read of `what` that failed. Errors of the client never hold values of Secrets. */
export function unreadableOf(what: string, error: unknown): Answer<never> {
  const problem = error instanceof CozystackError ? `${error.message} (${error.code})` : String(error);
  return { is: "unreadable", what, problem };
}

export interface ListScope {
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Ask for metadata alone; the objects have nothing else. */
  readonly metadataOnly?: boolean;
  /** Keep `metadata.managedFields`. */
  readonly managedFields?: boolean;
  /** Objects of a page. Default 500; fewer where objects are large. */
  readonly pageSize?: number;
}

/** A cluster to read from: bounded in requests at a time and in the time for each read. Nothing is ever written. */
export interface Reader {
  /** The version that the upgrade is to reach. */
  readonly target: Version;
  /**
   * What `take` makes of each object, page by page: an object of which it makes undefined is let go at once.
   * `take` must not throw.
   */
  list<R>(
    resource: Resource,
    take: (object: UnknownObject) => R | undefined,
    scope?: ListScope,
  ): Promise<Answer<readonly R[]>>;
  /** One object; undefined when the API server says that it does not exist. */
  get(resource: Resource, name: string, namespace?: string): Promise<Answer<UnknownObject | undefined>>;
  /** A path outside the resource model, such as `/version`. */
  raw(path: string): Promise<Answer<unknown>>;
  /** Reads from another cluster by the text of its kubeconfig, closed afterwards. `what` names it in what could not be read. */
  within<T>(what: string, kubeconfig: string, work: (reader: Reader) => Promise<T>): Promise<Answer<T>>;
}

/** Facts of one kind. */
export interface Source<T> {
  /** As in the documentation. */
  readonly reads: readonly string[];
  /** Reads at the first question, and gives every later one the same answer. */
  answer(reader: Reader): Promise<Answer<T>>;
}

/** A source that reads with `find` once for each reader. */
export function defineSource<T>(
  reads: readonly (Resource | string)[],
  find: (reader: Reader) => Promise<Answer<T>>,
): Source<T> {
  const known = new WeakMap<Reader, Promise<Answer<T>>>();
  return {
    reads: reads.map((one) => (typeof one === "string" ? one : resourceText(one))),
    answer(reader) {
      const before = known.get(reader);
      if (before !== undefined) return before;
      const asked = find(reader);
      known.set(reader, asked);
      return asked;
    },
  };
}

/** All objects of a kind, as far as `take` keeps them. */
export function listOf<R>(
  resource: Resource,
  take: (object: UnknownObject) => R | undefined,
  scope?: ListScope,
): Source<readonly R[]> {
  return defineSource([resource], (reader) => reader.list(resource, take, scope));
}

/** One object. */
export function oneOf<R>(
  resource: Resource,
  place: { readonly name: string; readonly namespace?: string },
  take: (object: UnknownObject) => R,
): Source<R | undefined> {
  const { name, namespace } = place;
  const shown = `${resourceText(resource)} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
  return defineSource([shown], async (reader) => {
    const answer = await reader.get(resource, name, namespace);
    if (answer.is !== "read") return answer;
    return read(answer.value === undefined ? undefined : take(answer.value));
  });
}

/**
 * An API server for the budget gate's tests, with what matters of the real one: versions, compare-and-swap, admission before
 * each attempt to store, lists of one version. Every request takes turns (turns.ts) before and after it is carried out.
 */
import { ApiError } from "../../src/kube/errors.ts";
import type { Kind, KubeObject } from "../../src/kube/object.ts";
import type { LedgerClient } from "../../src/tenancy/quota/ledgers.ts";
import type { Turns } from "./turns.ts";

const keyOf = (kind: string, namespace: string | undefined, name: string): string =>
  `${kind}/${namespace ?? ""}/${name}`;

export class SimulatedCluster {
  readonly #objects = new Map<string, KubeObject>();
  readonly #turns: Turns;
  #version = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  get version(): string {
    return String(this.#version);
  }

  stored(kind: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#objects.get(keyOf(kind, namespace, name));
  }

  all(kind: string): readonly KubeObject[] {
    return [...this.#objects.values()].filter((object) => object.kind === kind);
  }

  /** Stores at once, if the object is still at `base`; undefined: it must not exist. Gives the object as stored. */
  put<T extends KubeObject>(object: T, base: string | undefined): T | undefined {
    const { kind, metadata } = object;
    const live = this.stored(kind, metadata.namespace, metadata.name);
    if (live?.metadata.resourceVersion !== base) return undefined;
    this.#version += 1;
    const stored = { ...object, metadata: { ...metadata, resourceVersion: this.version } };
    this.#objects.set(keyOf(kind, metadata.namespace, metadata.name), stored);
    return stored;
  }

  remove(kind: string, namespace: string | undefined, name: string): boolean {
    this.#version += 1;
    return this.#objects.delete(keyOf(kind, namespace, name));
  }

  /** The API as a process sees it until `dead` says that it was killed: then no answer reaches it any more. */
  client(dead: () => boolean): LedgerClient {
    const request = async <T>(work: () => T): Promise<T> => {
      await this.#turns.turn();
      if (dead()) throw new Killed();
      const answer = attempt(work);
      await this.#turns.turn();
      // Carried out, but nobody is there to learn of it.
      if (dead()) throw new Killed();
      if ("error" in answer) throw answer.error;
      return answer.value;
    };
    return {
      get: <T extends KubeObject>(kind: Kind<T>, name: string, namespace?: string) =>
        request(() => this.#read(kind, name, namespace)),
      list: <T extends KubeObject>(kind: Kind<T>, options: { readonly labelSelector?: string } = {}) =>
        request(() => ({ items: this.#list(kind, options.labelSelector), resourceVersion: this.version })),
      create: (_, object) => request(() => this.put(object, undefined) ?? failed("AlreadyExists")),
      replace: (kind, object) =>
        request(() => {
          const { name, namespace, resourceVersion } = object.metadata;
          if (this.stored(kind.kind, namespace, name) === undefined) return failed("NotFound");
          return this.put(object, resourceVersion) ?? failed("Conflict");
        }),
      delete: (kind, name, namespace, options = {}) =>
        request(() => {
          const live = this.stored(kind.kind, namespace, name);
          if (live === undefined) return false;
          const { resourceVersion = live.metadata.resourceVersion } = options;
          return live.metadata.resourceVersion === resourceVersion
            ? this.remove(kind.kind, namespace, name)
            : failed("Conflict");
        }),
    };
  }

  /** A kind has one type of object: the overload states what the map cannot. */
  #read<T extends KubeObject>(kind: Kind<T>, name: string, namespace: string | undefined): T | undefined;
  #read(kind: Kind<KubeObject>, name: string, namespace: string | undefined): KubeObject | undefined {
    return this.stored(kind.kind, namespace, name);
  }

  #list<T extends KubeObject>(kind: Kind<T>, label: string | undefined): readonly T[];
  #list(kind: Kind<KubeObject>, label: string | undefined): readonly KubeObject[] {
    return this.all(kind.kind).filter(({ metadata }) => label === undefined || metadata.labels?.[label] !== undefined);
  }
}

/** The process that asked is no more. */
export class Killed extends Error {}

function failed(code: "AlreadyExists" | "NotFound" | "Conflict"): never {
  throw new ApiError(code, code);
}

function attempt<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/**
 * Objects of one kind in memory, found by name, namespace, owner, or by keys that an index function derives.
 */
import { CozystackError } from "./errors.ts";
import type { KubeObject } from "./object.ts";

/** The keys under which an object is found. Must depend on the object alone. */
export type IndexFunction<T extends KubeObject> = (object: T) => readonly string[];

interface Index<T extends KubeObject> {
  readonly keysOf: IndexFunction<T>;
  readonly objects: Map<string, Set<T>>;
}

/** An index was asked for that nobody defined, or defined twice. */
export class IndexError extends CozystackError {
  constructor(kind: string, problem: string) {
    super("IndexInvalid", `store of ${kind}: ${problem}`, "Define each index once, with addIndex, before using it.");
  }
}

export interface ObjectIndex<T extends KubeObject> {
  readonly size: number;
  get(name: string, namespace: string | undefined): T | undefined;
  all(): IterableIterator<T>;
  inNamespace(namespace: string): readonly T[];
  ownedBy(uid: string): readonly T[];
  lookup(index: string, key: string): readonly T[];
  addIndex(name: string, keysOf: IndexFunction<T>): void;
  /** Replaces the object of the same name; gives the one that was there. */
  put(object: T): T | undefined;
  remove(name: string, namespace: string | undefined): T | undefined;
}

const owners = (object: KubeObject): readonly string[] =>
  object.metadata.ownerReferences?.map((owner) => owner.uid) ?? [];

export function objectIndex<T extends KubeObject>(kind: string): ObjectIndex<T> {
  // Two levels: objects of a namespace together, without a joined key string for each object.
  const namespaces = new Map<string, Map<string, T>>();
  const byOwner: Index<T> = { keysOf: owners, objects: new Map() };
  const indexes = new Map<string, Index<T>>();
  let size = 0;

  const enter = (index: Index<T>, object: T): void => {
    for (const key of index.keysOf(object)) {
      const found = index.objects.get(key);
      if (found === undefined) index.objects.set(key, new Set([object]));
      else found.add(object);
    }
  };
  const leave = (index: Index<T>, object: T): void => {
    for (const key of index.keysOf(object)) {
      const found = index.objects.get(key);
      found?.delete(object);
      if (found?.size === 0) index.objects.delete(key);
    }
  };
  const everyIndex = () => [byOwner, ...indexes.values()];
  const drop = (object: T): void => {
    for (const index of everyIndex()) leave(index, object);
    size -= 1;
  };

  return {
    get size() {
      return size;
    },
    get: (name, namespace = "") => namespaces.get(namespace)?.get(name),
    *all() {
      for (const objects of namespaces.values()) yield* objects.values();
    },
    inNamespace: (namespace) => [...(namespaces.get(namespace)?.values() ?? [])],
    ownedBy: (uid) => [...(byOwner.objects.get(uid) ?? [])],
    lookup(name, key) {
      const index = indexes.get(name);
      if (index === undefined) throw new IndexError(kind, `no index ${name}`);
      return [...(index.objects.get(key) ?? [])];
    },
    addIndex(name, keysOf) {
      const known = indexes.get(name);
      if (known?.keysOf === keysOf) return;
      if (known !== undefined) throw new IndexError(kind, `index ${name} is defined already, otherwise`);
      const index: Index<T> = { keysOf, objects: new Map() };
      for (const objects of namespaces.values()) for (const object of objects.values()) enter(index, object);
      indexes.set(name, index);
    },
    put(object) {
      const { name, namespace = "" } = object.metadata;
      const objects = namespaces.get(namespace) ?? new Map<string, T>();
      namespaces.set(namespace, objects);
      const previous = objects.get(name);
      if (previous !== undefined) drop(previous);
      objects.set(name, object);
      size += 1;
      for (const index of everyIndex()) enter(index, object);
      return previous;
    },
    remove(name, namespace = "") {
      const objects = namespaces.get(namespace);
      const previous = objects?.get(name);
      if (objects === undefined || previous === undefined) return undefined;
      objects.delete(name);
      if (objects.size === 0) namespaces.delete(namespace);
      drop(previous);
      return previous;
    },
  };
}

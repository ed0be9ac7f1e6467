/**
 * Which instances an event wakes: the reverse of what each instance owns, needs and waits for.
 */
import { groupOf, type KubeObject, keyOf, type ObjectRef, refOf } from "../kube/object.ts";
import type { Interest, ListInterest } from "./needs.ts";

/** Everything that one instance looks at. `kinds` are those it waits to be served, as `group/kind`. */
export interface Watched extends Interest {
  readonly kinds: readonly string[];
}

interface Registered {
  readonly keys: ReadonlySet<string>;
  readonly lists: readonly ListInterest[];
  readonly listKeys: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** `group/kind`. */
export function kindKey(kind: { readonly group: string; readonly kind: string }): string {
  return `${kind.group}/${kind.kind}`;
}

function placeKey(kind: string, namespace: string | undefined): string {
  return `${kind}/${namespace ?? "*"}`;
}

export class Interests {
  readonly #instances = new Map<string, Registered>();
  readonly #byKey = new Map<string, Set<string>>();
  readonly #byList = new Map<string, Set<string>>();
  readonly #byKind = new Map<string, Set<string>>();

  /** Replaces what an instance is woken by. Must be called before what it names is read. */
  set(instance: string, watched: Watched): void {
    const before = this.#instances.get(instance);
    const now: Registered = {
      keys: new Set(watched.refs.map(keyOf)),
      lists: watched.lists,
      listKeys: new Set(watched.lists.map((list) => placeKey(kindKey(list), list.namespace))),
      kinds: new Set(watched.kinds),
    };
    this.#instances.set(instance, now);
    replace(this.#byKey, instance, before?.keys, now.keys);
    replace(this.#byList, instance, before?.listKeys, now.listKeys);
    replace(this.#byKind, instance, before?.kinds, now.kinds);
  }

  forget(instance: string): void {
    const before = this.#instances.get(instance);
    this.#instances.delete(instance);
    replace(this.#byKey, instance, before?.keys, new Set());
    replace(this.#byList, instance, before?.listKeys, new Set());
    replace(this.#byKind, instance, before?.kinds, new Set());
  }

  /** The instances to wake for an event of this object. `previous`: as it was before, for labels that it lost. */
  affected(object: KubeObject, previous?: KubeObject): ReadonlySet<string> {
    const found = new Set(this.#byKey.get(keyOf(withoutUid(refOf(object)))));
    const kind = kindKey({ group: groupOf(object.apiVersion), kind: object.kind });
    const { namespace } = object.metadata;
    for (const place of [placeKey(kind, namespace), placeKey(kind, undefined)]) {
      for (const instance of this.#byList.get(place) ?? []) {
        const lists = this.#instances.get(instance)?.lists ?? [];
        if (lists.some((list) => selects(list, kind, object) || (previous && selects(list, kind, previous)))) {
          found.add(instance);
        }
      }
    }
    return found;
  }

  /** The instances that wait for a kind to be served, or that have objects of it. */
  waitingFor(kind: string): ReadonlySet<string> {
    return this.#byKind.get(kind) ?? new Set();
  }
}

function withoutUid({ uid: _, ...ref }: ObjectRef): ObjectRef {
  return ref;
}

function selects(list: ListInterest, kind: string, object: KubeObject): boolean {
  if (kindKey(list) !== kind) return false;
  if (list.namespace !== undefined && list.namespace !== object.metadata.namespace) return false;
  return Object.entries(list.labels).every(([key, value]) => object.metadata.labels?.[key] === value);
}

function replace(
  index: Map<string, Set<string>>,
  instance: string,
  before: ReadonlySet<string> | undefined,
  now: ReadonlySet<string>,
): void {
  for (const key of before ?? []) {
    if (now.has(key)) continue;
    const instances = index.get(key);
    instances?.delete(instance);
    if (instances?.size === 0) index.delete(key);
  }
  for (const key of now) {
    const instances = index.get(key);
    if (instances === undefined) index.set(key, new Set([instance]));
    else instances.add(instance);
  }
}

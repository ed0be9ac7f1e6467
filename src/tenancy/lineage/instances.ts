/**
 * The applications that exist, found by where their objects are: candidates for the owner of what is looked at.
 */
import type { KubeObject } from "../../kube/object.ts";
import type { App } from "../../sdk/app.ts";
import { tenantNamespace } from "../../sdk/names.ts";

/** An application object that exists. */
export interface Instance {
  readonly app: App;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** As the watch gave it. */
  readonly object: KubeObject;
}

export function instanceOf(app: App, object: KubeObject): Instance {
  const { name, namespace = "", uid = "" } = object.metadata;
  return { app, name, namespace, uid, object };
}

/** The key of an instance in logs and maps: `Kind namespace/name`. */
export function formatInstance({ app, namespace, name }: Instance): string {
  return `${app.kind} ${namespace}/${name}`;
}

const named = (group: string, kind: string, name: string): string => `${group}/${kind}/${name}`;

/** Where the objects of an instance are: its own namespace, and for a tenant the one that it makes. */
export function placesOf({ app, namespace, name }: Instance): readonly string[] {
  return app.kind === "Tenant" ? [namespace, tenantNamespace(namespace, name)] : [namespace];
}

export class Instances {
  readonly #byUid = new Map<string, Instance>();
  readonly #byPlace = new Map<string, Map<string, Instance>>();
  readonly #byName = new Map<string, Map<string, Instance>>();

  /** Takes in an instance, in the place of what was known of it. */
  set(instance: Instance): void {
    this.#byUid.set(instance.uid, instance);
    for (const [map, key] of this.#entries(instance)) {
      const found = map.get(key) ?? new Map<string, Instance>();
      found.set(instance.uid, instance);
      map.set(key, found);
    }
  }

  remove(uid: string): void {
    const instance = this.#byUid.get(uid);
    if (instance === undefined) return;
    this.#byUid.delete(uid);
    for (const [map, key] of this.#entries(instance)) {
      const found = map.get(key);
      found?.delete(uid);
      if (found?.size === 0) map.delete(key);
    }
  }

  byUid(uid: string): Instance | undefined {
    return this.#byUid.get(uid);
  }

  /** Those that may have objects in a namespace. */
  in(namespace: string): readonly Instance[] {
    return [...(this.#byPlace.get(namespace)?.values() ?? [])];
  }

  /** Those of a kind and name, in any namespace. */
  named(group: string, kind: string, name: string): readonly Instance[] {
    return [...(this.#byName.get(named(group, kind, name))?.values() ?? [])];
  }

  #entries(instance: Instance): readonly (readonly [Map<string, Map<string, Instance>>, string])[] {
    const { app, name } = instance;
    return [
      ...placesOf(instance).map((place) => [this.#byPlace, place] as const),
      [this.#byName, named(app.group, app.kind, name)],
    ];
  }
}

/**
 * What a viewer could see in a stretch of the recent past, found by taking the changes back one by one from what is now.
 */
import type { KubeObject } from "../../kube/object.ts";
import { newest } from "../view/journal.ts";
import type { TenantChange, Tenants, Viewer } from "./tenants.ts";

/** A namespace that the viewer could see at some time of the stretch, or can see now and that changed. */
export interface Sighting {
  readonly name: string;
  /** Of the newest change about it. */
  readonly version: string;
  /** Every state in which it was seen, the newest first; what is now is one of them if it is seen now. */
  readonly states: readonly KubeObject[];
  /** Whether it was seen before the first change. */
  readonly atFirst: boolean;
  readonly now: KubeObject | undefined;
}

export interface VersionedChange {
  readonly version: string;
  readonly change: TenantChange;
}

/**
 * @param changes oldest first, up to now
 * @returns only the namespaces about which a change said something
 */
export function sightings(tenants: Tenants, viewer: Viewer, changes: readonly VersionedChange[]): readonly Sighting[] {
  const named = new Map<string, Map<string, boolean>>();
  const readers = new Map<string, boolean>();
  const objects = new Map<string, KubeObject | undefined>();
  const about = new Map<string, KubeObject[]>();
  const versions = new Map<string, string>();

  const objectOf = (name: string): KubeObject | undefined =>
    objects.has(name) ? objects.get(name) : tenants.namespace(name);
  const seesAll = (): boolean => viewer.always || viewer.keys.some((key) => readers.get(key) ?? tenants.isReader(key));
  const sees = (name: string): boolean =>
    seesAll() || viewer.keys.some((key) => named.get(name)?.get(key) ?? tenants.isNamed(key, name));
  const seen = (name: string): KubeObject | undefined => (sees(name) ? objectOf(name) : undefined);
  const note = (name: string): void => {
    const states = about.get(name) ?? [];
    about.set(name, states);
    const state = seen(name);
    if (state !== undefined && states.at(-1) !== state) states.push(state);
  };

  /** The namespaces about which a change says something to the viewer. */
  const names = (change: TenantChange): readonly string[] => {
    const mine = (before: ReadonlyMap<string, boolean>): boolean => viewer.keys.some((key) => before.has(key));
    switch (change.is) {
      case "namespace":
        return [change.name];
      case "grant":
        return mine(change.grant.before) ? [change.grant.namespace] : [];
      case "readers":
        return mine(change.before) ? [...new Set([...tenants.names(), ...objects.keys()])] : [];
    }
  };
  const undo = (change: TenantChange): void => {
    switch (change.is) {
      case "namespace":
        objects.set(change.name, change.previous);
        break;
      case "grant": {
        const { namespace, before } = change.grant;
        const states = named.get(namespace) ?? new Map<string, boolean>();
        named.set(namespace, states);
        for (const key of viewer.keys) if (before.has(key)) states.set(key, before.get(key) === true);
        break;
      }
      case "readers":
        for (const key of viewer.keys) if (change.before.has(key)) readers.set(key, change.before.get(key) === true);
    }
  };

  for (const { change, version } of changes.toReversed()) {
    const affected = names(change);
    for (const name of affected) {
      versions.set(name, newest(version, versions.get(name) ?? "0"));
      note(name);
    }
    undo(change);
    for (const name of affected) note(name);
  }
  return [...about].map(([name, states]) => ({
    name,
    version: versions.get(name) ?? "0",
    states,
    atFirst: seen(name) !== undefined,
    now: tenants.sees(viewer, name) ? tenants.namespace(name) : undefined,
  }));
}

/**
 * The kind of any object that people hand over: an application of ours, or whatever else the cluster serves.
 */
import type { Client } from "../kube/client.ts";
import { kindsOfVersion } from "../kube/discovery.ts";
import { CozystackError, isApiError } from "../kube/errors.ts";
import { type AnyKind, groupOf, type KubeObject } from "../kube/object.ts";
import { nearest } from "../reconcile/unknown-fields.ts";
import type { App } from "../sdk/app.ts";

/** A document of a kind that nobody serves. */
export class KindNotServedError extends CozystackError {
  /** @param near what was probably meant */
  constructor(where: string, { apiVersion, kind }: KubeObject, near: string | undefined) {
    super(
      "KindNotServed",
      `${where}: the cluster serves no ${kind} of ${apiVersion}${near === undefined ? "" : `; did you mean ${near}?`}`,
      "Correct apiVersion and kind, or install what defines the kind first.",
    );
  }
}

export interface KindFinder {
  /** The application of an object; undefined for all else. */
  appOf(object: KubeObject): App | undefined;
  /** The kind of an object. Throws KindNotServedError. */
  kindOf(object: KubeObject, where: string): Promise<AnyKind>;
}

/** Finds kinds, asking the cluster once per API version. */
export function kindFinder(client: Client, apps: readonly App[]): KindFinder {
  const served = new Map<string, Promise<readonly AnyKind[]>>();
  const inVersion = (apiVersion: string): Promise<readonly AnyKind[]> => {
    const known = served.get(apiVersion) ?? kindsServed(client, apiVersion);
    served.set(apiVersion, known);
    return known;
  };
  const appOf = ({ apiVersion, kind }: KubeObject) =>
    apps.find((app) => apiVersion === `${app.group}/v1alpha1` && app.kind === kind);
  return {
    appOf,
    async kindOf(object, where) {
      const kinds = await inVersion(object.apiVersion);
      const found = kinds.find(({ kind }) => kind === object.kind);
      if (found !== undefined) return found;
      const other = versionOf(object, apps);
      if (other !== undefined) throw new KindNotServedError(where, object, other);
      const names = [...kinds.map(({ kind }) => kind), ...apps.filter(isOf(object)).map(({ kind }) => kind)];
      throw new KindNotServedError(where, object, nearest(object.kind, names));
    },
  };
}

/** The version in which an application of this kind and group is served; undefined where it is named rightly, or there is none. */
export function versionOf({ apiVersion, kind }: KubeObject, apps: readonly App[]): string | undefined {
  const app = apps.find(({ group, kind: own }) => own === kind && group === groupOf(apiVersion));
  return app === undefined || apiVersion === `${app.group}/v1alpha1` ? undefined : `apiVersion: ${app.group}/v1alpha1`;
}

const isOf =
  ({ apiVersion }: KubeObject) =>
  ({ group }: App): boolean =>
    group === groupOf(apiVersion);

/** The kinds of an API version; none where it is not served. */
export async function kindsServed(client: Client, apiVersion: string): Promise<readonly AnyKind[]> {
  const group = groupOf(apiVersion);
  const version = group === "" ? apiVersion : apiVersion.slice(group.length + 1);
  try {
    return await kindsOfVersion((path) => client.raw("GET", path), group, version);
  } catch (error) {
    if (isApiError(error, "NotFound", "Unserved")) return [];
    throw error;
  }
}

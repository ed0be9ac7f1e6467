/**
 * What migrations may know of a cluster. A kind that is not served, an object that is absent and a read that failed are three
 * different answers; only the API server's own word gives the first two.
 */
import type { Client } from "../../kube/client.ts";
import { kindsOfGroup } from "../../kube/discovery.ts";
import { CustomResourceDefinition } from "../../kube/kinds/extension.ts";
import type { AnyKind, Kind, KubeObject, UnknownObject } from "../../kube/object.ts";
import { MigrationError } from "./errors.ts";

/** Objects of one kind, and the kind in the version in which they were read. */
export interface Listing<T extends KubeObject> {
  readonly kind: AnyKind;
  readonly items: readonly T[];
}

export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  /** Objects that are not wanted are let go page by page. Default: all are. */
  readonly keep?: (object: UnknownObject) => boolean;
}

/** Every call rejects with an `ApiError` where it could not tell. */
export interface Cluster {
  /** The kind in a version that the API server serves, the group's preferred one first; undefined when it serves none. */
  served(kind: AnyKind): Promise<Kind | undefined>;
  /** All kinds of a group. */
  kindsOf(group: string): Promise<readonly Kind[]>;
  /** Undefined when the kind is not served. */
  list(kind: AnyKind, selection?: Selection): Promise<Listing<UnknownObject> | undefined>;
  /** Undefined when it does not exist, its kind included. */
  get<T extends KubeObject>(kind: Kind<T>, name: string, namespace?: string): Promise<T | undefined>;
}

/** A cluster as `client` may see it. What is served is asked for once, and again where it was not. */
export function clusterOf(client: Client, signal?: AbortSignal): Cluster {
  const call = signal === undefined ? {} : { signal };
  const ask = (path: string) => client.raw("GET", path, undefined, call);
  const known = new Map<string, Kind>();

  const served: Cluster["served"] = async ({ group, plural }) => {
    const name = `${plural}.${group}`;
    const found = known.get(name) ?? (await kindsOfGroup(ask, group)).get(plural);
    if (found === undefined) await notComing(name);
    else known.set(name, found);
    return found;
  };

  /** A definition that is there and not served yet hides objects that exist. */
  async function notComing(name: string): Promise<void> {
    const definition = await client.get(CustomResourceDefinition, name, undefined, call);
    if (definition === undefined) return;
    throw new MigrationError(
      "KindNotReady",
      `the cluster has the definition ${name}, and does not serve it: whether it has objects cannot be told`,
      `Look at the conditions of CustomResourceDefinition ${name}, and begin again when it is established.`,
    );
  }

  return {
    served,
    kindsOf: async (group) => [...(await kindsOfGroup(ask, group)).values()],
    async list(kind, { keep = () => true, ...scope } = {}) {
      const found = await served(kind);
      if (found === undefined) return undefined;
      const items = await client.collect(found, (object) => (keep(object) ? object : undefined), { ...scope, ...call });
      return { kind: found, items };
    },
    async get(kind, name, namespace) {
      const found = await served(kind);
      if (found === undefined) return undefined;
      return client.get({ ...kind, version: found.version }, name, namespace, call);
    },
  };
}

/**
 * What migrations may know of a cluster. A kind that is not served, an object that is absent and a read that failed are three
 * different answers; only the API server's own word gives the first two.
 */
import type { Client, ListOptions } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { CustomResourceDefinition } from "../../kube/kinds/extension.ts";
import { type AnyKind, apiVersionOf, type Kind, type KubeObject } from "../../kube/object.ts";
import { MigrationError } from "./errors.ts";

/** Objects of one kind, and the kind in the version in which they were read. */
export interface Listing<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly items: readonly T[];
}

/** Every call rejects with an `ApiError` where it could not tell. */
export interface Cluster {
  /** The kind in a version that the API server serves; undefined when it serves none. */
  served<T extends KubeObject>(kind: Kind<T>): Promise<Kind<T> | undefined>;
  /** All kinds of a group that can be listed and patched. */
  kindsOf(group: string): Promise<readonly AnyKind[]>;
  /** Undefined when the kind is not served. */
  list<T extends KubeObject>(
    kind: Kind<T>,
    options?: Pick<ListOptions, "namespace" | "labelSelector">,
  ): Promise<Listing<T> | undefined>;
  /** Undefined when it does not exist, its kind included. */
  get<T extends KubeObject>(kind: Kind<T>, name: string, namespace?: string): Promise<T | undefined>;
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** A cluster as `client` may see it. What is served is asked for once, and again where it was not. */
export function clusterOf(client: Client, signal?: AbortSignal): Cluster {
  const call = signal === undefined ? {} : { signal };
  const known = new Map<string, AnyKind>();

  /** undefined: the API server has nothing there. */
  async function discover(path: string): Promise<unknown> {
    try {
      return await client.raw("GET", path, undefined, call);
    } catch (error) {
      if (isApiError(error, "NotFound", "Unserved")) return undefined;
      throw error;
    }
  }

  async function resourcesOf(groupVersion: string): Promise<readonly Resource[]> {
    const found = valueAt(await discover(`/apis/${groupVersion}`), "resources");
    return (Array.isArray(found) ? found : []).flatMap(resourceOf);
  }

  /** Versions that a group is served in, the preferred one first. */
  async function versionsOf(group: string): Promise<readonly string[]> {
    const answer = await discover(`/apis/${group}`);
    const listed = valueAt(answer, "versions");
    const versions = (Array.isArray(listed) ? listed : []).map((one) => valueAt(one, "version"));
    const all = [valueAt(answer, "preferredVersion", "version"), ...versions];
    return [...new Set(all.filter((version) => typeof version === "string"))];
  }

  const served: Cluster["served"] = async (kind) => {
    if (kind.group === "") return kind;
    const key = `${kind.plural}.${kind.group}`;
    const found = known.get(key);
    if (found !== undefined) return { ...named(kind), version: found.version };
    const versions = await versionsOf(kind.group);
    for (const version of preferring(kind.version, versions)) {
      const resources = await resourcesOf(apiVersionOf({ group: kind.group, version }));
      if (!resources.some(({ name }) => name === kind.plural)) continue;
      const resolved = { ...named(kind), version };
      known.set(key, resolved);
      return resolved;
    }
    await notComing(key);
    return undefined;
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
    async kindsOf(group) {
      const [version] = await versionsOf(group);
      if (version === undefined) return [];
      return (await resourcesOf(`${group}/${version}`))
        .filter(({ name, verbs }) => !name.includes("/") && ["list", "patch"].every((verb) => verbs.includes(verb)))
        .map(({ name, kind, namespaced }) => ({ group, version, kind, plural: name, namespaced }));
    },
    async list(kind, options = {}) {
      const resolved = await served(kind);
      if (resolved === undefined) return undefined;
      const { items } = await client.list(resolved, { ...options, ...call });
      return { kind: resolved, items };
    },
    async get(kind, name, namespace) {
      const resolved = await served(kind);
      return resolved === undefined ? undefined : client.get(resolved, name, namespace, call);
    },
  };
}

/** A kind's names alone: some kinds are functions, of which a spread would keep too little or too much. */
function named<T extends KubeObject>({ group, version, kind, plural, namespaced }: Kind<T>): Kind<T> {
  return { group, version, kind, plural, namespaced };
}

function preferring(version: string, versions: readonly string[]): readonly string[] {
  return versions.includes(version) ? [version, ...versions.filter((one) => one !== version)] : versions;
}

function resourceOf(value: unknown): readonly Resource[] {
  if (!isRecord(value)) return [];
  const { name, kind, namespaced, verbs } = value;
  if (typeof name !== "string" || typeof kind !== "string" || typeof namespaced !== "boolean") return [];
  return [{ name, kind, namespaced, verbs: Array.isArray(verbs) ? verbs.map(String) : [] }];
}

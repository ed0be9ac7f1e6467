/**
 * Which version of a kind a cluster serves, asked once for each group.
 */
import { isApiError } from "../../kube/errors.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import type { Kind } from "../../kube/object.ts";
import type { Resource } from "./source.ts";

/** Asks for a path of the API server. */
type Ask = (path: string) => Promise<unknown>;

/** The served kind of a resource; undefined when the API server says that it has none. Rejects where it gives no answer. */
export type Discovery = (resource: Resource) => Promise<Kind | undefined>;

export function discovery(ask: Ask): Discovery {
  const groups = new Map<string, Promise<ReadonlyMap<string, Kind>>>();
  return async ({ group, plural }) => {
    const known = groups.get(group) ?? kindsOf(ask, group);
    groups.set(group, known);
    return (await known).get(plural);
  };
}

/** Kinds by plural; of several versions the one that the group prefers counts first. */
export async function kindsOf(ask: Ask, group: string): Promise<ReadonlyMap<string, Kind>> {
  const versions = group === "" ? ["v1"] : await versionsOf(ask, group);
  const lists = await Promise.all(
    versions.map(async (version) => {
      const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
      return resourcesOf(await ask(path)).map((resource) => ({ group, version, ...resource }));
    }),
  );
  const kinds = new Map<string, Kind>();
  for (const kind of lists.flat()) if (!kinds.has(kind.plural)) kinds.set(kind.plural, kind);
  return kinds;
}

async function versionsOf(ask: Ask, group: string): Promise<readonly string[]> {
  let answer: unknown;
  try {
    answer = await ask(`/apis/${group}`);
  } catch (error) {
    if (isApiError(error, "NotFound", "Unserved")) return [];
    throw error;
  }
  const versions = valueAt(answer, "versions");
  const names = (Array.isArray(versions) ? versions : []).flatMap((one) => textAt(one, "version"));
  return [...new Set([...textAt(valueAt(answer, "preferredVersion"), "version"), ...names])];
}

function resourcesOf(answer: unknown): readonly Pick<Kind, "kind" | "plural" | "namespaced">[] {
  const resources = valueAt(answer, "resources");
  return (Array.isArray(resources) ? resources : []).flatMap((resource) => {
    if (!isRecord(resource)) return [];
    const { name, kind, namespaced } = resource;
    // Names with a slash are subresources.
    if (typeof name !== "string" || typeof kind !== "string" || name.includes("/")) return [];
    return [{ kind, plural: name, namespaced: namespaced === true }];
  });
}

const textAt = (value: unknown, key: string): readonly string[] => {
  const text = valueAt(value, key);
  return typeof text === "string" ? [text] : [];
};

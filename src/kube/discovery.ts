/**
 * Which kinds an API server serves, as its discovery says.
 */
import { isApiError } from "./errors.ts";
import { isRecord, valueAt } from "./json.ts";
import type { Kind } from "./object.ts";

/** Asks for a path of the API server. */
export type Ask = (path: string) => Promise<unknown>;

/** The kinds of one version of a group, `""` for the core one, without subresources. Rejects where it is not served. */
export async function kindsOfVersion(ask: Ask, group: string, version: string): Promise<readonly Kind[]> {
  const resources = valueAt(await ask(group === "" ? `/api/${version}` : `/apis/${group}/${version}`), "resources");
  return (Array.isArray(resources) ? resources : []).flatMap((resource) => {
    if (!isRecord(resource)) return [];
    const { name, kind, namespaced } = resource;
    // Names with a slash are subresources.
    if (typeof name !== "string" || typeof kind !== "string" || name.includes("/")) return [];
    return [{ group, version, kind, plural: name, namespaced: namespaced === true }];
  });
}

/** The kinds of a group by plural; of several versions the one that the group prefers counts first. None where it is not served. */
export async function kindsOfGroup(ask: Ask, group: string): Promise<ReadonlyMap<string, Kind>> {
  const versions = group === "" ? ["v1"] : await versionsOf(ask, group);
  const lists = await Promise.all(versions.map((version) => kindsOfVersion(ask, group, version)));
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

const textAt = (value: unknown, key: string): readonly string[] => {
  const text = valueAt(value, key);
  return typeof text === "string" ? [text] : [];
};

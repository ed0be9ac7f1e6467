/**
 * What a cluster holds that concerns one subtree of tenants: all objects in its namespaces, and those elsewhere that
 * mention them. Equal lists before and after mean that nothing was left behind.
 */
import type { Client } from "../../src/kube/client.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import { type AnyKind, type KubeObject, keyOf, refOf } from "../../src/kube/object.ts";

/** Made by Kubernetes itself in its own time, or about kinds rather than objects. */
const ignored: ReadonlySet<string> = new Set([
  "Event",
  "Endpoints",
  "EndpointSlice",
  "Lease",
  "CustomResourceDefinition",
  "APIService",
  "ComponentStatus",
]);

/** Every kind that can be listed, each once, in the version the API server prefers. */
export async function listableKinds(client: Client): Promise<readonly AnyKind[]> {
  const groups = valueAt(await client.raw("GET", "/apis"), "groups");
  const versions = (Array.isArray(groups) ? groups : []).flatMap((group) => {
    const version = valueAt(group, "preferredVersion", "groupVersion");
    return typeof version === "string" ? [version] : [];
  });
  const kinds = await Promise.all(["v1", ...versions].map((version) => kindsOf(client, version)));
  return kinds.flat().filter(({ kind }) => !ignored.has(kind));
}

async function kindsOf(client: Client, groupVersion: string): Promise<readonly AnyKind[]> {
  const [group = "", version = ""] = groupVersion.includes("/") ? groupVersion.split("/") : ["", groupVersion];
  const answer = await orGone(client.raw("GET", group === "" ? `/api/${version}` : `/apis/${groupVersion}`));
  const resources = valueAt(answer, "resources");
  return (Array.isArray(resources) ? resources : []).flatMap((resource) => {
    if (!isRecord(resource)) return [];
    const { name, kind, namespaced, verbs } = resource;
    const listable = Array.isArray(verbs) && verbs.includes("list");
    if (typeof name !== "string" || typeof kind !== "string" || name.includes("/") || !listable) return [];
    return [{ group, version, kind, plural: name, namespaced: namespaced === true }];
  });
}

/** Whether `place` is the namespace `root` or, by its name, one of a tenant below. */
export function isWithin(root: string, place: string | undefined): boolean {
  return place === root || place?.startsWith(`${root}-`) === true;
}

/** All objects in `root` and the namespaces below it, and all objects anywhere that mention one of them. */
export async function everything(
  client: Client,
  kinds: readonly AnyKind[],
  root: string,
): Promise<readonly KubeObject[]> {
  const mention = new RegExp(`${root}(?![a-z0-9])`);
  const found: KubeObject[] = [];
  const queue = [...kinds];
  const worker = async (): Promise<void> => {
    for (let kind = queue.shift(); kind !== undefined; kind = queue.shift()) {
      for (const object of await listed(client, kind)) {
        if (isWithin(root, object.metadata.namespace) || mention.test(JSON.stringify(object))) found.push(object);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return found.toSorted((a, b) => (keyOf(refOf(a)) < keyOf(refOf(b)) ? -1 : 1));
}

async function listed(client: Client, kind: AnyKind): Promise<readonly KubeObject[]> {
  return (await orGone(client.list(kind)))?.items ?? [];
}

/** Undefined where a definition went away since it was discovered: other tests serve kinds of their own meanwhile. */
async function orGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isApiError(error, "NotFound", "Unserved", "MethodNotAllowed")) return undefined;
    throw error;
  }
}

/** One line an object, with its uid: the same name made anew is another line. */
export function lines(objects: readonly KubeObject[]): readonly string[] {
  return objects.map((object) => `${keyOf(refOf(object))}@${object.metadata.uid}`).toSorted();
}

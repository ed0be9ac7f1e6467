/**
 * What keeps a terminating namespace from going: its own conditions name kinds and finalizers, the objects are looked up.
 */
import type { Client } from "../kube/client.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { type KubeObject, refOf } from "../kube/object.ts";
import type { Blocker } from "./state.ts";

/** What Kubernetes says of a namespace while it only waits for what is on its way out. */
const passing = /unexpected items still remain/;

/** The failure that keeps a terminating namespace from being emptied: an object that may not be deleted, a kind that cannot be listed. */
function refusal(namespace: KubeObject, conditions: readonly unknown[]): Blocker | undefined {
  for (const entry of conditions) {
    if (!isRecord(entry) || entry["status"] !== "True") continue;
    const { type, message } = entry;
    if (typeof type !== "string" || !/^NamespaceDeletion\w+Failure$/.test(type)) continue;
    if (typeof message !== "string" || passing.test(message)) continue;
    return { object: refOf(namespace), finalizers: [], why: `cannot be emptied: ${message}` };
  }
  return undefined;
}

/** The first object with finalizers that a terminating namespace waits for, or why it cannot be emptied; undefined when it says neither. */
export async function namespaceBlocker(client: Client, namespace: KubeObject): Promise<Blocker | undefined> {
  const conditions = valueAt(namespace, "status", "conditions");
  if (!Array.isArray(conditions)) return undefined;
  const remaining = conditions.find(
    (entry) => isRecord(entry) && entry["type"] === "NamespaceContentRemaining" && entry["status"] === "True",
  );
  const message = isRecord(remaining) && typeof remaining["message"] === "string" ? remaining["message"] : "";
  for (const [, resource = ""] of message.matchAll(/([a-z0-9.-]+) has \d+ resource instances/g)) {
    const blocker = await inResource(client, resource.replace(/\.$/, ""), namespace.metadata.name);
    if (blocker !== undefined) return blocker;
  }
  return refusal(namespace, conditions);
}

/** `configmaps` of the core group, or `widgets.example.com`. */
async function inResource(client: Client, resource: string, namespace: string): Promise<Blocker | undefined> {
  const dot = resource.indexOf(".");
  const [plural, group] = dot < 0 ? [resource, ""] : [resource.slice(0, dot), resource.slice(dot + 1)];
  const root = group === "" ? "/api/v1" : await groupRoot(client, group);
  if (root === undefined) return undefined;
  const list = await client.raw("GET", `${root}/namespaces/${namespace}/${plural}`);
  const items = valueAt(list, "items");
  const listKind = valueAt(list, "kind");
  const kind = typeof listKind === "string" ? listKind.replace(/List$/, "") : plural;
  for (const item of Array.isArray(items) ? items : []) {
    const name = valueAt(item, "metadata", "name");
    const finalizers = valueAt(item, "metadata", "finalizers");
    if (typeof name !== "string" || !Array.isArray(finalizers) || finalizers.length === 0) continue;
    return {
      object: { group, kind, namespace, name },
      finalizers: finalizers.map(String),
      why: `keeps namespace ${namespace}; remove the finalizer when whatever set it is gone for good`,
    };
  }
  return undefined;
}

async function groupRoot(client: Client, group: string): Promise<string | undefined> {
  const version = valueAt(await client.raw("GET", `/apis/${group}`), "preferredVersion", "version");
  return typeof version === "string" ? `/apis/${group}/${version}` : undefined;
}

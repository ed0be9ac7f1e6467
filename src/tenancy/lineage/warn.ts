/**
 * Events about objects that the controllers of this room leave as they are, once for each thing that is wrong with them.
 */
import { Event } from "../../contracts/core.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { World } from "../../kube/world.ts";
import { sha256hex } from "../../sdk/hash.ts";

export interface Warning {
  readonly reason: string;
  readonly message: string;
}

/** Writes a Warning about an object; the same again is not written. */
export async function warn(
  { client, world }: { readonly client: Client; readonly world: World },
  about: KubeObject,
  { reason, message }: Warning,
): Promise<void> {
  const { name, namespace = "", uid = "" } = about.metadata;
  const now = new Date(world.now()).toISOString();
  const hash = sha256hex(JSON.stringify([uid, reason, message])).slice(0, 12);
  const event = Event(`${name.slice(0, 200)}.${hash}`, {
    namespace,
    involvedObject: { apiVersion: about.apiVersion, kind: about.kind, name, namespace, uid },
    type: "Warning",
    reason,
    message,
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
    source: { component: "cozystack-controller" },
  });
  try {
    await client.create(Event, event);
  } catch (error) {
    if (!isApiError(error, "AlreadyExists", "NamespaceTerminating", "NotFound")) throw error;
  }
}

/**
 * Stores a status where it differs from what is stored, in one request.
 */
import type { Client } from "../kube/client.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import type { Kind, KubeObject } from "../kube/object.ts";
import { canonical } from "./digest.ts";
import type { InstanceStatus } from "./status.ts";

/** The stored object after the write; undefined when there was nothing to write. Fields that nobody computes are left alone. */
export async function writeStatus(
  client: Client,
  kind: Kind<KubeObject>,
  object: KubeObject,
  status: InstanceStatus,
): Promise<KubeObject | undefined> {
  const before = valueAt(object, "status");
  const stored = isRecord(before) ? before : {};
  const changed = Object.entries(status).filter(([field, value]) => canonical(stored[field]) !== canonical(value));
  if (changed.length === 0) return undefined;
  const { name, namespace, uid } = object.metadata;
  // The uid: a successor of the same name must not inherit what we say of this one.
  const patch = { metadata: { uid }, status: Object.fromEntries(changed) };
  return client.mergePatch(kind, name, namespace, patch, { subresource: "status" });
}

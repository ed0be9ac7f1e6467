/**
 * Stores a status where it differs from what is stored, in one request.
 */
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
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
  return putStatus(client, kind, object, Object.fromEntries(changed));
}

/**
 * Sets fields of the status of `object`, as it was read, and leaves its other fields. Of exactly that version by a PUT,
 * which costs the API server half of a patch; by a patch where the object has changed since.
 * @throws ApiError `Conflict` when an object of another uid has taken the name: it must not inherit what we say of this one
 */
export async function putStatus(
  client: Client,
  kind: Kind<KubeObject>,
  object: KubeObject,
  fields: Readonly<Record<string, unknown>>,
): Promise<KubeObject> {
  const { managedFields: _, ...metadata } = object.metadata;
  const { name, namespace, uid } = metadata;
  const before = valueAt(object, "status");
  try {
    // Spec is ignored and may be left out. Metadata is not stored either, but whoever had applied a label that is missing
    // here would no longer own it: a Tenant could then not delete its modules.
    const body = {
      apiVersion: object.apiVersion,
      kind: object.kind,
      metadata,
      status: { ...(isRecord(before) ? before : {}), ...fields },
    };
    return await client.replace(kind, body, { subresource: "status" });
  } catch (error) {
    if (!isApiError(error, "Conflict")) throw error;
    return client.mergePatch(kind, name, namespace, { metadata: { uid }, status: fields }, { subresource: "status" });
  }
}

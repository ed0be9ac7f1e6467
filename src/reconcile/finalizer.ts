/**
 * Our finalizer on applications: set before the first object is made, removed when the last one is gone.
 */
import type { Client, JsonPatch } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { isRecord } from "../kube/json.ts";
import type { Kind, KubeObject } from "../kube/object.ts";

/** Tenants may not remove it: the admission policies name it. */
export const FINALIZER = "internal.cozystack.io/application";

/**
 * Holds the finalizer in managedFields. A module is also applied by its Tenant: were the finalizer among the fields of that
 * manager, the next apply, which does not name it, would take it off.
 */
const manager = (client: Client): string => `${client.fieldManager}-finalizer`;

export function hasFinalizer(object: KubeObject): boolean {
  return object.metadata.finalizers?.includes(FINALIZER) === true;
}

/** Adds the finalizer to exactly this version. @throws ApiError `Conflict`/`Invalid` when the object changed meanwhile. */
export function addFinalizer(client: Client, kind: Kind<KubeObject>, object: KubeObject): Promise<KubeObject> {
  return setFinalizers(client, kind, object, [...(object.metadata.finalizers ?? []), FINALIZER]);
}

/** Lets the object go; nothing when it is gone. */
export async function removeFinalizer(client: Client, kind: Kind<KubeObject>, object: KubeObject): Promise<void> {
  const { finalizers = [] } = object.metadata;
  const rest = finalizers.filter((finalizer) => finalizer !== FINALIZER);
  try {
    await setFinalizers(client, kind, object, rest);
  } catch (error) {
    if (!isApiError(error, "NotFound")) throw error;
  }
}

/**
 * Of exactly this version. By a PUT of what was read, which costs the API server half of a patch, unless a number in it is
 * not what the API server sent.
 */
function setFinalizers(
  client: Client,
  kind: Kind<KubeObject>,
  object: KubeObject,
  finalizers: readonly string[],
): Promise<KubeObject> {
  const { name, namespace, resourceVersion } = object.metadata;
  if (isExact(object)) {
    const { managedFields: _, ...metadata } = object.metadata;
    return client.replace(
      kind,
      { ...object, metadata: { ...metadata, finalizers } },
      { fieldManager: manager(client) },
    );
  }
  const patch: JsonPatch = [
    { op: "test", path: "/metadata/resourceVersion", value: resourceVersion },
    { op: "add", path: "/metadata/finalizers", value: finalizers },
  ];
  return client.jsonPatch(kind, name, namespace, patch, { fieldManager: manager(client) });
}

/** Whether reading has changed no number: large integers, which users may put where any field is kept, lose digits. */
function isExact(value: unknown): boolean {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (Array.isArray(value)) return value.every(isExact);
  return !isRecord(value) || Object.values(value).every(isExact);
}

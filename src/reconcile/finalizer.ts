/**
 * Our finalizer on applications: set before the first object is made, removed when the last one is gone.
 */
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import type { Kind, KubeObject } from "../kube/object.ts";

/** Tenants may not remove it: the admission policies name it. */
export const FINALIZER = "internal.cozystack.io/application";

export function hasFinalizer(object: KubeObject): boolean {
  return object.metadata.finalizers?.includes(FINALIZER) === true;
}

/** Adds the finalizer to exactly this version. @throws ApiError `Conflict`/`Invalid` when the object changed meanwhile. */
export function addFinalizer(client: Client, kind: Kind<KubeObject>, object: KubeObject): Promise<KubeObject> {
  const { name, namespace, resourceVersion, finalizers } = object.metadata;
  return client.jsonPatch(kind, name, namespace, [
    { op: "test", path: "/metadata/resourceVersion", value: resourceVersion },
    finalizers === undefined
      ? { op: "add", path: "/metadata/finalizers", value: [FINALIZER] }
      : { op: "add", path: "/metadata/finalizers/-", value: FINALIZER },
  ]);
}

/** Lets the object go; nothing when it is gone. */
export async function removeFinalizer(client: Client, kind: Kind<KubeObject>, object: KubeObject): Promise<void> {
  const { name, namespace, resourceVersion, finalizers = [] } = object.metadata;
  const rest = finalizers.filter((finalizer) => finalizer !== FINALIZER);
  try {
    await client.jsonPatch(kind, name, namespace, [
      { op: "test", path: "/metadata/resourceVersion", value: resourceVersion },
      { op: "replace", path: "/metadata/finalizers", value: rest },
    ]);
  } catch (error) {
    if (!isApiError(error, "NotFound")) throw error;
  }
}

import type { KubeObject } from "../kube/object.ts";

/** Whether an object is a pod with condition Ready that is not being deleted. */
export function isReadyPod(object: KubeObject): boolean {
  if (object.metadata.deletionTimestamp !== undefined || !("status" in object)) return false;
  const { status } = object;
  if (typeof status !== "object" || status === null || !("conditions" in status) || !Array.isArray(status.conditions))
    return false;
  return status.conditions.some((condition) => condition.type === "Ready" && condition.status === "True");
}

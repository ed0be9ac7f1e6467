/**
 * Whether an object still refers to another, so that the other may not go yet (api-machinery rule 6).
 */
import { isRecord } from "../kube/json.ts";
import type { KubeObject, ObjectRef } from "../kube/object.ts";

const MOUNTABLE: ReadonlySet<string> = new Set(["Secret", "ConfigMap", "ServiceAccount", "PersistentVolumeClaim"]);

/** Kinds that others refer to by name and read later. All else is used by nobody but its own controller. */
export function isReferable(ref: ObjectRef): boolean {
  if (ref.group === "") return MOUNTABLE.has(ref.kind);
  return /(Template|Class|Issuer|Store|Volume|Pool)$/.test(ref.kind);
}

/** Whether some text field of `object` is the name of `ref`, directly or as `namespace/name`. Cautious: any match counts. */
export function refersTo(object: KubeObject, ref: ObjectRef): boolean {
  const names = new Set([ref.name, `${ref.namespace ?? ""}/${ref.name}`]);
  const visit = (value: unknown): boolean => {
    if (typeof value === "string") return names.has(value);
    if (Array.isArray(value)) return value.some(visit);
    return isRecord(value) && Object.values(value).some(visit);
  };
  const { apiVersion: _, kind: __, metadata: ___, ...content } = object;
  return visit(content);
}

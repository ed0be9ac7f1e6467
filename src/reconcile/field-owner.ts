/**
 * Moving fields that we hold by Update to our Apply entry (api-machinery rule 1): only fields of an Apply entry are
 * released when a later apply leaves them out.
 */
import type { Client } from "../kube/client.ts";
import { isRecord } from "../kube/json.ts";
import type { Kind, KubeObject, ManagedFieldsEntry } from "../kube/object.ts";
import { entriesOf } from "./owned-fields.ts";

/** Whether an object, read with managedFields, has fields of ours that no apply would release. */
export function needsMigration(live: KubeObject, manager: string): boolean {
  return entriesOf(live, manager, "Update").length > 0;
}

/** managedFields with our Update entries merged into our Apply entry. */
export function migratedFields(live: KubeObject, manager: string): readonly ManagedFieldsEntry[] {
  const updates = entriesOf(live, manager, "Update");
  const [apply] = entriesOf(live, manager, "Apply");
  const others = (live.metadata.managedFields ?? []).filter((entry) => entry !== apply && !updates.includes(entry));
  const base = apply ?? updates[0];
  if (base === undefined) return others;
  const fieldsV1 = [...updates.filter((entry) => entry !== base)].reduce<unknown>(
    (fields, entry) => union(fields, entry.fieldsV1),
    base.fieldsV1,
  );
  return [...others, { ...base, operation: "Apply", fieldsV1 }];
}

function union(a: unknown, b: unknown): unknown {
  if (!isRecord(a)) return b;
  if (!isRecord(b)) return a;
  const merged = new Map(Object.entries(a));
  for (const [key, value] of Object.entries(b))
    merged.set(key, merged.has(key) ? union(merged.get(key), value) : value);
  return Object.fromEntries(merged);
}

/** Writes the migration onto exactly this version. @throws ApiError `Conflict` or `Invalid` when it is no longer live. */
export function migrate<T extends KubeObject>(client: Client, kind: Kind<T>, live: KubeObject): Promise<T> {
  const { name, namespace, resourceVersion } = live.metadata;
  return client.jsonPatch(kind, name, namespace, [
    { op: "test", path: "/metadata/resourceVersion", value: resourceVersion },
    { op: "replace", path: "/metadata/managedFields", value: migratedFields(live, client.fieldManager) },
  ]);
}

/**
 * The plan of objects that are created once and afterwards only read: those with generated values.
 */
import { isRecord, valueAt } from "../kube/json.ts";
import type { KubeObject } from "../kube/object.ts";
import { fieldChanges } from "./impact.ts";
import type { InventoryEntry } from "./inventory-record.ts";
import {
  bodyFor,
  isSecret,
  type Known,
  objectOf,
  type PlanInput,
  type Planned,
  stepOf,
  type Wanted,
} from "./plan-types.ts";

/** Plans one object of policy `createOnly`: it is made once; later only what is missing is added. */
export function planCreateOnly(
  wanted: Wanted,
  known: Known,
  entry: InventoryEntry,
  adopting: boolean,
  input: PlanInput,
): Planned {
  const body = bodyFor(wanted, input);
  const live = objectOf(known);
  if (live === undefined) {
    const because = entry.ref.uid === undefined ? "new" : "it was deleted";
    return { entry, step: stepOf(wanted, known, { action: "create", because }, { do: "create", body, entry }) };
  }
  const keys = known.is === "full" ? keysToWrite(wanted, body, live) : [];
  if (keys.length === 0 && !adopting) return { entry };
  const found = keys.map((key) => ({
    path: ["data", key],
    before: valueAt(live, "data", key),
    after: valueAt(body, "data", key),
  }));
  const fields = fieldChanges(wanted.ref, found, input.rules(wanted.ref));
  const because = adopting ? "found and taken over" : wanted.rotated === undefined ? "keys are missing" : "rotated";
  const write = { do: "amend", body, entry, live, keys } as const;
  return { entry, step: stepOf(wanted, known, { action: adopting ? "adopt" : "update", fields, because }, write) };
}

/** The keys of a createOnly Secret that live lacks, and those that were rotated. Others are never written. */
function keysToWrite(wanted: Wanted, body: KubeObject, live: KubeObject): readonly string[] {
  if (!isSecret(wanted.ref)) return [];
  const data = valueAt(body, "data");
  if (!isRecord(data)) return [];
  return Object.keys(data).filter(
    (key) => valueAt(live, "data", key) === undefined || wanted.rotated?.has(key) === true,
  );
}

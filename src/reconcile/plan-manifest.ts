/**
 * The plan of one rendered object, by its policy.
 */

import { withRules } from "../contracts/impact.ts";
import { type KubeObject, keyOf, type ObjectRef } from "../kube/object.ts";
import { bodyOf } from "./body.ts";
import type { FieldChange } from "./change.ts";
import { differences, projectOn } from "./diff.ts";
import { digestOf } from "./digest.ts";
import { fieldChanges, sameQuantity, summary, worstOf } from "./impact.ts";
import type { InventoryEntry, OwnedPolicy } from "./inventory-record.ts";
import { removedFields } from "./owned-fields.ts";
import { OWNER_ANNOTATION, ownershipOf, ownerToken } from "./owner.ts";
import { planCreateOnly } from "./plan-create-only.ts";
import { planRunOnce } from "./plan-run-once.ts";
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
import { problemOf } from "./problem.ts";

/** Plans one object. */
export function planManifest(wanted: Wanted, input: PlanInput): Planned {
  const known = input.known(wanted.ref);
  const live = objectOf(known);
  const { policy } = wanted.manifest;
  if (policy === "patchExisting") return planShared(wanted, known, input);
  const ownership = live === undefined ? "ours" : standingOf(live, wanted, input);
  if (ownership === "share") return planShared(wanted, known, input);
  const entry = entryOf(wanted, policy, input, known);
  if (ownership === "refuse") {
    return { refused: problemOf(wanted.ref, "ForeignObject"), ...listedAs(wanted.ref, input) };
  }
  if (live?.metadata.deletionTimestamp !== undefined) {
    return { waiting: wanted.ref, entry };
  }
  if (policy === "runOnce") return planRunOnce(wanted, known, entry, input);
  if (policy === "createOnly") return planCreateOnly(wanted, known, entry, ownership === "adopt", input);
  return planManaged(wanted, known, entry, ownership, input);
}

type Standing = "ours" | "adopt" | "share" | "refuse";

function standingOf(live: KubeObject, wanted: Wanted, input: PlanInput): Standing {
  const ownership = ownershipOf(live, wanted.ref, input.instance);
  if (ownership === "ours") return "ours";
  if (ownership === "retained") return "adopt";
  if (ownership === "foreign") return isInherited(live, wanted.ref, input) ? "adopt" : "refuse";
  // The very object that we made, from which somebody took our mark.
  const listed = input.inventory.entries.get(keyOf(wanted.ref))?.ref.uid;
  if (listed !== undefined && listed === live.metadata.uid) return "ours";
  return input.onUnowned(live, wanted);
}

/** Marked by an earlier application of this very name, by whose inventory, which tenants cannot write, we know its uid. */
function isInherited(live: KubeObject, ref: ObjectRef, input: PlanInput): boolean {
  const mark = live.metadata.annotations?.[OWNER_ANNOTATION];
  return input.inventory.formerUids.some((uid) => mark === ownerToken(uid, ref));
}

// What turned foreign stays listed as what it was: the inventory must cover what exists, and by the uid of somebody else's
// object we would take that one for ours.
function listedAs(ref: ObjectRef, input: PlanInput): { readonly entry?: InventoryEntry } {
  const entry = input.inventory.entries.get(keyOf(ref));
  return entry === undefined ? {} : { entry };
}

function entryOf(wanted: Wanted, policy: OwnedPolicy, input: PlanInput, known: Known): InventoryEntry {
  const before = input.inventory.entries.get(keyOf(wanted.ref));
  const { uid: _, ...ref } = wanted.ref;
  const uid = objectOf(known)?.metadata.uid ?? before?.ref.uid;
  return {
    ref: uid === undefined ? ref : { ...ref, uid },
    policy,
    ...(wanted.generated ? { generated: true } : {}),
    ...(before?.succeeded === true ? { succeeded: true } : {}),
    ...(before?.superseded === true ? { superseded: true } : {}),
    ...(before?.desired === undefined ? {} : { desired: before.desired }),
    ...(before?.accepted === undefined ? {} : { accepted: before.accepted }),
  };
}

function planManaged(
  wanted: Wanted,
  known: Known,
  entry: InventoryEntry,
  standing: Standing,
  input: PlanInput,
): Planned {
  const body = bodyFor(wanted, input);
  const desired = isSecret(wanted.ref) ? undefined : digestOf(body);
  const apply = { do: "apply", body, entry, ...(desired === undefined ? {} : { desired }) } as const;
  const live = objectOf(known);
  if (live === undefined) {
    const because = entry.ref.uid === undefined ? "new" : "it was deleted";
    // Values that were made up must never take the place of others: only a create is refused where there is one already.
    const write = wanted.generated ? ({ do: "create", body, entry } as const) : apply;
    return { entry, step: stepOf(wanted, known, { action: "create", because }, write) };
  }
  const transition = wanted.manifest.transition;
  const settled = known.is === "full" && isSettled(body, desired, known.object, entry, input.manager);
  if (settled && standing === "ours" && transition === undefined) return { entry };
  const drift = desired !== undefined && desired === entry.desired && entry.accepted !== undefined;
  const differing = known.is === "full" ? changedFields(wanted, body, known.object, input) : [];
  const fields = drift ? differing.map(putBack) : differing;
  if (worstOf(fields) === "replaces") {
    const write = { do: "delete", ref: { ...wanted.ref }, orphan: true, thenAgain: true } as const;
    return { entry, step: stepOf(wanted, known, { action: "update", fields, because: summary(fields) }, write) };
  }
  const adopting = standing === "adopt";
  const lock = wanted.rotated === undefined ? undefined : live.metadata.resourceVersion;
  const write = {
    ...apply,
    ...(transition === undefined ? {} : { transition }),
    ...(lock === undefined ? {} : { lock }),
    ...(drift && !adopting ? { drift: true as const } : {}),
  };
  const because = adopting ? "found and taken over" : drift ? `drifted: ${summary(fields)}` : summary(fields);
  return { entry, step: stepOf(wanted, known, { action: adopting ? "adopt" : "update", fields, because }, write) };
}

/** What somebody could change by hand can be changed back: drift is no reason to delete what runs. */
function putBack(field: FieldChange): FieldChange {
  return field.impact === "replaces" ? { ...field, impact: "inPlace" } : field;
}

/** Rule 2: nothing to write when what we want is what we last wrote, and live is still what became of that. */
function isSettled(
  body: KubeObject,
  desired: string | undefined,
  live: KubeObject,
  entry: InventoryEntry,
  manager: string,
): boolean {
  if (desired === undefined)
    return differences(body, live).length === 0 && removedFields(body, live, manager).length === 0;
  return desired === entry.desired && entry.accepted !== undefined && entry.accepted === acceptedDigest(body, live);
}

/** Digest of what the API server made of a body. */
export function acceptedDigest(body: KubeObject, live: KubeObject): string {
  return digestOf(projectOn(body, live));
}

function changedFields(wanted: Wanted, body: KubeObject, live: KubeObject, input: PlanInput): readonly FieldChange[] {
  const opaque = isSecret(wanted.ref) || wanted.ref.kind === "ConfigMap";
  // The mark of ownership is no change that anybody asked for.
  const { annotations } = wanted;
  const unmarked = bodyOf(wanted.manifest.object, wanted.ref, annotations === undefined ? {} : { annotations });
  const found = [
    ...differences(unmarked, live, opaque ? undefined : sameQuantity),
    ...removedFields(body, live, input.manager),
  ].filter(({ path }) => path[0] !== "apiVersion" && path[0] !== "kind");
  const { impacts, replaceOn } = wanted.manifest;
  return fieldChanges(wanted.ref, found, withRules(input.rules(wanted.ref), impacts), replaceOn);
}

/** Fields of an object that stays somebody else's: written only while it exists and differs, and never marked. */
function planShared(wanted: Wanted, known: Known, input: PlanInput): Planned {
  if (known.is !== "full" || known.object.metadata.deletionTimestamp !== undefined) return {};
  const body = bodyOf(wanted.manifest.object, wanted.ref, {});
  const fields = changedFields(wanted, body, known.object, input);
  if (fields.length === 0) return {};
  return {
    step: stepOf(wanted, known, { action: "update", fields, because: summary(fields) }, { do: "apply", body }),
  };
}

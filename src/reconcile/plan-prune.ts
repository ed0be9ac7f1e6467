/**
 * What the inventory lists and the application no longer renders: deleted, left behind, or kept for now.
 */

import { keyOf, type ObjectRef } from "../kube/object.ts";
import { planHash } from "./change.ts";
import { deletionImpact } from "./impact.ts";
import type { InventoryEntry } from "./inventory-record.ts";
import { writtenBy } from "./owned-fields.ts";
import { ownershipOf } from "./owner.ts";
import { familyOf } from "./plan-run-once.ts";
import { objectOf, type PlanInput, type Step } from "./plan-types.ts";
import { type ObjectProblem, problemOf } from "./problem.ts";

export interface PlannedPrune {
  readonly steps: readonly Step[];
  readonly gone: readonly string[];
  readonly refused: readonly ObjectProblem[];
  readonly unconfirmed: readonly ObjectRef[];
}

/** After everything that is applied. */
export const PRUNE_WAVE = 1_000;

/** Plans the end of every listed object that is not wanted. */
export function planPrune(input: PlanInput): PlannedPrune {
  const wanted = new Set(
    input.wanted.filter(({ manifest }) => manifest.policy !== "patchExisting").map(({ ref }) => keyOf(ref)),
  );
  const extra = [...input.inventory.entries.values()].filter((entry) => !wanted.has(keyOf(entry.ref)));
  const gone = extra.filter((entry) => isGone(entry, input)).map((entry) => keyOf(entry.ref));
  const live = extra.filter((entry) => !gone.includes(keyOf(entry.ref)));
  const inherited = live.filter((entry) => entry.inherited === true && entry.policy !== "keep").map(({ ref }) => ref);
  const confirmed = inherited.length > 0 && unconfirmedHash(inherited) === input.consent;
  const steps = live
    .filter((entry) => objectOf(input.known(entry.ref)) !== undefined && !unproven(entry, input))
    .filter((entry) => entry.inherited !== true || confirmed || entry.policy === "keep")
    .filter((entry) => entry.policy !== "runOnce" || isReplaced(entry, input))
    .filter((entry) => !isTerminating(entry, input))
    .map((entry) => (entry.policy === "keep" ? releaseStep(entry) : deleteStep(entry, input)));
  const refused = live
    .filter((entry) => unproven(entry, input))
    .map((entry) => problemOf(entry.ref, "OwnershipUnproven"));
  return { steps, gone, refused, unconfirmed: confirmed ? [] : inherited };
}

/** Nothing there, or something that does not even say it is ours: no longer our business. */
function isGone(entry: InventoryEntry, input: PlanInput): boolean {
  const known = input.known(entry.ref);
  if (known.is === "absent") return true;
  const object = objectOf(known);
  if (object === undefined || entry.inherited === true) return false;
  // Left behind already, in a pass that ended before it could say so.
  if (ownershipOf(object, entry.ref, input.instance) === "retained") return true;
  if (isMarked(entry, input)) return false;
  // Planned, and perhaps made: an object that we have written to may be the one.
  return entry.ref.uid === undefined ? !writtenBy(object, input.manager) : object.metadata.uid !== entry.ref.uid;
}

function isMarked(entry: InventoryEntry, input: PlanInput): boolean {
  const object = objectOf(input.known(entry.ref));
  return object !== undefined && ownershipOf(object, entry.ref, input.instance) === "ours";
}

function isTerminating(entry: InventoryEntry, input: PlanInput): boolean {
  return objectOf(input.known(entry.ref))?.metadata.deletionTimestamp !== undefined;
}

/** The very object that we made, without our mark: somebody took it off, and we may not delete it. */
function unproven(entry: InventoryEntry, input: PlanInput): boolean {
  return entry.inherited !== true && objectOf(input.known(entry.ref)) !== undefined && !isMarked(entry, input);
}

/** A former Job goes when its successor has succeeded, or when none is wanted any more. */
function isReplaced(entry: InventoryEntry, input: PlanInput): boolean {
  const successors = input.wanted.filter(
    ({ manifest, ref }) => manifest.policy === "runOnce" && familyOf(ref) === familyOf(entry.ref),
  );
  return successors.every(({ ref }) => {
    const successor = input.inventory.entries.get(keyOf(ref));
    return successor?.succeeded === true && successor.superseded !== true;
  });
}

function deleteStep(entry: InventoryEntry, input: PlanInput): Step {
  const uid = objectOf(input.known(entry.ref))?.metadata.uid;
  const object = uid === undefined ? entry.ref : { ...entry.ref, uid };
  return {
    wave: PRUNE_WAVE,
    change: { object, action: "delete", impact: deletionImpact(entry.ref), fields: [], because: "no longer rendered" },
    write: { do: "delete", ref: object, orphan: false, thenAgain: false },
  };
}

function releaseStep(entry: InventoryEntry): Step {
  return {
    wave: PRUNE_WAVE,
    change: { object: entry.ref, action: "update", impact: "none", fields: [], because: "no longer rendered; kept" },
    write: { do: "release", ref: entry.ref },
  };
}

/** Identifies objects of an earlier application of this name; consent to their deletion is this text. */
export function unconfirmedHash(objects: readonly ObjectRef[]): string | undefined {
  return planHash(
    objects.map((object) => ({ object, action: "delete", impact: "losesData", fields: [], because: "" })),
  );
}

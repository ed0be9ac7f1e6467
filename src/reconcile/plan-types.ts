/**
 * What planning takes and gives: desired objects, what is known of live ones, and the writes that make a change.
 */
import type { ImpactRules } from "../contracts/impact.ts";
import type { KubeObject, ObjectRef } from "../kube/object.ts";
import type { Manifest } from "../sdk/manifest.ts";
import { bodyOf } from "./body.ts";
import type { Change, ChangeAction, FieldChange, Plan } from "./change.ts";
import { worstOf } from "./impact.ts";
import type { InventoryEntry, InventoryRecord } from "./inventory-record.ts";
import type { ObjectProblem } from "./problem.ts";

/** What is known of an object in the cluster. A read that failed is none of these. */
export type Known =
  | { readonly is: "absent" }
  /** Only its metadata: it is not ours, or its content was never needed. */
  | { readonly is: "metadata"; readonly object: KubeObject }
  /** Its kind is not known to this program: neither there nor gone. */
  | { readonly is: "hidden" }
  /** With managedFields where they were needed. */
  | { readonly is: "full"; readonly object: KubeObject };

/** What to do with an object of a rendered name that nobody marked as ours. `share`: write our fields, never own it. */
export type UnownedPolicy = "refuse" | "adopt" | "share";

/** An object that render wants, in its place. */
export interface Wanted {
  readonly manifest: Manifest;
  readonly ref: ObjectRef;
  /** A Secret made by a `generatedSecret` need. */
  readonly generated: boolean;
  /** Annotations that the controller adds. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Keys of a Secret that this pass made anew on request: the one case in which existing keys are overwritten. */
  readonly rotated?: ReadonlySet<string>;
}

export interface PlanInput {
  readonly instance: ObjectRef & { readonly uid: string };
  readonly wanted: readonly Wanted[];
  readonly inventory: InventoryRecord;
  readonly known: (ref: ObjectRef) => Known;
  readonly rules: (ref: ObjectRef) => ImpactRules;
  readonly onUnowned: (live: KubeObject, wanted: Wanted) => UnownedPolicy;
  /** Our field manager. */
  readonly manager: string;
  /** The consent given by `apps.cozystack.io/allow-data-loss`. */
  readonly consent?: string;
}

/** One write. The body of `apply` and `create` is complete; `desired` is its digest, absent for Secrets. */
export type Write =
  | {
      readonly do: "apply";
      readonly body: KubeObject;
      readonly entry?: InventoryEntry;
      readonly desired?: string;
      /** A merge patch to send first; see `Manifest.transition`. */
      readonly transition?: Manifest["transition"];
      /** Apply only onto this version. */
      readonly lock?: string;
      /** Live already had the body that was last written: somebody else changed it since. */
      readonly drift?: true;
    }
  /** By a request that is refused where the object exists: for what is written once, and for values that were made up. */
  | { readonly do: "create"; readonly body: KubeObject; readonly entry: InventoryEntry }
  /** Adds fields to a `createOnly` object: missing keys of a Secret, marks of ownership, rotated keys. */
  | {
      readonly do: "amend";
      readonly body: KubeObject;
      readonly entry: InventoryEntry;
      readonly live: KubeObject;
      readonly keys: readonly string[];
    }
  | { readonly do: "delete"; readonly ref: ObjectRef; readonly orphan: boolean; readonly thenAgain: boolean }
  /** Leaves an object behind: takes our mark off, for the next application of this name to find. */
  | { readonly do: "release"; readonly ref: ObjectRef };

export interface Step {
  readonly wave: number;
  readonly change: Change;
  readonly write: Write;
}

export interface InstancePlan {
  readonly plan: Plan;
  readonly steps: readonly Step[];
  /** Objects that cannot be written, each with what its reader can do. The others are still written. */
  readonly refused: readonly ObjectProblem[];
  /** Objects that are going away and come back afterwards. */
  readonly waiting: readonly ObjectRef[];
  /** Everything rendered that is, or will be, owned: what the inventory must cover before the first write. */
  readonly owned: readonly InventoryEntry[];
  /** Entries that have nothing live behind them any more. */
  readonly gone: readonly string[];
  /** Objects of an earlier application of this name, kept until a person confirms by `unconfirmedHash`. */
  readonly unconfirmed: readonly ObjectRef[];
  /** Set when data would be lost without consent: nothing may be written. */
  readonly confirm?: string;
}

/** What planning one object gives. */
export interface Planned {
  readonly step?: Step;
  readonly refused?: ObjectProblem;
  readonly waiting?: ObjectRef;
  readonly entry?: InventoryEntry;
}

/** What is known of the object's content or metadata. */
export function objectOf(known: Known): KubeObject | undefined {
  return known.is === "full" || known.is === "metadata" ? known.object : undefined;
}

/** A step for a wanted object. */
export function stepOf(
  wanted: Wanted,
  known: Known,
  what: { readonly action: ChangeAction; readonly fields?: readonly FieldChange[]; readonly because: string },
  write: Step["write"],
): Step {
  const fields = what.fields ?? [];
  const uid = objectOf(known)?.metadata.uid;
  const change: Change = {
    object: uid === undefined ? wanted.ref : { ...wanted.ref, uid },
    action: what.action,
    impact: worstOf(fields),
    fields,
    because: what.because,
  };
  return { wave: wanted.manifest.wave, change, write };
}

/** Secrets are compared as they are: a digest of theirs in another object would help guessing what they hold. */
export function isSecret(ref: ObjectRef): boolean {
  return ref.group === "" && ref.kind === "Secret";
}

/** The body of a wanted object that the instance owns. */
export function bodyFor(wanted: Wanted, input: PlanInput): KubeObject {
  return bodyOf(wanted.manifest.object, wanted.ref, {
    ownerUid: input.instance.uid,
    ...(wanted.annotations === undefined ? {} : { annotations: wanted.annotations }),
  });
}

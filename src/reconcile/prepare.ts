/**
 * The reading half of a pass: context, needs, render, plan. The CLI's `plan` and the controller run the same.
 */

import type { ImpactRules } from "../contracts/impact.ts";
import { CozystackError, isApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import { groupOf, type KubeObject, type ObjectRef } from "../kube/object.ts";
import type { App, AppInstance, Observed } from "../sdk/app.ts";
import type { AppContext, Json } from "../sdk/context.ts";
import { Refusal, refuse } from "../sdk/errors.ts";
import type { ContextSource } from "./context.ts";
import { hasFinalizer } from "./finalizer.ts";
import type { Watched } from "./interests.ts";
import { kindKey } from "./interests.ts";
import { type LoadedInventory, loadInventory } from "./inventory.ts";
import type { InventoryOwner } from "./inventory-record.ts";
import { type LearnedUids, learnUids, lostSecret, withUids } from "./learned-uids.ts";
import { interestOf, kindsOf, resolveRequests } from "./needs.ts";
import { observe, place } from "./observe.ts";
import { duplicateOf, planOfInstance } from "./plan.ts";
import type { InstancePlan, Known, UnownedPolicy, Wanted } from "./plan-types.ts";
import { type ObjectProblem, problemOf } from "./problem.ts";
import type { KindLookup, View } from "./view.ts";

/** Requests that users make by annotations on an application. */
export const requestAnnotations = {
  allowDataLoss: "apps.cozystack.io/allow-data-loss",
  forceDelete: "apps.cozystack.io/force-delete",
  rotate: "apps.cozystack.io/rotate",
} as const;

export interface PrepareOptions {
  readonly view: View;
  readonly kindOf: KindLookup;
  readonly rules: (ref: ObjectRef) => ImpactRules;
  readonly context: ContextSource;
  /** Our field manager. */
  readonly manager: string;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly onUnowned: (live: KubeObject, wanted: Wanted) => UnownedPolicy;
  /** Whether a Secret of nobody may serve as a generated one. */
  readonly mayAdopt: (live: KubeObject) => boolean;
  /** See `GeneratedOptions.pending`. */
  readonly pending: Map<string, Readonly<Record<string, string>>>;
  /** Of this instance's objects, from earlier passes; written to. Default: none are remembered. */
  readonly uids?: LearnedUids;
  /** Told what the instance must be woken by, before it is read. */
  readonly onInterest: (watched: Watched) => void;
  readonly signal?: AbortSignal;
}

export interface PlannedInstance {
  readonly is: "planned";
  readonly plan: InstancePlan;
  readonly inventory: LoadedInventory;
  readonly instance: AppInstance;
  /** Fields of `status` that only this application has. */
  readonly statusFields: Readonly<Record<string, Json>>;
  /** See `AppInstance.observed`. */
  readonly observed?: Observed;
  readonly context: AppContext;
  readonly wanted: readonly Wanted[];
  readonly known: (ref: ObjectRef) => Known;
}

export type Prepared =
  | PlannedInstance
  | { readonly is: "waiting"; readonly on: ObjectRef; readonly why: string }
  | { readonly is: "refused"; readonly problems: readonly ObjectProblem[] };

/** An application as its inventory names it. An object that is not stored yet has no uid: nothing can be its own. */
export function ownerOf(app: Pick<App, "group" | "kind">, object: KubeObject): InventoryOwner {
  const { name, namespace = "", uid = "" } = object.metadata;
  return { group: app.group, kind: app.kind, namespace, name, uid };
}

/** Reads all that a plan needs and makes it. Rejects for reads that failed; those are retried. */
export async function prepare(app: App, object: KubeObject, options: PrepareOptions): Promise<Prepared> {
  const owner = ownerOf(app, object);
  const { namespace, name } = owner;
  const answer = await options.context.contextOf(namespace, options.signal);
  if (answer.is !== "known") options.onInterest({ refs: [answer.on], lists: [], kinds: [] });
  if (answer.is === "waiting") return answer;
  try {
    if (answer.is === "notATenant") refuseNamespace(namespace);
    const instance = app.instance({ name, namespace, spec: valueAt(object, "spec") }, answer.context);
    return await planFor(owner, object, instance, answer.context, options);
  } catch (error) {
    if (error instanceof Refusal) return { is: "refused", problems: [refusalProblem(owner, error)] };
    throw error;
  }
}

function refuseNamespace(namespace: string): never {
  refuse({
    code: "NotATenant",
    field: "metadata.namespace",
    message: `${namespace} is not the namespace of a tenant`,
    remedy: "Order it in the namespace of a tenant; `kubectl get tenants -A` shows them.",
  });
}

function refusalProblem({ uid: _, ...object }: InventoryOwner, error: Refusal): ObjectProblem {
  return {
    object,
    code: error.code,
    field: error.field,
    message: error.message.replace(`${error.field}: `, ""),
    remedy: error.remedy,
    transient: false,
  };
}

async function planFor(
  owner: InventoryOwner,
  object: KubeObject,
  instance: AppInstance,
  context: AppContext,
  options: PrepareOptions,
): Promise<Prepared> {
  const { view, kindOf, onInterest } = options;
  const { namespace } = owner;
  const needed = interestOf(instance.needs, namespace);
  const neededKinds = kindsOf(instance.needs).map(kindKey);
  // What is owned already stays watched while the instance waits. The finalizer may be there from the first, so that
  // only what was looked at before is expected to have an inventory; the first one's write finds out otherwise.
  const isKnown = hasFinalizer(object) && valueAt(object, "status") !== undefined;
  const stored = await loadInventory(view, owner, isKnown);
  const { uids = new Map<string, string>() } = options;
  const inventory = { ...stored, record: withUids(stored.record, uids) };
  const listed = [...inventory.record.entries.values()].map(({ ref }) => ref);
  onInterest({ ...needed, refs: [...needed.refs, ...listed], kinds: neededKinds });
  const annotations = object.metadata.annotations ?? {};
  const rotate = annotations[requestAnnotations.rotate];
  const needs = await resolveRequests({
    view,
    namespace,
    requests: instance.needs,
    instance: owner,
    inventory: inventory.record,
    randomBytes: options.randomBytes,
    mayAdopt: options.mayAdopt,
    pending: options.pending,
    ...(rotate === undefined ? {} : { rotate }),
  });
  if (needs.is === "waiting") return needs;
  if (needs.is === "refused") return { is: "refused", problems: [needs.problem] };
  const manifests = instance.render(needs.answers);
  const kinds = manifests.map(({ object: made }) => kindKey({ group: groupOf(made.apiVersion), kind: made.kind }));
  onInterest({ ...needed, refs: [...needed.refs, ...listed], kinds: [...neededKinds, ...kinds] });
  const placed = await place(manifests, namespace, kindOf, view, needs.generated);
  const { wanted } = placed;
  const refs = [...needed.refs, ...listed, ...wanted.map(({ ref }) => ref)];
  onInterest({ ...needed, refs, kinds: [...neededKinds, ...kinds] });
  const duplicate = duplicateOf(wanted);
  if (duplicate !== undefined) return { is: "refused", problems: [problemOf(duplicate, "DuplicateObject")] };
  const { known } = await observe(wanted, { view, kindOf, instance: owner, inventory: inventory.record });
  learnUids(stored.record, known, uids);
  const isAsked = rotate !== undefined && rotate !== stored.record.rotated;
  const lost = isAsked ? undefined : lostSecret(stored.record, wanted, needs.generated, known);
  if (lost !== undefined) return { is: "refused", problems: [problemOf(lost, "SecretLost")] };
  const consent = annotations[requestAnnotations.allowDataLoss];
  const plan = planOfInstance({
    instance: owner,
    wanted,
    inventory: inventory.record,
    known,
    rules: options.rules,
    onUnowned: options.onUnowned,
    manager: options.manager,
    ...(consent === undefined ? {} : { consent }),
  });
  const refused = [...plan.refused, ...placed.unserved];
  const statusFields = instance.status(needs.answers);
  const observed = instance.observed?.(needs.answers);
  const planned = { plan: { ...plan, refused }, inventory, instance, statusFields, context, wanted, known } as const;
  return { is: "planned", ...planned, ...(observed === undefined ? {} : { observed }) };
}

/** What a failed pass says: a problem of the application itself, to be retried. Faults of the program pass through. */
export function passProblem(ref: ObjectRef, error: unknown): ObjectProblem {
  if (!(error instanceof CozystackError)) throw error;
  return {
    object: ref,
    code: error.code,
    message: error.message,
    remedy: error.remedy,
    transient: !isApiError(error, "Forbidden"),
  };
}

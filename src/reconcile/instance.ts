/**
 * One pass over one instance: context, needs, render, plan, apply, prune, health, status. Each pass begins from what is
 * there, so that it does not matter where the one before it ended.
 */
import { WorkloadMonitor } from "../contracts/cozystack-io.ts";
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import { type AnyKind, type KubeObject, keyOf, type ObjectRef, refOf } from "../kube/object.ts";
import { timestamp, type World } from "../kube/world.ts";
import type { App } from "../sdk/app.ts";
import { applyPlan } from "./apply.ts";
import type { Change } from "./change.ts";
import type { Fights } from "./fights.ts";
import { addFinalizer, hasFinalizer } from "./finalizer.ts";
import { leaving, notCurrent } from "./health.ts";
import { saveInventory } from "./inventory.ts";
import type { InventoryRecord } from "./inventory-record.ts";
import { coveringRecord, resultingRecord } from "./inventory-steps.ts";
import { rememberUids } from "./learned-uids.ts";
import type { Outcome } from "./outcome.ts";
import type { InstancePlan, Known, Step } from "./plan-types.ts";
import { objectOf } from "./plan-types.ts";
import { type PlannedInstance, type PrepareOptions, prepare } from "./prepare.ts";
import type { ObjectProblem } from "./problem.ts";
import type { PruneWaits } from "./prune.ts";
import type { Shortage } from "./quota-shortage.ts";
import { type Judgement, shortagesNow } from "./shortage-watch.ts";
import type { InstanceState } from "./state.ts";
import { isObserved, statusOf } from "./status.ts";
import { writeStatus } from "./status-write.ts";
import { unknownFields } from "./unknown-fields.ts";
import { isOfKind } from "./view.ts";

export interface PassOptions extends PrepareOptions {
  readonly client: Client;
  readonly world: World;
  readonly fights: Fights;
  readonly prunes: PruneWaits;
  /**
   * Told what quotas leave the instance no room for, `undefined` where that is no question; says what of it has lasted.
   * Default: nothing is said of it.
   */
  readonly shortages?: (short: readonly Shortage[] | undefined) => Judgement;
  /** Told the changes that the pass has carried out. */
  readonly onWritten?: (instance: ObjectRef, changes: readonly Change[]) => void;
}

/** What a pass came to. */
export interface Pass {
  readonly state: InstanceState;
  /** Pass again at once: what was read was no longer true. */
  readonly again?: boolean;
  /** Milliseconds after which to look again although nothing happens. */
  readonly after?: number;
}

/** The kind that an application is served as. */
export function kindOfApp(app: Pick<App, "group" | "kind" | "plural">): AnyKind {
  return { group: app.group, version: "v1alpha1", kind: app.kind, plural: app.plural, namespaced: true };
}

/** One pass over an instance that is not being deleted. */
export async function passOver(app: App, object: KubeObject, options: PassOptions): Promise<Pass> {
  const prepared = await prepare(app, object, options);
  if (prepared.is === "waiting") return report(app, object, options, { state: prepared });
  if (prepared.is === "refused") return report(app, object, options, { state: prepared });
  const { plan } = prepared;
  if (plan.confirm !== undefined) {
    const changes = plan.plan.changes;
    return report(app, object, options, { state: { is: "unconfirmed", hash: plan.confirm, changes }, prepared });
  }
  return execute(app, object, prepared, options);
}

async function execute(app: App, object: KubeObject, prepared: PlannedInstance, options: PassOptions): Promise<Pass> {
  const { client, view } = options;
  const { plan } = prepared;
  const kind = kindOfApp(app);
  let current = object;
  let inventory = prepared.inventory;
  const generation = object.metadata.generation ?? 0;
  const isHeld = hasFinalizer(current) && inventory.chunks.length > 0;
  if (plan.steps.length > 0 || (plan.owned.length > 0 && !isHeld)) {
    if (!hasFinalizer(current)) {
      try {
        current = await addFinalizer(client, kind, current);
      } catch (error) {
        // Somebody changed it, or it is gone and may be another by now: the event of that is on its way.
        if (!isApiError(error, "Conflict", "NotFound")) throw error;
        return { state: { is: "outOfSync", changes: plan.plan.changes }, again: true };
      }
      view.wrote(kind, current);
    }
    // At every crash point the inventory covers what exists: it is written before anything new is.
    try {
      const covering = coveringRecord(inventory.record, plan, prepared.instance, generation);
      inventory = await saveInventory(client, view, inventory, covering);
    } catch (error) {
      if (!isApiError(error, "AlreadyExists")) throw error;
      return { state: { is: "outOfSync", changes: plan.plan.changes }, again: true };
    }
  }
  const waits: number[] = [];
  const outcomes = await applyPlan(plan, {
    client,
    view,
    kindOf: options.kindOf,
    fights: options.fights,
    inventory: inventory.record,
    now: options.world.now,
    mayPrune: (step) => mayPrune(step, prepared, options, waits),
  });
  const written = outcomes.filter(isDone).map(({ step }) => step.change);
  if (written.length > 0) options.onWritten?.(refOfApp(app, object), written);
  const record = resultingRecord(inventory.record, plan, outcomes, prepared.instance, generation);
  const done = withRotation(record, object, outcomes);
  if (inventory.chunks.length > 0) inventory = await saveInventory(client, view, inventory, done);
  if (options.uids !== undefined) rememberUids(done, options.uids);
  return conclude(app, current, prepared, outcomes, waits, options);
}

function isDone({ problem, again, held }: Outcome): boolean {
  return problem === undefined && again !== true && held !== true;
}

function withRotation(record: InventoryRecord, object: KubeObject, outcomes: readonly Outcome[]): InventoryRecord {
  const rotate = object.metadata.annotations?.["apps.cozystack.io/rotate"];
  const failed = outcomes.some(({ problem, again }) => problem !== undefined || again === true);
  return rotate === undefined || failed ? record : { ...record, rotated: rotate };
}

async function mayPrune(
  step: Step,
  { wanted, known }: PlannedInstance,
  options: PassOptions,
  waits: number[],
): Promise<boolean> {
  const live: KubeObject[] = [];
  for (const { ref, manifest } of wanted) {
    if (manifest.policy === "patchExisting" || known(ref).is === "hidden") continue;
    const kind = options.kindOf(ref.group, ref.kind);
    const found: Known = kind === undefined ? { is: "absent" } : await options.view.look(kind, ref.name, ref.namespace);
    if (found.is === "full") live.push(found.object);
  }
  const verdict = options.prunes.judge(step.change.object, live, options.world.now());
  if (!verdict.may && verdict.after !== undefined) waits.push(verdict.after);
  return verdict.may;
}

async function conclude(
  app: App,
  object: KubeObject,
  prepared: PlannedInstance,
  outcomes: readonly Outcome[],
  waits: readonly number[],
  options: PassOptions,
): Promise<Pass> {
  const { plan } = prepared;
  if (outcomes.some((outcome) => outcome.again === true)) {
    return { state: { is: "outOfSync", changes: plan.plan.changes }, again: true };
  }
  const problems = [...plan.refused, ...outcomes.flatMap(({ problem }) => problem ?? [])];
  const live = await liveObjects(prepared, outcomes, options);
  const found = stateAfter(plan, problems, outcomes, live);
  const { state, after } = await withShortages(found, object, live, options);
  const pass = await report(app, object, options, { state, prepared, live, released: problems.length === 0 });
  const fighting = problems.filter(({ code }) => code === "FightingOver");
  const times = [
    ...waits,
    ...(after === undefined ? [] : [after]),
    ...fighting.map((problem) => options.fights.wait(keyOf(problem.object), options.world.now())),
  ];
  return times.length === 0 ? pass : { ...pass, after: Math.min(...times) };
}

/**
 * The instance's own objects as far as they are held whole: as they are by now, since what others said of them while the
 * pass went on then needs no status of its own; else as the pass's own writes left them.
 */
async function liveObjects(
  { wanted, known }: PlannedInstance,
  outcomes: readonly Outcome[],
  { view, kindOf }: PassOptions,
): Promise<readonly KubeObject[]> {
  const written = new Map(
    outcomes.flatMap(({ step, object }) => (object === undefined ? [] : [[keyOf(step.change.object), object]])),
  );
  const live: KubeObject[] = [];
  for (const { ref, manifest } of wanted) {
    if (manifest.policy === "patchExisting") continue;
    const kind = kindOf(ref.group, ref.kind);
    const now = kind === undefined ? undefined : await view.look(kind, ref.name, ref.namespace);
    const object = now?.is === "full" ? now.object : (written.get(keyOf(ref)) ?? objectOf(known(ref)));
    if (object !== undefined) live.push(object);
  }
  return live;
}

function stateAfter(
  plan: InstancePlan,
  problems: readonly ObjectProblem[],
  outcomes: readonly Outcome[],
  live: readonly KubeObject[],
): InstanceState {
  if (problems.length > 0) return { is: "refused", problems };
  const again = outcomes.filter(({ step }) => step.write.do === "delete" && step.write.thenAgain);
  if (again.length > 0) return { is: "outOfSync", changes: again.map(({ step }) => step.change) };
  const [away] = plan.waiting;
  if (away !== undefined) {
    const object = live.find((one) => keyOf(refOf(one)) === keyOf(away));
    const how = object === undefined ? "is being deleted" : leaving(object);
    return { is: "waiting", on: away, why: `${how}; it is made again when it is gone` };
  }
  const on = notCurrent(live.filter((object) => !isOpaque(object)));
  return on.length === 0 ? { is: "ready" } : { is: "progressing", on };
}

/** With what of it quotas are the reason of. */
async function withShortages(
  state: InstanceState,
  { metadata }: KubeObject,
  live: readonly KubeObject[],
  { view, shortages = () => ({ lasting: [] }) }: PassOptions,
): Promise<{ readonly state: InstanceState; readonly after?: number }> {
  if (state.is !== "progressing") {
    shortages(undefined);
    return { state };
  }
  const sick = new Set(state.on.map(({ object }) => keyOf(object)));
  const unhealthy = live.filter((one) => sick.has(keyOf(refOf(one))));
  const { lasting, after } = shortages(await shortagesNow(view, metadata.namespace ?? "", live, unhealthy));
  return {
    state: lasting.length === 0 ? state : { ...state, short: lasting },
    ...(after === undefined ? {} : { after }),
  };
}

// Held as metadata only: nothing can be said of them, and nothing needs to be.
function isOpaque(object: KubeObject): boolean {
  return object.kind === "Secret" && object.apiVersion === "v1";
}

interface Report {
  readonly state: InstanceState;
  readonly prepared?: PlannedInstance;
  readonly live?: readonly KubeObject[];
  readonly released?: boolean;
}

/** Writes the status; a first look that ends well is looked at once more. */
async function report(app: App, object: KubeObject, options: PassOptions, what: Report): Promise<Pass> {
  const { client, view, world } = options;
  const { state, prepared, live = [], released } = what;
  const generation = object.metadata.generation ?? 0;
  const previous = valueAt(object, "status");
  const monitors = live.filter((one) => isOfKind(WorkloadMonitor, one));
  const observed = prepared?.observed;
  const version = observed === undefined ? prepared?.context.chartVersion : observed.version;
  const fields = prepared?.statusFields;
  const status = statusOf({
    state,
    generation,
    previous,
    monitors: [...monitors.map(({ status: seen }) => seen?.operational), ...(observed?.monitors ?? [])],
    unknownFields: unknownFields(app.schema, valueAt(object, "spec")),
    willBeRefused: prepared?.instance.willBeRefused ?? [],
    inherited: prepared?.plan.unconfirmed ?? [],
    now: timestamp(world),
    ...(released === undefined ? {} : { released }),
    ...(version === undefined ? {} : { version }),
    ...(fields === undefined ? {} : { fields }),
  });
  const kind = kindOfApp(app);
  const written = await writeStatus(client, kind, object, status);
  if (written !== undefined) view.wrote(kind, written);
  return state.is === "ready" && !isObserved(previous, generation) ? { state, again: true } : { state };
}

/** Says that passes keep failing, and why. */
export async function reportProblem(
  app: App,
  object: KubeObject,
  problem: ObjectProblem,
  options: PassOptions,
): Promise<void> {
  await report(app, object, options, { state: { is: "refused", problems: [problem] } });
}

/** Reference of an application object. */
export function refOfApp(app: App, object: KubeObject): ObjectRef {
  const { name, namespace } = object.metadata;
  return { group: app.group, kind: app.kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

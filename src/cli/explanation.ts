/**
 * Why an application is as it is: what the controller would say of it now, what of it is not healthy, and what its objects
 * reported, each with the next step.
 */
import { apiProblems, CozystackError, isApiError } from "../kube/errors.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { type KubeObject, keyOf, type ObjectRef } from "../kube/object.ts";
import { kindLookup } from "../reconcile/controller.ts";
import { kindOfApp } from "../reconcile/instance.ts";
import type { Prepared } from "../reconcile/prepare.ts";
import { reconcileProblems } from "../reconcile/problem.ts";
import { quotaRemedy, shortageText } from "../reconcile/quota-shortage.ts";
import { conditionsOf } from "../reconcile/status.ts";
import type { App } from "../sdk/app.ts";
import { isReady, listOf, type Standing, standingOf } from "./applications.ts";
import type { Target } from "./cluster.ts";
import { offlineContext } from "./offline-context.ts";
import { type OwnedNode, ownedTree } from "./owned.ts";
import { planner } from "./planner.ts";
import { quotaShortages } from "./quota-shortage.ts";
import { warningsIn } from "./warning-events.ts";

/** One thing that keeps an application from being ready. */
export interface Finding {
  readonly object: ObjectRef;
  readonly field?: string;
  readonly what: string;
  readonly next?: string;
  /** Warnings about the object, newest first. */
  readonly events: readonly string[];
}

export interface Explanation {
  readonly object: ObjectRef;
  readonly ready: Standing["ready"];
  readonly reason: string;
  readonly message: string;
  readonly findings: readonly Finding[];
  /** What keeps nobody from being ready and is hardly meant, such as a field that is not known. */
  readonly warnings: readonly string[];
  readonly next: string;
}

const nextByReason: Readonly<Record<string, string>> = {
  Ready: "Nothing to do.",
  Pending: "If this lasts, no controller runs: see `cozystack status`.",
  Progressing: "Wait: what is named above is under way.",
  WaitingForObject: "Make what is named above, or wait for whoever makes it.",
  Retrying: "Wait: it is tried again.",
  NotHealthy: "Look at what is named above: it was healthy before.",
  ObjectFailed: "Look at what is named above: it will not come right by itself.",
  Deleting: "Wait: what is named above is on its way out.",
  DeletionBlocked:
    "Free what is named above, or give up on it: cozystack delete --force; what stays behind is then listed.",
};

function nextOf(reason: string): string {
  const problems: Readonly<Record<string, { readonly remedy: string }>> = { ...apiProblems, ...reconcileProblems };
  return nextByReason[reason] ?? problems[reason]?.remedy ?? "Correct what is named above; `cozystack plan` tries it.";
}

/** Explains a live application. */
export async function explain(
  target: Target,
  app: App,
  object: KubeObject,
  apps: readonly App[],
): Promise<Explanation> {
  const { client } = target;
  const standing = standingOf(object);
  const { name, namespace = "" } = object.metadata;
  const self: ObjectRef = { group: app.group, kind: app.kind, namespace, name };
  const { ready, reason, message } = standing;
  const warnings = conditionsOf(valueAt(object, "status")).flatMap(({ type, status, message: said }) =>
    noted.has(type) && status === "True" ? [said] : [],
  );
  const head = { object: self, ready, reason, message, warnings, next: nextOf(reason) };
  if (ready === "True") return { ...head, findings: [] };
  const isDeleted = object.metadata.deletionTimestamp !== undefined;
  const { preview } = planner({ target, apps, namespace });
  const used = isDeleted ? [] : await usedByIt(target, app, object, apps);
  const planned = isDeleted || app.elsewhere === true ? undefined : await preview(app, object).catch(ifHidden);
  const held = planned === undefined ? [] : heldBy(planned, apps);
  const tree = await ownedTree(client, app, object, apps).catch(ifHidden);
  const sick = unhealthyIn(tree?.children ?? []);
  const unhealthy = await Promise.all(sick.map((node) => unhealthyFinding(node, target, apps)));
  const short = isDeleted || tree === undefined ? [] : await shortOfQuota(tree, target, apps);
  const found = [...used, ...held, ...unhealthy, ...short];
  const places = new Set([namespace, ...found.flatMap(({ object: of }) => of.namespace ?? [])]);
  const events = await warningsIn(client, places).catch(ifHidden);
  const findings = found.map((finding) => withEvents(finding, events?.get(keyOf(finding.object)) ?? []));
  // Nobody is told to wait for what waits for a person.
  const asks = reason === "Progressing" && findings.some(({ next }) => next !== undefined);
  const isShort = (reason === "NotHealthy" || reason === "QuotaExceeded") && short.length > 0;
  return { ...head, findings, ...(asks || isShort ? { next: "Do what is said above; the rest is under way." } : {}) };
}

/** Somebody of a tenant may not see everything that an application is made of: its conditions are left. */
function ifHidden(error: unknown): undefined {
  if (!isApiError(error, "Forbidden")) throw error;
}

/** Conditions that say something beside whether it is ready. */
const noted: ReadonlySet<string> = new Set(["UnknownFields", "Inherited"]);

/** What a quota refuses comes right for nobody who waits. */
export function withEvents(finding: Bare, events: readonly string[]): Finding {
  const isRefused = finding.next === undefined && events.some((event) => event.includes("exceeded quota: "));
  return { ...finding, events, ...(isRefused ? { next: quotaRemedy } : {}) };
}

/** Quotas that leave no room for what is missing of it. */
async function shortOfQuota(tree: OwnedNode, { client }: Target, apps: readonly App[]): Promise<readonly Bare[]> {
  const { namespace } = tree.object;
  const monitors = tree.children.flatMap(({ object }) => (object.kind === "WorkloadMonitor" ? [object.name] : []));
  if (namespace === undefined || monitors.length === 0) return [];
  const kindOf = kindLookup(apps);
  const unhealthy = await Promise.all(
    unhealthyIn(tree.children).map(async ({ object }) => {
      const kind = kindOf(object.group, object.kind);
      return kind === undefined ? undefined : client.get(kind, object.name, object.namespace);
    }),
  );
  const short = await quotaShortages(client, { namespace, monitors, unhealthy: unhealthy.flatMap((one) => one ?? []) });
  return short.map((each) => ({ object: each.quota, what: shortageText(each), next: quotaRemedy }));
}

export type Bare = Omit<Finding, "events">;

/** Applications that it uses and that are not there, or not ready. */
async function usedByIt(
  { client }: Target,
  app: App,
  { metadata: { name, namespace = "" }, ...object }: KubeObject,
  apps: readonly App[],
): Promise<readonly Bare[]> {
  const found: Bare[] = [];
  for (const ref of referencesOf(app, { name, namespace, spec: valueAt(object, "spec") })) {
    const used = apps.find(({ group, kind }) => group === ref.group && kind === ref.kind);
    if (used === undefined) continue;
    const place = ref.namespace ?? namespace;
    const live = await client.get(kindOfApp(used), ref.name, place);
    const command = `cozystack why ${used.singular} ${ref.name} -n ${place}`;
    const at = { ...ref, namespace: place };
    if (live === undefined) found.push({ object: at, what: "is not ordered", next: `Order ${used.kind} ${ref.name}.` });
    else if (!isReady(live)) found.push({ object: at, what: "is not ready", next: command });
  }
  return found;
}

function referencesOf(app: App, object: Parameters<App["instance"]>[0]): readonly ObjectRef[] {
  try {
    return app.instance(object, offlineContext(object.namespace, undefined)).references;
  } catch (error) {
    // A spec that is refused is told by the plan.
    if (error instanceof CozystackError) return [];
    throw error;
  }
}

function heldBy(prepared: Prepared, apps: readonly App[]): readonly Bare[] {
  if (prepared.is === "waiting") {
    const { on, why } = prepared;
    const app = apps.find(({ group, kind }) => group === on.group && kind === on.kind);
    const next = app === undefined ? undefined : `cozystack why ${app.singular} ${on.name} -n ${on.namespace}`;
    return [{ object: on, what: why, ...(next === undefined ? {} : { next }) }];
  }
  const problems = prepared.is === "refused" ? prepared.problems : prepared.plan.refused;
  const refused = problems.map(({ object, field, message, remedy }) => ({
    object,
    what: message,
    next: remedy,
    ...(field === undefined ? {} : { field }),
  }));
  if (prepared.is === "refused") return refused;
  const { confirm, plan } = prepared.plan;
  const losing = confirm === undefined ? [] : plan.changes.filter(({ impact }) => impact === "losesData");
  const next = `To allow it: cozystack apply -f FILE --allow-data-loss ${confirm}`;
  return [
    ...refused,
    ...losing.map(({ object, because }) => ({ object, what: `would lose its data: ${because}`, next })),
  ];
}

/** Those that are not healthy and are not explained by one below them. Monitors only where nothing else says it. */
function unhealthyIn(nodes: readonly OwnedNode[]): readonly OwnedNode[] {
  const all = nodes.flatMap((node): readonly OwnedNode[] => {
    const below = unhealthyIn(node.children);
    const isWell = node.health.is === "current" || node.health.is === "unknown";
    return isWell ? below : [node, ...below];
  });
  const others = all.filter(({ object }) => object.kind !== "WorkloadMonitor");
  return others.length > 0 ? others : all;
}

async function unhealthyFinding(
  { object, health }: OwnedNode,
  { client }: Target,
  apps: readonly App[],
): Promise<Bare> {
  const what = health.is === "absent" ? "does not exist" : (health.why ?? health.is);
  const app = apps.find(({ group, kind }) => group === object.group && kind === object.kind);
  if (app !== undefined) {
    return { object, what, next: `cozystack why ${app.singular} ${object.name} -n ${object.namespace}` };
  }
  if (object.kind !== "Pod" || object.group !== "") return { object, what };
  const pods = await listOf(client, podKind, object.namespace);
  const pod = pods.find(({ metadata }) => metadata.name === object.name);
  const said = pod === undefined ? [] : containersIn(pod);
  const next = `cozystack kubectl -- describe pod ${object.name} -n ${object.namespace}`;
  return { object, what: [what, ...said].join("; "), next };
}

const podKind = { group: "", version: "v1", kind: "Pod", plural: "pods", namespaced: true } as const;

/** What the containers of a pod wait for. */
function containersIn(pod: KubeObject): readonly string[] {
  const statuses = valueAt(pod, "status", "containerStatuses");
  return (Array.isArray(statuses) ? statuses : []).flatMap((status) => {
    const waiting = valueAt(status, "state", "waiting");
    if (!isRecord(waiting)) return [];
    const message = waiting["message"] === undefined ? "" : `: ${waiting["message"]}`;
    return [`container ${String(valueAt(status, "name"))}: ${String(waiting["reason"])}${message}`];
  });
}

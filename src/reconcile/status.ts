/**
 * The status of an application: conditions a tenant can act on, made from the one observed state (api-machinery 23).
 */
import { isRecord } from "../kube/json.ts";
import type { ObjectRef } from "../kube/object.ts";
import type { Json } from "../sdk/context.ts";
import type { NotCurrent } from "./health.ts";
import { unconfirmedHash } from "./plan-prune.ts";
import { nameOf, type ObjectProblem, reconcileProblems } from "./problem.ts";
import { lastingShortageText, quotaRemedy, type Shortage } from "./quota-shortage.ts";
import type { InstanceState } from "./state.ts";

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration: number;
}

export interface InstanceStatus {
  readonly observedGeneration: number;
  readonly conditions: readonly Condition[];
  readonly version?: string;
  readonly [field: string]: Json | undefined | readonly Condition[];
}

export interface StatusInput {
  readonly state: InstanceState;
  readonly generation: number;
  /** As stored now. */
  readonly previous: unknown;
  /** `operational` of every monitor of the instance; undefined: not looked at yet. */
  readonly monitors: readonly (boolean | undefined)[];
  /** From `unknown-fields.ts`: what the spec holds that the schema does not know. */
  readonly unknownFields: readonly string[];
  /** What of the spec the next version will refuse. Default: nothing. */
  readonly willBeRefused?: readonly string[];
  /** Objects of an earlier application of this name that wait for a person's word. */
  readonly inherited: readonly ObjectRef[];
  /** Whether all objects of this generation are written; undefined before that could be said. */
  readonly released?: boolean;
  readonly version?: string;
  /** Fields that only this application has. */
  readonly fields?: Readonly<Record<string, Json>>;
  /** RFC 3339. */
  readonly now: string;
}

type Verdict = Pick<Condition, "status" | "reason" | "message">;

const verdict = (status: Condition["status"], reason: string, message: string): Verdict => ({
  status,
  reason,
  message,
});

/** The conditions stored in a status, as far as they can be read. */
export function conditionsOf(status: unknown): readonly Condition[] {
  const list = isRecord(status) && Array.isArray(status["conditions"]) ? status["conditions"] : [];
  return list.filter(isCondition);
}

function isCondition(value: unknown): value is Condition {
  return isRecord(value) && typeof value["type"] === "string" && typeof value["status"] === "string";
}

/** Whether the stored status speaks of this generation already. */
export function isObserved(status: unknown, generation: number): boolean {
  return conditionsOf(status).some((entry) => entry.type === "Ready" && entry.observedGeneration === generation);
}

/** The status to store. Equal to what is stored when nothing changed. */
export function statusOf(input: StatusInput): InstanceStatus {
  const before = conditionsOf(input.previous);
  const verdicts: readonly (readonly [string, Verdict | undefined])[] = [
    ["Ready", readyOf(input, before)],
    ["Reconciling", reconcilingOf(input.state)],
    ["Stalled", stalledOf(input.state)],
    ["Released", releasedOf(input, before)],
    ["WorkloadsReady", workloadsReadyOf(input.monitors)],
    ["UnknownFields", unknownFieldsOf(input.unknownFields)],
    ["WillBeRefused", willBeRefusedOf(input.willBeRefused ?? [])],
    ["Inherited", inheritedOf(input.inherited)],
  ];
  const conditions = verdicts.flatMap(([type, now]) =>
    now === undefined ? [] : [conditionOf(type, now, before, input)],
  );
  // Others have conditions of their own in the list, which is written as a whole.
  const foreign = before.filter(({ type }) => !verdicts.some(([own]) => own === type));
  return {
    ...input.fields,
    ...(input.version === undefined ? {} : { version: input.version }),
    observedGeneration: input.generation,
    conditions: [...conditions, ...foreign],
  };
}

function conditionOf(type: string, now: Verdict, before: readonly Condition[], input: StatusInput): Condition {
  const old = before.find((entry) => entry.type === type);
  const lastTransitionTime = old?.status === now.status ? old.lastTransitionTime : input.now;
  return {
    type,
    ...now,
    message: now.message.slice(0, 32_000),
    lastTransitionTime,
    observedGeneration: input.generation,
  };
}

function readyOf(input: StatusInput, before: readonly Condition[]): Verdict {
  const { state } = input;
  switch (state.is) {
    case "ready":
      // The first write of a generation never says True: nobody may take an old answer for a new one.
      return isObserved(input.previous, input.generation)
        ? verdict("True", "Ready", "all objects are applied and healthy")
        : verdict("Unknown", "Progressing", "applied; health is being looked at");
    case "progressing":
      return progressingOf(state, before, input.generation);
    case "outOfSync":
      return verdict("Unknown", "Progressing", `${state.changes.length} changes are under way`);
    case "waiting":
      return verdict("False", "WaitingForObject", waitingMessage(state.on, state.why));
    case "refused":
      return verdict("False", reasonOf(state.problems), problemsMessage(state.problems));
    case "unconfirmed":
      return verdict("False", "ConfirmationRequired", confirmationMessage(state.hash, state.changes.length));
    case "deleting":
    case "gone":
      return verdict("False", "Deleting", deletingMessage(state));
  }
}

type Progressing = Extract<InstanceState, { is: "progressing" }>;

/** What will not come right by itself. A rollout that was given up for want of room does, with room. */
function brokenOf({ on, short = [] }: Progressing): readonly NotCurrent[] {
  return short.length > 0 ? [] : on.filter(({ health }) => health.is === "failed");
}

function progressingOf(state: Progressing, before: readonly Condition[], generation: number): Verdict {
  const { on, short = [] } = state;
  if (short.length > 0) return verdict("False", "QuotaExceeded", `${shortageMessage(short)} | ${healthMessage(on)}`);
  const broken = brokenOf(state);
  if (broken.length > 0) return verdict("False", "ObjectFailed", healthMessage(broken));
  const old = before.find((entry) => entry.type === "Ready");
  const wasReady = old?.observedGeneration === generation && (old.status === "True" || old.reason === "NotHealthy");
  return wasReady
    ? verdict("False", "NotHealthy", healthMessage(on))
    : verdict("Unknown", "Progressing", healthMessage(on));
}

function reconcilingOf(state: InstanceState): Verdict | undefined {
  switch (state.is) {
    case "waiting":
      return verdict("True", "WaitingForObject", waitingMessage(state.on, state.why));
    case "outOfSync":
      return verdict("True", "Progressing", `${state.changes.length} changes are under way`);
    case "progressing":
      return brokenOf(state).length === state.on.length
        ? undefined
        : verdict("True", "Progressing", healthMessage(state.on));
    case "deleting":
      return verdict("True", "Deleting", deletingMessage(state));
    case "refused":
      return state.problems.some((problem) => problem.transient)
        ? verdict("True", "Retrying", problemsMessage(state.problems.filter((problem) => problem.transient)))
        : undefined;
    default:
      return undefined;
  }
}

function stalledOf(state: InstanceState): Verdict | undefined {
  if (state.is === "unconfirmed") {
    return verdict("True", "ConfirmationRequired", confirmationMessage(state.hash, state.changes.length));
  }
  if (state.is === "deleting" && state.blockedBy !== undefined) {
    return verdict("True", "DeletionBlocked", deletingMessage(state));
  }
  if (state.is === "progressing") {
    const broken = brokenOf(state);
    return broken.length === 0 ? undefined : verdict("True", "ObjectFailed", healthMessage(broken));
  }
  if (state.is !== "refused") return undefined;
  const lasting = state.problems.filter((problem) => !problem.transient);
  return lasting.length === 0 ? undefined : verdict("True", reasonOf(lasting), problemsMessage(lasting));
}

function releasedOf(input: StatusInput, before: readonly Condition[]): Verdict | undefined {
  const old = before.find((entry) => entry.type === "Released");
  if (input.released === undefined) {
    return old === undefined ? undefined : verdict(old.status, old.reason, old.message);
  }
  const first =
    old === undefined || old.reason.startsWith("Install") ? (old?.observedGeneration ?? input.generation) : -1;
  const verb =
    first === input.generation || (old?.status === "False" && old.reason === "InstallFailed") ? "Install" : "Upgrade";
  return input.released
    ? verdict("True", `${verb}Succeeded`, "all objects are applied")
    : verdict("False", `${verb}Failed`, "not all objects could be applied");
}

function workloadsReadyOf(monitors: readonly (boolean | undefined)[]): Verdict | undefined {
  if (monitors.length === 0) return undefined;
  if (monitors.includes(false))
    return verdict("False", "WorkloadMonitorCheck", "one or more workloads are not operational");
  if (monitors.includes(undefined)) return verdict("Unknown", "Pending", "there are no workloads yet");
  return verdict("True", "WorkloadMonitorCheck", "all workloads are operational");
}

function unknownFieldsOf(fields: readonly string[]): Verdict | undefined {
  if (fields.length === 0) return undefined;
  return verdict("True", "UnknownFields", `stored, but without effect: ${fields.slice(0, 20).join("; ")}`);
}

function willBeRefusedOf(refusals: readonly string[]): Verdict | undefined {
  return refusals.length === 0 ? undefined : verdict("True", "WillBeRefused", refusals.slice(0, 20).join(" | "));
}

function inheritedOf(objects: readonly ObjectRef[]): Verdict | undefined {
  const hash = unconfirmedHash(objects);
  if (hash === undefined) return undefined;
  const names = objects.slice(0, 5).map(nameOf).join(", ");
  const message = `${objects.length} objects of an earlier application of this name are not rendered any more and stay until apps.cozystack.io/allow-data-loss is ${hash}: ${names}`;
  return verdict("True", "ConfirmationRequired", message);
}

function reasonOf(problems: readonly ObjectProblem[]): string {
  const lasting = problems.find((problem) => !problem.transient) ?? problems[0];
  return lasting?.code ?? "Refused";
}

function problemsMessage(problems: readonly ObjectProblem[]): string {
  const shown = problems.slice(0, 5).map((problem) => {
    const field = problem.field === undefined ? "" : ` ${problem.field}`;
    return `${nameOf(problem.object)}${field}: ${problem.message}. ${problem.remedy}`;
  });
  return `${shown.join(" | ")}${problems.length > 5 ? ` | and ${problems.length - 5} more` : ""}`;
}

function shortageMessage(short: readonly Shortage[]): string {
  const said = short.slice(0, 5).map((each) => `${nameOf(each.quota)} ${lastingShortageText(each)}`);
  return `${said.join("; ")}. ${quotaRemedy}`;
}

function healthMessage(on: readonly NotCurrent[]): string {
  const shown = on.slice(0, 5).map(({ object, health }) => `${nameOf(object)}: ${health.why}`);
  return `${shown.join("; ")}${on.length > 5 ? `; and ${on.length - 5} more` : ""}`;
}

function waitingMessage(on: ObjectRef, why: string): string {
  return `${nameOf(on)}: ${why}`;
}

function confirmationMessage(hash: string, changes: number): string {
  return `${reconcileProblems.ConfirmationRequired.message} by this change (${changes} objects). ${reconcileProblems.ConfirmationRequired.remedy} Hash: ${hash}`;
}

function deletingMessage(state: Extract<InstanceState, { is: "deleting" | "gone" }>): string {
  if (state.is === "gone") return "deleted";
  const { blockedBy, left } = state;
  if (blockedBy !== undefined) {
    const held = blockedBy.finalizers.length === 0 ? "" : ` (finalizers: ${blockedBy.finalizers.join(", ")})`;
    return `${nameOf(blockedBy.object)}${held}: ${blockedBy.why}`;
  }
  const shown = left.slice(0, 5).map(nameOf).join(", ");
  const count = left.length === 1 ? "1 object" : `${left.length} objects`;
  return left.length === 0 ? "finishing" : `${count} left: ${shown}${left.length > 5 ? ", ..." : ""}`;
}

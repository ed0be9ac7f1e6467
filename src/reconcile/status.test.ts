import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectRef } from "../kube/object.ts";
import { problemOf } from "./problem.ts";
import type { InstanceState } from "./state.ts";
import { type Condition, type InstanceStatus, isObserved, type StatusInput, statusOf } from "./status.ts";

const object: ObjectRef = { group: "", kind: "Secret", namespace: "a", name: "b" };
const later = "2026-01-02T00:00:00Z";
const ready: InstanceState = { is: "ready" };
const progressing: InstanceState = {
  is: "progressing",
  on: [{ object, health: { is: "inProgress", why: "1 of 2 pods are ready" } }],
};

const crowded: InstanceState = {
  is: "progressing",
  on: [{ object, health: { is: "failed", why: "deadline exceeded" } }],
  short: [
    {
      quota: { group: "", kind: "ResourceQuota", namespace: "a", name: "q" },
      of: "pod",
      lacks: [{ resource: "limits.cpu", needs: "1", left: "0", hard: "4" }],
    },
  ],
};

const status = (more: Partial<StatusInput>): InstanceStatus =>
  statusOf({
    state: ready,
    generation: 2,
    previous: {},
    monitors: [],
    unknownFields: [],
    inherited: [],
    now: "2026-01-01T00:00:00Z",
    ...more,
  });

const condition = (value: InstanceStatus, type: string): Condition | undefined =>
  value.conditions.find((entry) => entry.type === type);

const said = (value: InstanceStatus, type: string): string | undefined => {
  const found = condition(value, type);
  return found === undefined ? undefined : `${found.status} ${found.reason}`;
};

const rows: readonly {
  readonly why: string;
  readonly input: Partial<StatusInput>;
  readonly ready: string;
  readonly reconciling?: string;
  readonly stalled?: string;
}[] = [
  { why: "the first write of a generation never says True", input: {}, ready: "Unknown Progressing" },
  { why: "the next one does", input: { previous: status({}) }, ready: "True Ready" },
  {
    why: "True about an older generation is no True about this one",
    input: { previous: status({ previous: status({ generation: 1 }), generation: 1 }) },
    ready: "Unknown Progressing",
  },
  { why: "on its way", input: { state: progressing }, ready: "Unknown Progressing", reconciling: "True Progressing" },
  {
    why: "fallen back after it had been ready",
    input: { state: progressing, previous: status({ previous: status({}) }) },
    ready: "False NotHealthy",
    reconciling: "True Progressing",
  },
  {
    why: "without room in a quota, which nobody has to give up for",
    input: { state: crowded },
    ready: "False QuotaExceeded",
    reconciling: "True Progressing",
  },
  {
    why: "never ready yet: an error before does not make it a fall",
    input: {
      state: progressing,
      previous: status({ state: { is: "refused", problems: [problemOf(object, "ForeignObject")] } }),
    },
    ready: "Unknown Progressing",
    reconciling: "True Progressing",
  },
  {
    why: "waiting for a named object",
    input: { state: { is: "waiting", on: object, why: "does not exist yet" } },
    ready: "False WaitingForObject",
    reconciling: "True WaitingForObject",
  },
  {
    why: "a Job that failed does not come right by waiting",
    input: { state: { is: "progressing", on: [{ object, health: { is: "failed", why: "the Job failed" } }] } },
    ready: "False ObjectFailed",
    stalled: "True ObjectFailed",
  },
  {
    why: "only a person can help",
    input: { state: { is: "refused", problems: [problemOf(object, "SecretLost")] } },
    ready: "False SecretLost",
    stalled: "True SecretLost",
  },
  {
    why: "an error that passes is retried, not stalled",
    input: {
      state: { is: "refused", problems: [{ ...problemOf(object, "SecretLost"), code: "Timeout", transient: true }] },
    },
    ready: "False Timeout",
    reconciling: "True Retrying",
  },
  {
    why: "data would be lost",
    input: { state: { is: "unconfirmed", hash: "cafe", changes: [] } },
    ready: "False ConfirmationRequired",
    stalled: "True ConfirmationRequired",
  },
  {
    why: "being deleted",
    input: { state: { is: "deleting", left: [object] } },
    ready: "False Deleting",
    reconciling: "True Deleting",
  },
  {
    why: "held up in deletion",
    input: { state: { is: "deleting", left: [object], blockedBy: { object, finalizers: ["x/y"], why: "held" } } },
    ready: "False Deleting",
    reconciling: "True Deleting",
    stalled: "True DeletionBlocked",
  },
];

for (const { why, input, ready: expected, reconciling, stalled } of rows) {
  test(`conditions: ${why}`, () => {
    const value = status(input);
    assert.equal(said(value, "Ready"), expected);
    assert.equal(said(value, "Reconciling"), reconciling);
    assert.equal(said(value, "Stalled"), stalled);
    for (const entry of value.conditions) assert.equal(entry.observedGeneration, 2);
  });
}

test("conditions: the message names object, field, limit and remedy", () => {
  const problem = { ...problemOf(object, "FightingOver", { field: "spec.replicas", message: "manager hpa" }) };
  const message = condition(status({ state: { is: "refused", problems: [problem] } }), "Ready")?.message ?? "";
  for (const part of ["Secret a/b", "spec.replicas", "manager hpa", "Stop the other manager"])
    assert.ok(message.includes(part));
});

test("conditions: the transition time moves with the status alone", () => {
  const first = status({});
  const same = status({ previous: first, state: progressing, now: later });
  assert.equal(condition(same, "Ready")?.lastTransitionTime, condition(first, "Ready")?.lastTransitionTime);
  const other = status({ previous: first, now: later });
  assert.equal(condition(other, "Ready")?.lastTransitionTime, later);
});

test("conditions: nothing new gives an equal status", () => {
  const settled = status({ previous: status({}) });
  assert.deepEqual(status({ previous: settled, now: later }), settled);
  assert.ok(isObserved(settled, 2));
  assert.ok(!isObserved(settled, 3));
});

const workloads: readonly {
  readonly why: string;
  readonly monitors: readonly (boolean | undefined)[];
  readonly gives: string | undefined;
}[] = [
  { why: "no monitor, no condition", monitors: [], gives: undefined },
  {
    why: "one is not operational, whatever the others",
    monitors: [true, undefined, false],
    gives: "False WorkloadMonitorCheck",
  },
  { why: "one was not looked at", monitors: [true, undefined], gives: "Unknown Pending" },
  { why: "all are operational", monitors: [true, true], gives: "True WorkloadMonitorCheck" },
];

for (const { why, monitors, gives } of workloads) {
  test(`WorkloadsReady as upstream: ${why}`, () => assert.equal(said(status({ monitors }), "WorkloadsReady"), gives));
}

test("Released as upstream: installed, upgraded, failed", () => {
  const installed = status({ released: true });
  assert.equal(said(installed, "Released"), "True InstallSucceeded");
  assert.equal(said(status({ released: true, previous: installed }), "Released"), "True InstallSucceeded");
  assert.equal(
    said(status({ released: true, previous: installed, generation: 3 }), "Released"),
    "True UpgradeSucceeded",
  );
  const failed = status({ released: false });
  assert.equal(said(failed, "Released"), "False InstallFailed");
  assert.equal(said(status({ released: true, previous: failed, generation: 3 }), "Released"), "True InstallSucceeded");
  assert.equal(
    said(status({ released: false, previous: installed, generation: 3 }), "Released"),
    "False UpgradeFailed",
  );
  assert.equal(
    said(status({ previous: installed, state: { is: "waiting", on: object, why: "" } }), "Released"),
    "True InstallSucceeded",
  );
});

test("what the next version will refuse is a condition that names it, and none where there is nothing", () => {
  const told = status({ willBeRefused: ["spec.size: is ten or more; use less; version 2.0 refuses it"] });
  assert.equal(said(told, "WillBeRefused"), "True WillBeRefused");
  assert.match(condition(told, "WillBeRefused")?.message ?? "", /^spec\.size: .* 2\.0/);
  assert.equal(said(told, "Ready"), "Unknown Progressing");
  assert.equal(condition(status({ previous: told }), "WillBeRefused"), undefined);
});

test("a quota that leaves no room is named with its figures and what to do, before what it leads to", () => {
  assert.equal(
    condition(status({ state: crowded }), "Ready")?.message,
    "ResourceQuota a/q leaves no room for another pod, which needs 1 of the 4 of limits.cpu. Free or raise the tenant's quota (spec.resourceQuotas of the Tenant), or ask for less. | Secret a/b: deadline exceeded",
  );
});

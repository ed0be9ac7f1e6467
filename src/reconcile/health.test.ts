import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../kube/object.ts";
import { healthOf } from "./health.ts";

interface Row {
  readonly why: string;
  readonly of: string;
  readonly spec?: object;
  readonly status?: object;
  readonly generation?: number;
  readonly deleted?: true;
  readonly health: string;
}

const ready = (status: string, more: object = {}) => ({
  conditions: [{ type: "Ready", status, message: "said", ...more }],
});
const deployment = (updatedReplicas: number, availableReplicas: number) => ({
  observedGeneration: 1,
  updatedReplicas,
  availableReplicas,
});

const rows: readonly Row[] = [
  { why: "nothing to wait for", of: "v1 ConfigMap", health: "current" },
  { why: "on its way out", of: "v1 ConfigMap", deleted: true, health: "terminating" },
  {
    why: "its controller has seen an older generation",
    of: "example.com/v1 Thing",
    generation: 2,
    status: { observedGeneration: 1, ...ready("True") },
    health: "inProgress",
  },
  { why: "an unknown kind by its condition", of: "example.com/v1 Thing", status: ready("False"), health: "inProgress" },
  { why: "an unknown kind that is ready", of: "example.com/v1 Thing", status: ready("True"), health: "current" },
  { why: "an unknown kind that says nothing", of: "example.com/v1 Thing", status: {}, health: "current" },
  {
    why: "a condition about an older generation",
    of: "example.com/v1 Thing",
    generation: 2,
    status: ready("True", { observedGeneration: 1 }),
    health: "inProgress",
  },
  {
    why: "stalled",
    of: "example.com/v1 Thing",
    status: { conditions: [{ type: "Stalled", status: "True" }] },
    health: "failed",
  },
  { why: "an application that nobody has looked at", of: "apps.cozystack.io/v1alpha1 Etcd", health: "inProgress" },
  { why: "CNPG that has not answered yet", of: "postgresql.cnpg.io/v1 Cluster", health: "inProgress" },
  {
    why: "a Deployment nobody has looked at",
    of: "apps/v1 Deployment",
    spec: { replicas: 1 },
    status: {},
    health: "inProgress",
  },
  {
    why: "a Deployment in a roll-out",
    of: "apps/v1 Deployment",
    spec: { replicas: 2 },
    status: deployment(1, 2),
    health: "inProgress",
  },
  {
    why: "a Deployment that is done",
    of: "apps/v1 Deployment",
    spec: { replicas: 2 },
    status: deployment(2, 2),
    health: "current",
  },
  {
    why: "a Deployment past its deadline",
    of: "apps/v1 Deployment",
    spec: { replicas: 2 },
    status: {
      ...deployment(0, 0),
      conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }],
    },
    health: "failed",
  },
  {
    why: "a Deployment of none",
    of: "apps/v1 Deployment",
    spec: { replicas: 0 },
    status: { observedGeneration: 1 },
    health: "current",
  },
  {
    why: "a StatefulSet with pods of the old revision",
    of: "apps/v1 StatefulSet",
    spec: { replicas: 2 },
    status: { observedGeneration: 1, readyReplicas: 2, updatedReplicas: 1 },
    health: "inProgress",
  },
  {
    why: "a StatefulSet that is up to date",
    of: "apps/v1 StatefulSet",
    spec: { replicas: 2 },
    status: { observedGeneration: 1, readyReplicas: 2, updatedReplicas: 2 },
    health: "current",
  },
  {
    why: "a DaemonSet without nodes",
    of: "apps/v1 DaemonSet",
    status: { observedGeneration: 1, desiredNumberScheduled: 0 },
    health: "current",
  },
  { why: "a Job that runs", of: "batch/v1 Job", status: { active: 1 }, health: "inProgress" },
  {
    why: "a Job that is done",
    of: "batch/v1 Job",
    status: { conditions: [{ type: "Complete", status: "True" }] },
    health: "current",
  },
  {
    why: "a Job that gave up",
    of: "batch/v1 Job",
    status: { conditions: [{ type: "Failed", status: "True" }] },
    health: "failed",
  },
  {
    why: "a claim without a volume",
    of: "v1 PersistentVolumeClaim",
    status: { phase: "Pending" },
    health: "inProgress",
  },
  { why: "a claim whose volume is gone", of: "v1 PersistentVolumeClaim", status: { phase: "Lost" }, health: "failed" },
  {
    why: "a monitor below its minimum (feature 70)",
    of: "cozystack.io/v1alpha1 WorkloadMonitor",
    status: { operational: false },
    health: "inProgress",
  },
  {
    why: "a monitor that nobody has looked at",
    of: "cozystack.io/v1alpha1 WorkloadMonitor",
    status: {},
    health: "inProgress",
  },
  {
    why: "a monitor that is operational",
    of: "cozystack.io/v1alpha1 WorkloadMonitor",
    status: { operational: true },
    health: "current",
  },
  {
    why: "ClickHouse at work",
    of: "clickhouse.altinity.com/v1 ClickHouseInstallation",
    status: { status: "InProgress" },
    health: "inProgress",
  },
  {
    why: "ClickHouse done",
    of: "clickhouse.altinity.com/v1 ClickHouseInstallation",
    status: { status: "Completed" },
    health: "current",
  },
  {
    why: "a disk that is being filled",
    of: "cdi.kubevirt.io/v1beta1 DataVolume",
    status: { phase: "ImportInProgress" },
    health: "inProgress",
  },
  {
    why: "a machine that is off, as asked",
    of: "kubevirt.io/v1 VirtualMachine",
    spec: { runStrategy: "Halted" },
    status: { printableStatus: "Stopped" },
    health: "current",
  },
  {
    why: "a machine that starts",
    of: "kubevirt.io/v1 VirtualMachine",
    spec: { runStrategy: "Always" },
    status: { printableStatus: "Starting" },
    health: "inProgress",
  },
  {
    why: "a machine that runs",
    of: "kubevirt.io/v1 VirtualMachine",
    spec: { runStrategy: "Always" },
    status: { ready: true },
    health: "current",
  },
  {
    why: "a bucket that is not there yet",
    of: "objectstorage.k8s.io/v1alpha1 BucketClaim",
    status: { bucketReady: false },
    health: "inProgress",
  },
  {
    why: "an etcd whose operator has not looked",
    of: "etcd-operator.cozystack.io/v1alpha2 EtcdCluster",
    health: "inProgress",
  },
  {
    why: "an etcd that serves with a member missing",
    of: "etcd-operator.cozystack.io/v1alpha2 EtcdCluster",
    spec: { replicas: 3 },
    status: { readyMembers: 2, conditions: [{ type: "Available", status: "True" }] },
    health: "inProgress",
  },
  {
    why: "a whole etcd",
    of: "etcd-operator.cozystack.io/v1alpha2 EtcdCluster",
    spec: { replicas: 3 },
    status: { readyMembers: 3, conditions: [{ type: "Available", status: "True" }] },
    health: "current",
  },
  {
    why: "an etcd without a majority, whatever it counts",
    of: "etcd-operator.cozystack.io/v1alpha2 EtcdCluster",
    spec: { replicas: 3 },
    status: { readyMembers: 3, conditions: [{ type: "Available", status: "False" }] },
    health: "inProgress",
  },
  {
    why: "a parked etcd",
    of: "etcd-operator.cozystack.io/v1alpha2 EtcdCluster",
    spec: { replicas: 0 },
    status: { readyMembers: 0, conditions: [{ type: "Available", status: "False" }] },
    health: "current",
  },
  {
    why: "a DataStore that Kamaji has not taken",
    of: "kamaji.clastix.io/v1alpha1 DataStore",
    status: { ready: false },
    health: "inProgress",
  },
];

for (const { why, of, spec, status, generation = 1, deleted, health } of rows) {
  test(`health: ${why}`, () => {
    const [apiVersion = "", kind = ""] = of.split(" ");
    const metadata = {
      name: "x",
      generation,
      ...(deleted === undefined ? {} : { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    };
    const object: KubeObject = Object.assign({ apiVersion, kind, metadata }, { spec, status });
    const found = healthOf(object);
    assert.equal(found.is, health);
    if (found.is !== "current") assert.notEqual(found.why, "");
  });
}

test("a monitor says how many pods are missing, and where none is that it is not counted yet", () => {
  const monitor = (minReplicas: number) => {
    const object = { apiVersion: "cozystack.io/v1alpha1", kind: "WorkloadMonitor", metadata: { name: "m" } };
    return healthOf({ ...object, ...{ spec: { minReplicas } } });
  };
  assert.deepEqual(monitor(0), { is: "inProgress", why: "what it watches is not counted yet" });
  assert.deepEqual(monitor(2), { is: "inProgress", why: "0 of at least 2 pods are available" });
});

const keptBy = [
  { finalizers: [], says: "is being deleted" },
  { finalizers: ["kubernetes.io/pvc-protection"], says: "is being deleted, and stays for as long as a pod uses it" },
  {
    finalizers: ["kubernetes.io/pvc-protection", "example.com/hold"],
    says: "is being deleted; finalizers: kubernetes.io/pvc-protection, example.com/hold",
  },
];
for (const { finalizers, says } of keptBy) {
  test(`what is being deleted says what keeps it: ${finalizers.join(", ") || "nothing"}`, () => {
    const metadata = { name: "x", deletionTimestamp: "2026-01-01T00:00:00Z", finalizers };
    const found = healthOf({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata });
    assert.deepEqual(found, { is: "terminating", why: says });
  });
}

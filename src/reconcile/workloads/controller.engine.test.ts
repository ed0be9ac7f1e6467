import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testEngine } from "../../../test/support/engine.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { installKinds } from "../../../test/support/synthetic-app.ts";
import { Workload, WorkloadMonitor } from "../../contracts/cozystack-io.ts";
import type { Client } from "../../kube/client.ts";
import { Service } from "../../kube/kinds/core.ts";
import { PersistentVolumeClaim } from "../../kube/kinds/storage.ts";
import { Pod } from "../../kube/kinds/workloads.ts";
import { startWorkloads } from "./controller.ts";

const engine = await testEngine();
const admin = engine.client();
await installKinds(admin, []);

interface Running {
  readonly ns: string;
  readonly client: Client;
  idle(): Promise<void>;
}

async function start(t: TestContext, patience = 0): Promise<Running> {
  const ns = await engine.namespace("workloads");
  const client = engine.client("cozystack");
  const abort = new AbortController();
  const running = startWorkloads({ client, patience, scope: (namespace) => namespace === ns }, abort.signal);
  t.after(async () => {
    abort.abort();
    await running.ended;
  });
  return { ns, client, idle: () => running.idle() };
}

const monitor = (name: string, ns: string, selector: Record<string, string>, minReplicas = 1) =>
  WorkloadMonitor(name, { namespace: ns, spec: { selector, kind: "redis", type: "redis", replicas: 2, minReplicas } });

async function makePod(name: string, ns: string, labels: Record<string, string>): Promise<void> {
  const containers = [{ name: "c", image: "example.com/c:1", resources: { requests: { cpu: "100m" } } }];
  await admin.create(Pod, Pod(name, { namespace: ns, labels, spec: { containers, nodeName: "nowhere" } }));
}

async function setPod(
  name: string,
  ns: string,
  ready: boolean,
  phase: "Running" | "Succeeded" = "Running",
): Promise<void> {
  const status = { phase, conditions: [{ type: "Ready", status: ready ? "True" : "False" }] };
  await admin.mergePatch(Pod, name, ns, { status }, { subresource: "status" });
}

const status = async (name: string, ns: string) => (await admin.get(WorkloadMonitor, name, ns))?.status;
const workloads = async (ns: string) =>
  (await admin.list(Workload, { namespace: ns })).items
    .map(({ metadata }) => `${metadata.name} ${metadata.labels?.["workloads.cozystack.io/monitor"]}`)
    .sort();

const untilStatus = (name: string, ns: string, operational: boolean, available: number, observed: number) =>
  eventually(`${name} is ${operational} ${available}/${observed}`, async () => {
    const now = await status(name, ns);
    return now?.operational === operational && now.availableReplicas === available && now.observedReplicas === observed;
  });

test("pods, whoever made them, are counted as they come, become ready, complete and go; each has its Workload (features 182, 183, 184 and 186)", async (t) => {
  const { ns, client, idle } = await start(t);
  await admin.create(WorkloadMonitor, monitor("m", ns, { app: "x" }, 2));
  await untilStatus("m", ns, false, 0, 0);
  await makePod("a", ns, { app: "x", extra: "1" });
  await makePod("b", ns, { app: "x" });
  await makePod("other", ns, { app: "y" });
  await untilStatus("m", ns, false, 0, 2);
  await setPod("a", ns, true);
  await setPod("b", ns, true);
  await untilStatus("m", ns, true, 2, 2);
  await eventually("both have Workloads", async () => (await workloads(ns)).join() === "pod-a m,pod-b m");
  const made = await admin.get(Workload, "pod-a", ns);
  assert.deepEqual(made?.status, { kind: "redis", type: "redis", resources: { cpu: "100m" }, operational: true });
  assert.equal(made?.metadata.labels?.["extra"], "1");
  assert.equal(made?.metadata.ownerReferences?.[0]?.name, "a");
  await idle();
  const writes = client.counters.writes();
  await sleep(500);
  assert.equal(client.counters.writes(), writes, "nothing is written at rest");
  await admin.mergePatch(Pod, "a", ns, { metadata: { labels: { extra: null } } });
  await eventually(
    "a label that is gone goes",
    async () => (await admin.get(Workload, "pod-a", ns))?.metadata.labels?.["extra"] === undefined,
  );
  await setPod("b", ns, false, "Succeeded");
  await untilStatus("m", ns, false, 1, 1);
  await eventually("a completed pod is not billed", async () => (await workloads(ns)).join() === "pod-a m");
  await admin.delete(Pod, "a", ns, { gracePeriodSeconds: 0 });
  await untilStatus("m", ns, false, 0, 0);
});

test("a new monitor is patient while it has no pods, then says that there are none", async (t) => {
  const { ns, client, idle } = await start(t, 3_000);
  await admin.create(WorkloadMonitor, monitor("empty", ns, { app: "none" }));
  await admin.create(WorkloadMonitor, monitor("soon", ns, { app: "x" }));
  await makePod("a", ns, { app: "x" });
  await untilStatus("soon", ns, false, 0, 1);
  await idle();
  assert.equal(await status("empty", ns), undefined);
  // The Workload of the pod, and the status of its monitor.
  assert.equal(client.counters.writes(), 2);
  await untilStatus("empty", ns, false, 0, 0);
});

test("an object that several monitors match belongs to one; when that one goes, to the next; then its Workload goes", async (t) => {
  const { ns } = await start(t);
  await admin.create(WorkloadMonitor, monitor("wide", ns, { app: "x" }));
  await admin.create(WorkloadMonitor, monitor("narrow", ns, { app: "x", role: "db" }));
  await makePod("a", ns, { app: "x", role: "db" });
  await setPod("a", ns, true);
  await untilStatus("narrow", ns, true, 1, 1);
  await untilStatus("wide", ns, false, 0, 0);
  assert.deepEqual(await workloads(ns), ["pod-a narrow"]);
  await admin.delete(WorkloadMonitor, "narrow", ns);
  await untilStatus("wide", ns, true, 1, 1);
  await eventually("re-homed", async () => (await workloads(ns)).join() === "pod-a wide");
  await admin.delete(WorkloadMonitor, "wide", ns);
  await eventually("no Workload without a monitor", async () => (await workloads(ns)).length === 0);
});

test("load balancers and claims are seen by themselves; a Workload of nothing is removed", async (t) => {
  const { ns } = await start(t);
  await admin.create(WorkloadMonitor, monitor("m", ns, { app: "x" }, 0));
  const labels = { app: "x" };
  await admin.create(
    Service,
    Service("lb", { namespace: ns, labels, spec: { type: "LoadBalancer", ports: [{ port: 80 }] } }),
  );
  await admin.create(Service, Service("plain", { namespace: ns, labels, spec: { ports: [{ port: 80 }] } }));
  const spec = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };
  await admin.create(PersistentVolumeClaim, PersistentVolumeClaim("c", { namespace: ns, labels, spec }));
  await eventually("both are there", async () => (await workloads(ns)).join() === "pvc-c m,svc-lb m");
  const status = { loadBalancer: { ingress: [{ ip: "10.1.2.3" }] } };
  await admin.mergePatch(Service, "lb", ns, { status }, { subresource: "status" });
  await eventually("an address is billed at once", async () => {
    const found = await admin.get(Workload, "svc-lb", ns);
    return (
      found?.status?.resources["default.ipaddresspool.metallb.io/requests.ipaddresses"] === "1" &&
      found.status.operational
    );
  });
  await admin.create(
    Workload,
    Workload("pod-ghost", { namespace: ns, labels: { "workloads.cozystack.io/monitor": "m" } }),
  );
  await eventually("the ghost is gone", async () => (await admin.get(Workload, "pod-ghost", ns)) === undefined);
});

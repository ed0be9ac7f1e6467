import assert from "node:assert/strict";
import { test } from "node:test";
import { gatedEngine } from "../../../test/budget/gated-engine.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { Event, Namespace, ResourceQuota } from "../../contracts/core.ts";
import { type ApiError, isApiError } from "../../kube/errors.ts";
import { isCounted, usageKey } from "./keys.ts";
import { Tenant } from "./tenant-kind.ts";

const gated = await gatedEngine();
const { admin, root } = gated;

const order = (name: string, namespace: string, resourceQuotas: Readonly<Record<string, string | number>>) =>
  admin.create(Tenant, Tenant(name, { namespace, spec: { resourceQuotas } }));
const change = (name: string, namespace: string, resourceQuotas: Readonly<Record<string, string | number | null>>) =>
  admin.mergePatch(Tenant, name, namespace, { spec: { resourceQuotas } });

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(isApiError(error), String(error));
  return error;
}

test("features 6 and 95: a budget that does not fit is refused as invalid, with the figures and the field of each resource", async () => {
  await order("p", root, { cpu: 10, memory: "4Gi" });
  const parent = await gated.place("p", root);
  await order("a", parent, { cpu: 4 });
  const error = await refusal(order("b", parent, { cpu: 7, memory: "5Gi" }));
  assert.equal(error.status, 422);
  assert.deepEqual(
    error.causes.map(({ field }) => field),
    ["spec.resourceQuotas[cpu]", "spec.resourceQuotas[memory]"],
  );
  assert.match(
    error.message,
    /spec\.resourceQuotas\[cpu\]: 7 asked, 6 left in tenant-\S+-p \(total 10, allocated 4, used 0\)/,
  );
  await order("b", parent, { cpu: 6 });
  assert.equal((await refusal(change("a", parent, { cpu: 5 }))).status, 422);
  await change("b", parent, { cpu: 5 });
  await change("a", parent, { cpu: 5 });
});

test("a resource is taken by the gate if Kubernetes takes it in a quota, and by no other name past a budget", async () => {
  const names = ["cpu", "limits.cpu", "requests.storage", "pods", "services.loadbalancers", "services.clusterip"];
  const more = ["hugepages-2Mi", "nvidia.com/gpu", "count/jobs.batch", "CPU", "gpu", "limits", "limits.limits.cpu"];
  const odd = ["a..b/x", "requests.nvidia.com/gpu", "limits.nvidia.com/gpu", "fast.storageclass.storage.k8s.io/pods"];
  for (const resource of [...names, ...more, ...odd]) {
    const quota = ResourceQuota("x", { namespace: root, spec: { hard: { [usageKey(resource)]: "1" } } });
    const taken = await admin.create(ResourceQuota, quota, { dryRun: true }).then(
      () => true,
      (error) => !isApiError(error, "Invalid"),
    );
    assert.equal(isCounted(resource), taken, resource);
  }
  await order("names", root, { cpu: 10 });
  const parent = await gated.place("names", root);
  assert.match((await refusal(order("a", parent, { "limits.cpu": 11 }))).message, /limits\.cpu\]: 11 asked, 10 left/);
  assert.match((await refusal(order("a", parent, { CPU: 1 }))).message, /counts nothing of this name/);
});

test("a dry run is answered as the real thing and reserves nothing", async () => {
  await order("d", root, { cpu: 2 });
  const parent = await gated.place("d", root);
  const dry = (cpu: number) =>
    admin.create(Tenant, Tenant("x", { namespace: parent, spec: { resourceQuotas: { cpu } } }), { dryRun: true });
  for (let again = 0; again < 3; again += 1) await dry(2);
  assert.equal((await refusal(dry(3))).status, 422);
  await order("y", parent, { cpu: 2 });
});

test("an edit that does not touch budgets passes while the gate is silent; one that does is refused with a reason", async () => {
  await order("s", root, { cpu: 2 });
  gated.silence(true);
  try {
    await admin.mergePatch(Tenant, "s", root, { metadata: { labels: { a: "b" } } });
    await admin.mergePatch(Tenant, "s", root, { spec: { etcd: true } });
    await admin.create(Tenant, Tenant("without", { namespace: root }));
    const error = await refusal(change("s", root, { cpu: 1 }));
    assert.match(error.message, /tenant-budgets\.cozystack\.io/);
  } finally {
    gated.silence(false);
  }
  await change("s", root, { cpu: 1 });
});

test("what was deleted a moment ago is given back at once", async () => {
  await order("g", root, { cpu: 5 });
  const parent = await gated.place("g", root);
  for (let round = 0; round < 5; round += 1) {
    await order("c", parent, { cpu: 5 });
    await admin.delete(Tenant, "c", parent);
  }
  await order("c", parent, { cpu: 5 });
});

test("feature 98: a lowering below what is allocated needs the annotation, and then says so in the status and by an event", async () => {
  await order("f", root, { cpu: 10 });
  const parent = await gated.place("f", root);
  await order("c", parent, { cpu: 8 });
  const error = await refusal(change("f", root, { cpu: 5 }));
  assert.match(error.message, /apps\.cozystack\.io\/force-quota/);
  await admin.mergePatch(Tenant, "f", root, {
    metadata: { annotations: { "apps.cozystack.io/force-quota": "true" } },
    spec: { resourceQuotas: { cpu: 5 } },
  });
  const condition = await eventually("the condition", async () => {
    const conditions = (await admin.get(Tenant, "f", root))?.status?.["conditions"];
    return Array.isArray(conditions) ? conditions.find(({ type }) => type === "QuotaOvercommitted") : undefined;
  });
  assert.equal(condition.status, "True");
  assert.match(condition.message, /cpu: 8 allocated of 5, 3 too much/);
  const events = await eventually("the event", async () => {
    const fieldSelector = `involvedObject.kind=Namespace,involvedObject.name=${parent},reason=QuotaOvercommitted`;
    const { items } = await admin.list(Event, { namespace: "default", fieldSelector });
    return items.length > 0 ? items : undefined;
  });
  assert.deepEqual([events.length, events[0]?.type], [1, "Warning"]);
  assert.equal((await refusal(order("d", parent, { cpu: 1 }))).status, 422);
  await change("c", parent, { cpu: 4 });
  await order("d", parent, { cpu: 1 });
});

test("generated names are reserved under the names they get", async () => {
  await order("n", root, { cpu: 2 });
  const parent = await gated.place("n", root);
  const made = [];
  for (let each = 0; each < 2; each += 1) {
    const object = { ...Tenant("", { namespace: parent, spec: { resourceQuotas: { cpu: 1 } } }) };
    const metadata = { name: "", namespace: parent, generateName: "g" };
    made.push(
      await admin.raw("POST", `/apis/apps.cozystack.io/v1alpha1/namespaces/${parent}/tenants`, { ...object, metadata }),
    );
  }
  assert.equal((await refusal(order("one", parent, { cpu: 1 }))).status, 422);
  assert.equal(made.length, 2);
});

test("a ledger holds each tenant once it is stored, with no reservation left, and goes with the last of them", async () => {
  await order("l", root, { cpu: 3 });
  await eventually("the ledger is settled", async () => {
    const ledger = (await gated.ledgers()).find(({ tenant }) => tenant === `${root}-l`);
    const row = ledger?.rows.get(`${root}-l`);
    return row?.stored !== undefined && row.pending.length === 0;
  });
  await admin.delete(Tenant, "l", root);
  await eventually("the ledger is gone", async () => {
    return !(await gated.ledgers()).some(({ tenant }) => tenant === `${root}-l`);
  });
});

test("a budget over subtrees that have theirs takes over their ledgers", async () => {
  const top = await gated.place("t", root);
  await order("t", root, {});
  const middle = await gated.place("m", top);
  await order("m", top, { cpu: 3 });
  await order("x", middle, { cpu: 2 });
  await order("o", top, { cpu: 4 });
  assert.equal((await refusal(change("t", root, { cpu: 6 }))).status, 422);
  await change("t", root, { cpu: 7 });
  assert.equal((await refusal(order("p", top, { cpu: 1 }))).status, 422);
  assert.equal((await refusal(order("y", middle, { cpu: 2 }))).status, 422);
  await order("y", middle, { cpu: 1 });
  await eventually("one ledger is left", async () => {
    const within = (await gated.ledgers()).filter(({ tenant }) => tenant.startsWith(top));
    return within.length === 1 && within[0]?.tenant === top;
  });
});

test("feature 100: a Tenant as older manifests have it is valid", async () => {
  const spec = {
    host: "",
    etcd: false,
    ingress: true,
    resourceQuotas: { cpu: "2", memory: "4Gi", "services.loadbalancers": 1 },
  };
  const old = { ...Tenant("old", { namespace: root }), appVersion: "*", spec };
  assert.deepEqual((await admin.create(Tenant, old)).spec?.resourceQuotas, spec.resourceQuotas);
  await admin.delete(Tenant, "old", root);
});

test("a namespace that is no tenant's has no budgets", async () => {
  const elsewhere = await gated.engine.namespace("plain");
  await admin.mergePatch(Namespace, elsewhere, undefined, {
    metadata: { labels: { [`budgets.test/${root}`]: "true" } },
  });
  const error = await refusal(order("x", elsewhere, { cpu: 1 }));
  assert.equal(error.status, 403);
  assert.match(error.message, /is not, or not yet, the namespace of a tenant/);
});

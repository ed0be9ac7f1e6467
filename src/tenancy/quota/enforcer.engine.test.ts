import assert from "node:assert/strict";
import { test } from "node:test";
import { gatedEngine } from "../../../test/budget/gated-engine.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { QUOTA_KEYS } from "../../apps/tenant/quota.ts";
import { ConfigMap, LimitRange, Namespace, Pod, type PodObject, ResourceQuota } from "../../contracts/core.ts";
import { ReplicaSet } from "../../kube/core-kinds.ts";
import { isApiError } from "../../kube/errors.ts";
import { openStores } from "../../kube/stores.ts";
import { parseAmounts, readAmounts } from "./amounts.ts";
import { ALLOCATED } from "./demands.ts";
import { Tenant } from "./tenant-kind.ts";

const gated = await gatedEngine();
const { admin, root } = gated;
const CORE = 1_000_000_000n;

const order = (name: string, namespace: string, resourceQuotas: Readonly<Record<string, string | number>> = {}) =>
  admin.create(Tenant, Tenant(name, { namespace, spec: { resourceQuotas } }));
/** A tenant with its namespace, ready to be used. */
async function tenant(
  name: string,
  parent: string,
  quotas?: Readonly<Record<string, string | number>>,
): Promise<string> {
  await order(name, parent, quotas);
  const namespace = await gated.place(name, parent);
  await eventually(`the share of ${namespace} is in force`, async () => {
    const { metadata } = (await admin.get(Namespace, namespace)) ?? {};
    return metadata?.annotations?.[QUOTA_KEYS] !== undefined;
  });
  return namespace;
}

// Promised is a tenth of what is allowed at most, as the platform renders containers.
const podSpec = (limits?: Readonly<Record<string, string>>): NonNullable<PodObject["spec"]> => ({
  containers: [
    {
      name: "c",
      image: "scratch",
      ...(limits === undefined ? {} : { resources: { limits, requests: { cpu: "10m" } } }),
    },
  ],
});
const pod = (name: string, namespace: string, limits?: Readonly<Record<string, string>>): PodObject =>
  Pod(name, { namespace, spec: podSpec(limits) });
async function created(object: PodObject): Promise<boolean> {
  try {
    await admin.create(Pod, object);
    return true;
  } catch (error) {
    if (isApiError(error, "QuotaExceeded", "Forbidden", "Conflict")) return false;
    throw error;
  }
}
const hardOf = async (namespace: string, key: string): Promise<bigint> => {
  const quota = await admin.get(ResourceQuota, ALLOCATED, namespace);
  return readAmounts(quota?.status?.hard).get(key) ?? 0n;
};

test("features 93, 94 and 96: members create all at once; at no revision do they use more than the pool has", async (t) => {
  const top = await tenant("many", root, { cpu: 4, pods: 100 });
  const members = [top, ...(await Promise.all(["a", "b", "c"].map((name) => tenant(name, top))))];
  members.push(await tenant("deep", members[1] ?? ""));
  const stop = new AbortController();
  t.after(() => stop.abort());
  const { store } = openStores({ client: admin, signal: stop.signal }).use(ResourceQuota, {
    fieldSelector: `metadata.name=${ALLOCATED}`,
  });
  await store.ready();
  let most = 0n;
  store.subscribe(() => {
    const used = members.map((each) => readAmounts(store.get(ALLOCATED, each)?.status?.used).get("limits.cpu") ?? 0n);
    const sum = used.reduce((a, b) => a + b, 0n);
    if (sum > most) most = sum;
  });
  let pods = 0;
  const busy = members.map(async (namespace, index) => {
    for (let attempt = 0; attempt < 25; attempt += 1) {
      if (await created(pod(`p${index}-${attempt}`, namespace, { cpu: "500m", memory: "1Mi" }))) pods += 1;
    }
  });
  await Promise.all(busy);
  // Controllers that try again get what is left, wherever the headroom was.
  const labels = { app: "late" };
  const template = { metadata: { labels }, spec: podSpec({ cpu: "500m", memory: "1Mi" }) };
  const spec = { replicas: 8, selector: { matchLabels: labels }, template };
  for (const namespace of members.slice(0, 2)) await admin.create(ReplicaSet, ReplicaSet("late", { namespace, spec }));
  const count = async (): Promise<number> => {
    const lists = await Promise.all(members.map((namespace) => admin.list(Pod, { namespace })));
    return lists.reduce((sum, { items }) => sum + items.length, 0);
  };
  await eventually(`all of the pool is used; ${pods} were created at once`, async () => (await count()) === 8, 120);
  assert.ok(most <= 4n * CORE, `${most} used`);
});

test("what a controller is refused is provided for, from whoever has it idle, and created", async () => {
  const top = await tenant("idle", root, { cpu: 4, pods: 50 });
  const [a] = [await tenant("a", top), await tenant("b", top), await tenant("c", top)];
  assert.ok((await hardOf(a, "limits.cpu")) < 3n * CORE, "nobody has so much to begin with");
  const labels = { app: "big" };
  const template = { metadata: { labels }, spec: podSpec({ cpu: "3", memory: "1Mi" }) };
  await admin.create(
    ReplicaSet,
    ReplicaSet("big", { namespace: a, spec: { replicas: 1, selector: { matchLabels: labels }, template } }),
  );
  await eventually("the pod exists", async () => (await admin.list(Pod, { namespace: a })).items.length === 1, 60);
});

test("a pod that asks for nothing starts in a tenant without a budget of its own", async () => {
  const top = await tenant("defaults", root, { cpu: 4, memory: "4Gi" });
  const child = await tenant("child", top);
  await eventually("the defaults", () => admin.get(LimitRange, "tenant-quota-defaults", child));
  await eventually("the pod", () => created(pod("plain", child)));
  const live = await admin.get(Pod, "plain", child);
  assert.deepEqual(live?.spec?.containers[0]?.resources?.limits, {
    cpu: "250m",
    memory: "128Mi",
    "ephemeral-storage": "2Gi",
  });
  await admin.mergePatch(Tenant, "child", top, { spec: { resourceQuotas: { cpu: 1 } } });
  await eventually("its own budget brings its own defaults", async () => {
    return (await admin.get(LimitRange, "tenant-quota-defaults", child)) === undefined;
  });
});

test("devices and counted objects are held to their amounts", async () => {
  const top = await tenant("kinds", root, { "nvidia.com/gpu": 2, "count/configmaps": 4 });
  const gpu = (name: string) => created(pod(name, top, { "nvidia.com/gpu": "1", cpu: "1", memory: "1Mi" }));
  await eventually("one", () => gpu("one"));
  await eventually("two", () => gpu("two"));
  assert.equal(await gpu("three"), false);
  let maps = (await admin.list(ConfigMap, { namespace: top })).items.length;
  for (; maps < 4; maps += 1) await admin.create(ConfigMap, ConfigMap(`m${maps}`, { namespace: top }));
  await assert.rejects(
    admin.create(ConfigMap, ConfigMap("more", { namespace: top })),
    /exceeded quota: tenant-quota-allocated/,
  );
  assert.deepEqual(
    await eventually("the use shows", async () => {
      const live = (await admin.get(Tenant, "kinds", root))?.status?.["quota"];
      return JSON.stringify(live).includes('"left":{"count/configmaps":"0","nvidia.com/gpu":"0"}')
        ? "shown"
        : undefined;
    }),
    "shown",
  );
});

test("what a tenant gets anew is taken from the pool above first, and given back when it goes", async () => {
  const top = await tenant("carve", root, { cpu: 4 });
  await eventually("alone it has everything", async () => (await hardOf(top, "limits.cpu")) === 4n * CORE);
  const child = await tenant("c", top, { cpu: 3 });
  await eventually("the child has its own", async () => (await hardOf(child, "limits.cpu")) === 3n * CORE);
  assert.equal(await hardOf(top, "limits.cpu"), CORE);
  assert.equal(await created(pod("two", top, { cpu: "2", memory: "1Mi" })), false);
  await admin.delete(Tenant, "c", top);
  await admin.delete(Namespace, child);
  await eventually("all is back", async () => (await hardOf(top, "limits.cpu")) === 4n * CORE, 60);
});

test("feature 97: the quota that the tenant is rendered with is left alone, and the other removed with the last budget", async () => {
  const top = await tenant("both", root, { cpu: 4 });
  const own = ResourceQuota("tenant-quota", { namespace: top, spec: { hard: { "limits.cpu": "4" } } });
  await admin.create(ResourceQuota, own);
  const child = await tenant("c", top, { cpu: 3 });
  await eventually("the share is lowered", async () => (await hardOf(top, "limits.cpu")) === CORE);
  const live = await admin.get(ResourceQuota, "tenant-quota", top);
  assert.deepEqual(live?.spec?.hard, { "limits.cpu": "4" });
  assert.ok(live?.metadata.managedFields?.every(({ manager }) => manager !== "cozystack-quota"));
  await admin.delete(Tenant, "c", top);
  await admin.mergePatch(Tenant, "both", root, { spec: { resourceQuotas: { cpu: null } } });
  await eventually("nothing is bounded", async () => {
    const left = await Promise.all([top, child].map((each) => admin.get(ResourceQuota, ALLOCATED, each)));
    return left.every((quota) => quota === undefined);
  });
  assert.equal((await admin.get(Namespace, top))?.metadata.annotations?.[QUOTA_KEYS], undefined);
});

test("status shows budget, allocated, used and left, of the tenant and of those below", async () => {
  const top = await tenant("show", root, { cpu: 10 });
  await order("none", top);
  await gated.place("none", top);
  await tenant("some", top, { cpu: 4 });
  await eventually("a pod runs", () => created(pod("p", top, { cpu: "1", memory: "1Mi" })));
  const quota = await eventually("the status", async () => {
    const found = (await admin.get(Tenant, "show", root))?.status?.["quota"];
    return JSON.stringify(found).includes('"summary":{"cpu":"5/10"}') ? found : undefined;
  });
  assert.deepEqual(quota, {
    budget: { cpu: "10" },
    allocated: { cpu: "4" },
    used: { cpu: "1" },
    left: { cpu: "5" },
    summary: { cpu: "5/10" },
    children: [
      { name: "none", used: { cpu: "0" } },
      { name: "some", budget: { cpu: "4" }, allocated: { cpu: "0" }, used: { cpu: "0" }, left: { cpu: "4" } },
    ],
  });
});

test("amounts that only a pool of one can have are as exact as they were declared", () => {
  assert.equal(parseAmounts({ cpu: "0.1" }).get("cpu"), CORE / 10n);
});

test("nothing went wrong meanwhile", () => {
  assert.deepEqual(gated.errors, []);
});

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../../test/support/eventually.ts";
import { platformEngine } from "../../test/support/platform.ts";
import { apps } from "../apps/index.ts";
import { ConfigMap, Namespace, ResourceQuota, Secret } from "../contracts/core.ts";
import { RoleBinding } from "../contracts/rbac.ts";
import { defineKind } from "../kube/define-kind.ts";
import { isApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import type { KubeObject } from "../kube/object.ts";
import { openStores } from "../kube/stores.ts";
import { systemWorld } from "../kube/world.ts";
import { controllerTrim, startController } from "../reconcile/controller.ts";
import { contextSource } from "./context-source.ts";

const app = (kind: string, plural: string, group = "apps.cozystack.io") =>
  defineKind<KubeObject & { readonly spec?: object }>({ group, version: "v1alpha1", kind, plural, namespaced: true });
const Tenant = app("Tenant", "tenants");
const Etcd = app("Etcd", "etcds");
const Info = app("Info", "infos");
const Redis = app("Redis", "redises");
const Gateway = app("Gateway", "gateways", "internal.cozystack.io");

const engine = await platformEngine();
const client = engine.client("somebody");
const ours = engine.client("cozystack");
const root = await engine.namespace("tenant-e2e");
await client.mergePatch(Namespace, root, undefined, {
  metadata: {
    annotations: { "internal.cozystack.io/ancestors": "tenant-root" },
    labels: { "namespace.cozystack.io/host": "e2e.example.org", "namespace.cozystack.io/etcd": "tenant-root" },
  },
});

const stop = new AbortController();
const stores = openStores({ client: ours, signal: stop.signal, trim: controllerTrim(apps) });
const context = contextSource({
  stores,
  chartVersion: "1.0.0",
  clusterValues: () => ({ "root-host": "example.org", "oidc-enabled": "false" }),
});
const scope = (namespace: string) => namespace.startsWith(root);
const errors: unknown[] = [];
const onError = (what: string, error: unknown) => errors.push([what, error]);
const controller = startController({ client: ours, apps, context, scope, onError }, stop.signal);
after(async () => {
  stop.abort();
  await controller.ended;
});

const condition = (object: KubeObject | undefined, type: string): unknown => {
  const list = valueAt(object, "status", "conditions");
  return (Array.isArray(list) ? list : []).find((each) => valueAt(each, "type") === type);
};
const tenant = (name: string, namespace = root) => client.get(Tenant, name, namespace);
const ready = (name: string, namespace = root) =>
  eventually(
    `tenant ${name} is ready`,
    async () => valueAt(condition(await tenant(name, namespace), "Ready"), "status") === "True",
  );
const gone = (what: string, look: () => Promise<unknown>) =>
  eventually(`${what} is gone`, async () => (await look()) === undefined, 60);
const patch = (name: string, spec: object) => client.mergePatch(Tenant, name, root, { spec });
const a = `${root}-a`;

test("a tenant becomes a namespace with its people, its values and its info, and says where it is", async () => {
  await client.create(Tenant, Tenant("a", { namespace: root }));
  await ready("a");
  assert.equal(valueAt(await tenant("a"), "status", "namespace"), a);
  const namespace = await client.get(Namespace, a);
  assert.equal(namespace?.metadata.annotations?.["internal.cozystack.io/ancestors"], `tenant-root,${root}`);
  assert.equal(namespace?.metadata.labels?.["namespace.cozystack.io/host"], "a.e2e.example.org");
  assert.equal(namespace?.metadata.labels?.["namespace.cozystack.io/etcd"], "tenant-root");
  assert.equal(namespace?.metadata.ownerReferences?.[0]?.name, root);
  assert.ok(await client.get(Secret, "cozystack-values", a));
  assert.ok(await client.get(RoleBinding, "cozy:tenant:view", a));
  await eventually("info has given the account a token", async () => client.get(Secret, a, a));
});

test("a change of what a tenant hands on travels down to its tenants", async () => {
  await client.create(Tenant, Tenant("b", { namespace: a }));
  await ready("b", a);
  const b = `${a}-b`;
  const etcdOf = async (name: string) =>
    (await client.get(Namespace, name))?.metadata.labels?.["namespace.cozystack.io/etcd"];
  assert.equal(await etcdOf(b), "tenant-root");
  await patch("a", { etcd: true });
  await eventually("the grandchild uses the child's etcd", async () => (await etcdOf(b)) === a);
  const values = async () =>
    Buffer.from((await client.get(Secret, "cozystack-values", b))?.data?.["values.yaml"] ?? "", "base64").toString();
  await eventually("its values say so", async () => (await values()).includes(`"etcd": "${a}"`));
});

test("a module's object says that it is one", async () => {
  const etcd = await eventually("the module's object exists", () => client.get(Etcd, "etcd", a));
  assert.equal(etcd.metadata.labels?.["internal.cozystack.io/tenantmodule"], "true");
});

test("a module goes when it is switched off; one that its user made is labelled and stays", async () => {
  await patch("a", { etcd: false });
  // A module holds data: what it costs is said, and nothing happens before somebody has agreed to it.
  const hash = await eventually("it asks", async () => {
    const message = valueAt(condition(await tenant("a"), "Stalled"), "message");
    return /Hash: ([0-9a-f]{16})/.exec(String(message))?.[1];
  });
  assert.ok(await client.get(Etcd, "etcd", a));
  await client.mergePatch(Tenant, "a", root, {
    metadata: { annotations: { "apps.cozystack.io/allow-data-loss": hash } },
  });
  await gone("etcd", () => client.get(Etcd, "etcd", a));
  await client.create(Etcd, Etcd("etcd", { namespace: a, spec: { replicas: 5 } }));
  await patch("a", { etcd: true });
  const label = async () =>
    (await client.get(Etcd, "etcd", a))?.metadata.labels?.["internal.cozystack.io/tenantmodule"];
  await eventually("it is labelled", async () => (await label()) === "true");
  const made = valueAt(await client.get(Etcd, "etcd", a), "spec");
  assert.equal(valueAt(made, "replicas"), 5);
  await patch("a", { etcd: false });
  await eventually("the tenant is settled", async () => {
    const live = await tenant("a");
    return valueAt(condition(live, "Ready"), "observedGeneration") === live?.metadata.generation;
  });
  await controller.idle();
  const kept = await client.get(Etcd, "etcd", a);
  assert.deepEqual(valueAt(kept, "spec"), made);
  assert.equal(kept?.metadata.deletionTimestamp, undefined);
});

test("at rest nothing is written", async () => {
  await controller.idle();
  const version = async () =>
    JSON.stringify(
      await Promise.all([
        tenant("a").then((live) => live?.metadata.resourceVersion),
        client.get(Namespace, a).then((live) => live?.metadata.resourceVersion),
        client.get(Info, "info", a).then((live) => live?.metadata.resourceVersion),
      ]),
    );
  await systemWorld.sleep(500);
  const before = await version();
  await systemWorld.sleep(1_000);
  assert.equal(await version(), before);
});

test("a deleted tenant takes its applications first, then its modules, then its namespace", async () => {
  await client.create(Redis, Redis("k", { namespace: a }));
  // Holds the application back, as an operator would that is still cleaning up.
  await client.mergePatch(Redis, "k", a, { metadata: { finalizers: ["example.org/hold"] } });
  await client.delete(Tenant, "a", root);
  const blocked = await eventually("it says what blocks", async () => {
    const live = condition(await tenant("a"), "Ready");
    return String(valueAt(live, "message")).includes("example.org/hold") ? live : undefined;
  });
  assert.match(String(valueAt(blocked, "message")), /Redis/);
  // Nested tenants are applications.
  await gone("the nested tenant", () => client.get(Tenant, "b", a));
  assert.equal(
    (await client.get(Etcd, "etcd", a))?.metadata.deletionTimestamp,
    undefined,
    "modules wait for applications",
  );
  assert.equal((await client.get(Namespace, a))?.metadata.deletionTimestamp, undefined, "the namespace waits for both");
  await client.mergePatch(Redis, "k", a, { metadata: { finalizers: null } });
  await gone("the tenant", () => tenant("a"));
  await gone("its namespace", () => client.get(Namespace, a));
  const { items } = await client.list(RoleBinding, { namespace: "cozy-public" });
  assert.ok(
    items.every(({ metadata }) => !metadata.name.includes(a)),
    "nothing stays in cozy-public",
  );
});

test("what is ordered where no tenant is says so, and is made once the namespace is a tenant's", async () => {
  const plain = `${root}-plain`;
  await client.create(Namespace, Namespace(plain));
  await client.create(Info, Info("info", { namespace: plain }));
  const said = (type: string, what: string) =>
    eventually(`${type} says ${what}`, async () => {
      const found = condition(await client.get(Info, "info", plain), type);
      return valueAt(found, "reason") === what ? String(valueAt(found, "message")) : undefined;
    });
  const message = `Info ${plain}/info metadata.namespace: ${plain} is not the namespace of a tenant. Order it in the namespace of a tenant; \`kubectl get tenants -A\` shows them.`;
  assert.equal(await said("Ready", "NotATenant"), message);
  assert.equal(await said("Stalled", "NotATenant"), message);
  const ancestors = `tenant-root,${root}`;
  await client.mergePatch(Namespace, plain, undefined, {
    metadata: { annotations: { "internal.cozystack.io/ancestors": ancestors } },
  });
  await said("Ready", "Ready");
  await client.delete(Info, "info", plain);
  await gone("the module", () => client.get(Info, "info", plain));
  await client.delete(Namespace, plain);
});

test("a tenant whose quota allows nothing is deleted all the same, and a foreign finalizer is named", async () => {
  await client.create(Tenant, Tenant("c", { namespace: root, spec: { gateway: true } }));
  const c = `${root}-c`;
  await eventually("the Gateway module exists", () => client.get(Gateway, "gateway", c));
  await client.create(ConfigMap, ConfigMap("held", { namespace: c, metadata: { finalizers: ["example.org/hold"] } }));
  const nothing = { pods: 0, secrets: 0, configmaps: 0, services: 0, "count/jobs.batch": 0 };
  await client.create(ResourceQuota, ResourceQuota("none", { namespace: c, spec: { hard: nothing } }));
  await client.delete(Tenant, "c", root);
  await eventually(
    "it names the object and its finalizer",
    async () => {
      const message = String(valueAt(condition(await tenant("c"), "Ready"), "message"));
      return message.includes("held") && message.includes("example.org/hold");
    },
    30,
  );
  await client.mergePatch(ConfigMap, "held", c, { metadata: { finalizers: null } });
  await gone("the tenant", () => tenant("c"));
});

test("no pass failed on the way, but for what a quota of nothing held back, or somebody else had changed", () => {
  const others = errors.filter(
    (entry) => !isApiError(Array.isArray(entry) ? entry[1] : entry, "QuotaExceeded", "Conflict"),
  );
  assert.deepEqual(others, []);
});

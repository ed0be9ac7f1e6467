/** R5: a tenant is deleted although something is in the way, or says what is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CiliumClusterwideNetworkPolicy, CiliumNetworkPolicy } from "../../src/contracts/cilium-io.ts";
import { ConfigMap, Namespace, ResourceQuota } from "../../src/contracts/core.ts";
import { BucketClaim } from "../../src/contracts/objectstorage-k8s-io.ts";
import { kindOf } from "../schema/install.ts";
import { appOf, conditionOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { orders } from "./orders.ts";

const cloud = await startCloud();
const { admin, root } = cloud;
const tenant = appOf("Tenant");
const hold = "example.org/hold";

/** Waits until the tenant says that the object holds it back, with its finalizer, and gives how it says so. */
const named = (name: string, object: string) =>
  eventually(
    `tenant ${name} names ${object}`,
    async () => {
      const live = await cloud.get(tenant, name, root);
      const stalled = conditionOf(live, "Stalled");
      const names = stalled?.message.includes(object) === true && stalled.message.includes(hold);
      return names ? stalled : undefined;
    },
    15,
  );

/** Whether the tenant's network policies are there, in the cluster and in its namespace. */
const isConfined = async (namespace: string): Promise<boolean> =>
  (await admin.get(CiliumClusterwideNetworkPolicy, `${namespace}-egress`)) !== undefined &&
  (await admin.get(CiliumNetworkPolicy, "allow-internal-communication", namespace)) !== undefined;

test("R5: a tenant with a zero quota on everything is deleted, with all that runs in it", async () => {
  const namespace = await cloud.tenant("zero");
  const inside = orders.filter(({ app }) => app !== tenant);
  for (const { app, spec } of inside) await cloud.order(app, "x", namespace, spec);
  for (const { app } of inside) await cloud.ready(app, "x", namespace);
  const counted = ["pods", "secrets", "configmaps", "services", "persistentvolumeclaims", "count/jobs.batch"];
  const inventories = "count/inventories.internal.cozystack.io";
  const hard = Object.fromEntries([...counted, inventories, "limits.cpu", "limits.memory"].map((key) => [key, "0"]));
  await admin.create(ResourceQuota, ResourceQuota("nothing", { namespace, spec: { hard } }));
  await cloud.remove(tenant, "zero", root);
  assert.equal(await admin.get(Namespace, namespace), undefined);
});

test("R5: a ConfigMap with a foreign finalizer is named within seconds, and deletion goes on when it is free", async () => {
  const namespace = await cloud.tenant("held");
  await admin.create(ConfigMap, ConfigMap("stays", { namespace, metadata: { finalizers: [hold] } }));
  await admin.delete(kindOf(tenant), "held", root);
  const said = await named("held", `${namespace}/stays`);
  assert.equal(said.status, "True");
  assert.equal(said.reason, "DeletionBlocked");
  const egress = await admin.get(CiliumClusterwideNetworkPolicy, `${namespace}-egress`);
  assert.ok(egress, "what still runs in the namespace is confined until it is gone");
  await admin.mergePatch(ConfigMap, "stays", namespace, { metadata: { finalizers: null } });
  await eventually("the tenant is gone", async () => (await cloud.get(tenant, "held", root)) === undefined, 60);
  assert.equal(await admin.get(CiliumClusterwideNetworkPolicy, `${namespace}-egress`), undefined);
});

test("R5: a namespace that holds what may not be deleted is named, with why", async () => {
  const namespace = await cloud.tenant("guarded");
  const label = "platform.cozystack.io/no-delete";
  await admin.create(ConfigMap, ConfigMap("guard", { namespace, labels: { [label]: "true" } }));
  await admin.delete(kindOf(tenant), "guarded", root);
  const said = await eventually(
    "the tenant says why its namespace stays",
    async () => {
      const stalled = conditionOf(await cloud.get(tenant, "guarded", root), "Stalled");
      return stalled?.status === "True" && stalled.message.includes(label) ? stalled : undefined;
    },
    30,
  );
  assert.match(said.message, new RegExp(`Namespace ${namespace}`));
  await admin.mergePatch(ConfigMap, "guard", namespace, { metadata: { labels: null } });
  await eventually("the tenant is gone", async () => (await cloud.get(tenant, "guarded", root)) === undefined, 60);
});

test("R5: a child whose operator is gone is named; a forced deletion gives up and lists what it abandoned", async () => {
  const bucket = appOf("Bucket");
  const namespace = await cloud.tenant("orphan");
  await cloud.order(bucket, "x", namespace);
  await cloud.ready(bucket, "x", namespace);
  // As an operator's that will never come back to take it off.
  const claim = await admin.get(BucketClaim, "bucket-x", namespace);
  const finalizers = [...(claim?.metadata.finalizers ?? []), hold];
  await admin.mergePatch(BucketClaim, "bucket-x", namespace, { metadata: { finalizers } });
  await admin.delete(kindOf(tenant), "orphan", root);
  const said = await named("orphan", `BucketClaim ${namespace}/bucket-x`);
  assert.equal(said.reason, "DeletionBlocked");
  assert.ok(await cloud.get(bucket, "x", namespace), "the application waits as well");
  assert.ok(await isConfined(namespace));

  await cloud.annotate(tenant, "orphan", root, { "apps.cozystack.io/force-delete": "true" });
  await eventually("the tenant is given up", async () => (await cloud.get(tenant, "orphan", root)) === undefined, 60);
  const abandoned = cloud.log.filter((line) => line.includes("deleted by force"));
  assert.ok(
    abandoned.some((line) => line.includes(`Tenant ${root}/orphan`) && line.includes(`Namespace ${namespace}`)),
    `it lists what it left behind: ${abandoned.join("\n")}`,
  );
  const policy = () => admin.get(CiliumClusterwideNetworkPolicy, `${namespace}-egress`);
  assert.ok(await policy(), "what was left behind stays confined");
  await admin.mergePatch(BucketClaim, "bucket-x", namespace, { metadata: { finalizers: null } });
  await eventually("all is gone in the end", async () => (await admin.get(Namespace, namespace)) === undefined, 60);
  await eventually("what confined it goes after it", async () => (await policy()) === undefined, 60);
});

/** R6: what an application brought goes with it; what it was told to keep stays, and the next of its name takes it back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PersistentVolumeClaim, Secret } from "../../src/contracts/core.ts";
import { kindByGroupKind } from "../../src/contracts/index.ts";
import { BucketClaim } from "../../src/contracts/objectstorage-k8s-io.ts";
import { valueAt } from "../../src/kube/json.ts";
import { groupOf } from "../../src/kube/object.ts";
import { startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { lines } from "../support/everything.ts";
import { moduleOrders, type Order, orders } from "./orders.ts";

const cloud = await startCloud();
const { admin } = cloud;

const missingFrom = (some: readonly string[], others: readonly string[]) =>
  others.filter((line) => !some.includes(line));

/** What those who use the application bring about is there as well. */
async function use(namespace: string, used: Order["used"] = []): Promise<void> {
  for (const object of used) {
    const kind = kindByGroupKind(groupOf(object.apiVersion), object.kind);
    assert.ok(kind, object.kind);
    await admin.create(kind, { ...object, metadata: { ...object.metadata, namespace } });
  }
  const names = used.map(({ metadata }) => metadata.name);
  await eventually("its volumes are there", async () => {
    const { items } = await admin.list(PersistentVolumeClaim, { namespace });
    return names.every((name) => items.some(({ metadata }) => metadata.name === name));
  });
}

for (const { app, name, spec, used } of [...orders, ...moduleOrders]) {
  test(`R6: a deleted ${app.kind} leaves nothing, in its namespace or elsewhere`, async () => {
    const namespace = await cloud.tenant(`gone${app.kind.toLowerCase()}`);
    await cloud.rest(300);
    const before = lines(await cloud.everything(namespace));
    await cloud.order(app, name, namespace, spec);
    await cloud.ready(app, name, namespace);
    await use(namespace, used);
    await cloud.remove(app, name, namespace);
    let left: readonly string[] = [];
    let lost: readonly string[] = [];
    await eventually("the snapshots are equal", async () => {
      const now = lines(await cloud.everything(namespace));
      left = missingFrom(before, now);
      lost = missingFrom(now, before);
      return left.length + lost.length === 0;
    }).catch((error: unknown) => assert.fail(`${String(error)}; left: ${left.join(" ")}; lost: ${lost.join(" ")}`));
  });
}

const stateful = orders.filter(({ app }) => "reclaimPolicy" in app.schema.properties);

for (const { app, spec, used } of stateful) {
  test(`R6: a ${app.kind} told to retain keeps volumes and passwords, and the next of its name has them`, async () => {
    const namespace = await cloud.tenant(`kept${app.kind.toLowerCase()}`);
    const data = async () => {
      const lists = await Promise.all([
        admin.list(PersistentVolumeClaim, { namespace }),
        admin.list(BucketClaim, { namespace }),
      ]);
      return lists
        .flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid}`))
        .toSorted();
    };
    const generated = async () => {
      const { items } = await admin.list(Secret, { namespace });
      const secrets = items.filter(({ metadata }) => /-(credentials|auth)$/.test(metadata.name));
      return secrets.map(({ metadata, data: values }) => [
        metadata.name,
        valueAt(values, "password") ?? valueAt(values, "app"),
      ]);
    };
    await cloud.order(app, "x", namespace, { ...spec, reclaimPolicy: "Retain" });
    await cloud.ready(app, "x", namespace);
    await use(namespace, used);
    const [volumes, passwords] = [await data(), await generated()];
    assert.ok(volumes.length > 0, "it has data");
    await cloud.remove(app, "x", namespace);
    assert.deepEqual(await data(), volumes, "volumes stay");

    await cloud.order(app, "x", namespace, { ...spec, reclaimPolicy: "Delete" });
    await cloud.ready(app, "x", namespace);
    assert.deepEqual(await data(), volumes, "the next one has the same volumes");
    assert.deepEqual(await generated(), passwords, "and the same passwords");
    await cloud.remove(app, "x", namespace);
    await eventually("its volumes went with it", async () => (await data()).length === 0);
  });
}

/** R7: slow is not failed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE } from "../../src/reconcile/deletion.ts";
import { conditionOf, isReady, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { orders } from "./orders.ts";

const cloud = await startCloud();

test("R7: operators that take three times the longest patience are waited for, visibly, and nothing is deleted", async () => {
  const namespace = await cloud.tenant("a");
  // A tenant has no operator to wait for; a network's has neither pods nor volumes, and its objects are the whole cluster's.
  const slow = orders.filter(({ app }) => app.kind !== "Tenant" && app.kind !== "VirtualPrivateCloud");
  const played = [
    "Pod",
    "PersistentVolumeClaim",
    "DataVolume",
    "BucketClaim",
    "BucketAccess",
    "VirtualMachineInstance",
  ];
  for (const kind of played) await cloud.behave(kind, namespace, "-", "neverReady");
  for (const { app, spec } of slow) await cloud.order(app, "x", namespace, spec);
  for (const { app } of slow) {
    await eventually(`${app.kind} is under way`, async () => {
      return conditionOf(await cloud.get(app, "x", namespace), "Reconciling")?.status === "True";
    });
  }
  const end = Date.now() + 3 * PATIENCE;
  for (; Date.now() < end; await sleep(1000)) {
    for (const { app } of slow) {
      const live = await cloud.get(app, "x", namespace);
      assert.equal(isReady(live), false, `${app.kind} is not ready`);
      const progress = conditionOf(live, "Reconciling");
      assert.equal(progress?.status, "True", `${app.kind} says that it is under way`);
      assert.match(progress?.message ?? "", /\S+ tenant-\S+\/\S+: /, `${app.kind} says what it waits for`);
      assert.equal(conditionOf(live, "Stalled"), undefined, `${app.kind} is not given up`);
    }
  }
  for (const kind of played) await cloud.behave(kind, namespace, "-", "normal");
  for (const { app } of slow) await cloud.ready(app, "x", namespace);
  const deletions = cloud.writes.filter(({ verb }) => verb === "delete");
  assert.deepEqual(deletions, [], "no delete request, ever");
  assert.deepEqual(cloud.log, []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../test/support/eventually.ts";
import {
  admin,
  names,
  password,
  run,
  setSpec,
  start,
  untilReady,
  untilReason,
} from "../../test/support/gizmo-controller.ts";
import { Gizmo, gizmoObject } from "../../test/support/synthetic-app.ts";
import { ConfigMap, Secret, Service } from "../contracts/core.ts";
import { Inventory } from "../contracts/internal-cozystack-io.ts";
import { valueAt } from "../kube/json.ts";

test("an instance is made, becomes ready, rests without writes, and is deleted without leftovers", async (t) => {
  const { ns, client, controller, errors } = await start(t);
  const before = await names(ns);
  await admin.create(Gizmo, gizmoObject("a", ns));
  const object = await untilReady(ns, "a");
  assert.deepEqual(await names(ns), [
    "ConfigMap gizmo-a-conf",
    "Inventory gizmo.a",
    "Secret gizmo-a-auth",
    "Service gizmo-a-svc",
  ]);
  assert.equal(valueAt(object, "status", "version"), "1.0.0");
  const writes = client.counters.writes();
  // Finalizer, inventory, three objects, status twice (first Unknown, then True).
  assert.ok(writes <= 7, `${writes} writes`);
  await controller.idle();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.equal(client.counters.writes(), writes, "nothing is written at rest");
  await admin.delete(Gizmo, "a", ns);
  await eventually("a is gone", async () => (await admin.get(Gizmo, "a", ns)) === undefined);
  assert.deepEqual(await names(ns), before);
  assert.deepEqual(errors, []);
});

test("a restart writes nothing, and keeps the password", async (t) => {
  const first = await start(t);
  await admin.create(Gizmo, gizmoObject("a", first.ns, { managedSecret: true, job: "x", kept: true }));
  await eventually("applied", async () => (await names(first.ns)).length === 6);
  await first.controller.idle();
  await first.stop();
  const secret = await password(first.ns);
  const second = await run(t, first.ns);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await second.controller.idle();
  assert.equal(second.client.counters.writes(), 0);
  assert.equal(await password(first.ns), secret);
});

test("a change is applied, what is no longer rendered is pruned, what is drifted is put right with one write", async (t) => {
  const { ns, client, controller } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns, { extra: ["one", "two"] }));
  await untilReady(ns, "a");
  await setSpec(ns, { size: 2 });
  await eventually(
    "changed",
    async () => valueAt(await admin.get(ConfigMap, "gizmo-a-conf", ns), "data", "size") === "2",
  );
  await controller.idle();
  await untilReady(ns, "a");
  const writes = client.counters.writes();
  // By a person: an owned field, and a foreign one. (R13)
  await admin.mergePatch(ConfigMap, "gizmo-a-conf", ns, { data: { size: "9", mine: "yes" } });
  await eventually(
    "put right",
    async () => valueAt(await admin.get(ConfigMap, "gizmo-a-conf", ns), "data", "size") === "2",
  );
  await controller.idle();
  assert.equal(valueAt(await admin.get(ConfigMap, "gizmo-a-conf", ns), "data", "mine"), "yes");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(client.counters.writes() - writes <= 2, `${client.counters.writes() - writes} writes for one drift`);
  await admin.delete(Service, "gizmo-a-svc", ns);
  await eventually("made again", async () => (await admin.get(Service, "gizmo-a-svc", ns)) !== undefined);
});

test("a required object that is absent is waited for by name, without a worker, and wakes the instance", async (t) => {
  const { ns, controller } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns, { waitFor: "settings" }));
  const message = await untilReason(ns, "a", "WaitingForObject");
  assert.match(message, new RegExp(`ConfigMap ${ns}/settings`));
  await controller.idle();
  assert.deepEqual(await names(ns), []);
  await admin.create(ConfigMap, ConfigMap("settings", { namespace: ns, data: { from: "settings" } }));
  await untilReady(ns, "a");
  assert.equal(valueAt(await admin.get(ConfigMap, "gizmo-a-conf", ns), "data", "from"), "settings");
  await admin.mergePatch(ConfigMap, "settings", ns, { data: { from: "elsewhere" } });
  await eventually(
    "rendered again",
    async () => valueAt(await admin.get(ConfigMap, "gizmo-a-conf", ns), "data", "from") === "elsewhere",
  );
});

test("R14: one refused object is named with its field; the others are applied; a fix recovers at once", async (t) => {
  const { ns } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns, { port: -1 }));
  const message = await untilReason(ns, "a", "Invalid");
  assert.match(message, /Service .*\/gizmo-a-svc spec\.ports\[0\]\.port/);
  assert.ok((await names(ns)).includes("ConfigMap gizmo-a-conf"));
  await setSpec(ns, { port: 81 });
  await untilReady(ns, "a");
});

test("R11: a rotation makes the password anew exactly once, and nothing else", async (t) => {
  for (const managedSecret of [false, true]) {
    const { ns, controller, stop } = await start(t);
    await admin.create(Gizmo, gizmoObject("a", ns, { managedSecret }));
    await untilReady(ns, "a");
    const first = await admin.get(Secret, "gizmo-a-auth", ns);
    await setSpec(ns, { size: 5 });
    await eventually(
      "changed",
      async () => valueAt(await admin.get(ConfigMap, "gizmo-a-conf", ns), "data", "size") === "5",
    );
    assert.equal(await password(ns), valueAt(first, "data", "password"), "an unrelated change");
    await admin.mergePatch(Gizmo, "a", ns, { metadata: { annotations: { "apps.cozystack.io/rotate": "1" } } });
    await eventually("rotated", async () => (await password(ns)) !== valueAt(first, "data", "password"));
    await controller.idle();
    const second = await admin.get(Secret, "gizmo-a-auth", ns);
    assert.equal(valueAt(second, "data", "key"), valueAt(first, "data", "key"), "a key that is not rotated");
    await setSpec(ns, { size: 6 });
    await eventually(
      "changed",
      async () => valueAt(await admin.get(ConfigMap, "gizmo-a-conf", ns), "data", "size") === "6",
    );
    await controller.idle();
    assert.equal(await password(ns), valueAt(second, "data", "password"), "once only");
    await stop();
  }
});

test("a generated Secret that is gone is an error, not a reason to make another password", async (t) => {
  const { ns, controller } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns));
  await untilReady(ns, "a");
  const before = await password(ns);
  await admin.delete(Secret, "gizmo-a-auth", ns);
  await untilReason(ns, "a", "SecretLost");
  await controller.idle();
  assert.equal(await admin.get(Secret, "gizmo-a-auth", ns), undefined);
  await admin.mergePatch(Gizmo, "a", ns, { metadata: { annotations: { "apps.cozystack.io/rotate": "new" } } });
  await untilReady(ns, "a");
  assert.notEqual(await password(ns), before);
});

test("a generated Secret that went while no controller ran is an error too, though its uid was never stored", async (t) => {
  const first = await start(t);
  const { ns } = first;
  await admin.create(Gizmo, gizmoObject("a", ns));
  await untilReady(ns, "a");
  await first.stop();
  const inventory = await admin.get(Inventory, "gizmo.a", ns);
  assert.ok(!inventory?.spec?.entries?.some((line) => line.includes("@")), "written once, before the first object");
  await admin.delete(Secret, "gizmo-a-auth", ns);
  await run(t, ns);
  await untilReason(ns, "a", "SecretLost");
  await setSpec(ns, { size: 3 });
  await untilReason(ns, "a", "SecretLost");
  assert.equal(await admin.get(Secret, "gizmo-a-auth", ns), undefined);
});

test("uids are stored with the next write of the inventory", async (t) => {
  const { ns, controller } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns));
  await untilReady(ns, "a");
  await controller.idle();
  await setSpec(ns, { extra: ["one"] });
  await untilReady(ns, "a");
  await controller.idle();
  const lines = (await admin.get(Inventory, "gizmo.a", ns))?.spec?.entries ?? [];
  assert.equal(lines.length, 4);
  for (const line of lines) assert.equal(line.includes("@"), !line.includes("gizmo-a-one"), line);
});

test("R9: flipping a spec a hundred times ends as its last state, and nothing is made anew", async (t) => {
  const { ns, controller } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns, { size: 1 }));
  await untilReady(ns, "a");
  const uid = (await admin.get(ConfigMap, "gizmo-a-conf", ns))?.metadata.uid;
  for (let round = 0; round < 100; round += 1) await setSpec(ns, { size: (round % 2) + 1 });
  await setSpec(ns, { size: 1 });
  await untilReady(ns, "a");
  await controller.idle();
  const end = await admin.get(ConfigMap, "gizmo-a-conf", ns);
  assert.equal(end?.metadata.uid, uid);
  assert.equal(valueAt(end, "data", "size"), "1");
});

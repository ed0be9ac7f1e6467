import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../test/support/eventually.ts";
import {
  admin,
  names,
  newNamespace,
  password,
  run,
  setSpec,
  start,
  untilReady,
  untilReason,
} from "../../test/support/gizmo-controller.ts";
import { Gizmo, gizmoObject } from "../../test/support/synthetic-app.ts";
import { ConfigMap, Secret } from "../contracts/core.ts";
import { valueAt } from "../kube/json.ts";
import { entriesOf } from "./owned-fields.ts";

const conf = async (ns: string) => admin.get(ConfigMap, "gizmo-a-conf", ns);

test("a manager that changes our field back each time is named, and not written against for ever", async (t) => {
  const { ns, client, controller } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns, { size: 1 }));
  await untilReady(ns, "a");
  const stop = new AbortController();
  const fighter = (async () => {
    while (!stop.signal.aborted) {
      if (valueAt(await conf(ns), "data", "size") === "1") {
        await admin.mergePatch(ConfigMap, "gizmo-a-conf", ns, { data: { size: "9" } }, { fieldManager: "autoscaler" });
      }
      await sleep(20);
    }
  })();
  const message = await untilReason(ns, "a", "FightingOver");
  stop.abort();
  await fighter;
  assert.match(message, /ConfigMap .*gizmo-a-conf data\.size.*autoscaler/);
  await controller.idle();
  const writes = client.counters.writes();
  await sleep(500);
  assert.equal(client.counters.writes(), writes);
  // Another body is another matter.
  await setSpec(ns, { size: 2 });
  await untilReady(ns, "a");
  assert.equal(valueAt(await conf(ns), "data", "size"), "2");
});

const secret = async (ns: string) => {
  const found = await admin.get(Secret, "gizmo-a-auth", ns);
  assert.ok(found !== undefined);
  return found;
};

test("a Secret that came by POST is left at that while nothing changes, and changed by one write like any other", async (t) => {
  const { ns, client, controller } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns));
  await untilReady(ns, "a");
  const before = await secret(ns);
  await setSpec(ns, { managedSecret: true });
  await untilReady(ns, "a");
  await controller.idle();
  assert.equal((await secret(ns)).metadata.resourceVersion, before.metadata.resourceVersion);
  await setSpec(ns, { size: 2 });
  const sized = await eventually("labelled", async () => {
    const live = await secret(ns);
    return live.metadata.labels?.["sized"] === "yes" ? live : undefined;
  });
  await untilReady(ns, "a");
  await controller.idle();
  const writes = client.counters.writes();
  // By a person.
  await admin.mergePatch(Secret, "gizmo-a-auth", ns, { metadata: { labels: { sized: "no", mine: "yes" } } });
  await eventually("put right", async () => (await secret(ns)).metadata.labels?.["sized"] === "yes");
  await controller.idle();
  assert.equal(client.counters.writes() - writes, 1);
  await setSpec(ns, { size: 1 });
  const end = await eventually("released", async () => {
    const live = await secret(ns);
    return live.metadata.labels?.["sized"] === undefined ? live : undefined;
  });
  assert.equal(end.metadata.labels?.["mine"], "yes");
  assert.deepEqual(valueAt(end, "data"), valueAt(before, "data"));
  assert.equal(end.metadata.uid, sized.metadata.uid);
});

test("a managed Secret that came by POST releases a field, and is in our Apply entry from then on", async (t) => {
  const { ns, controller } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns, { managedSecret: true, size: 2 }));
  await untilReady(ns, "a");
  await controller.idle();
  const before = await secret(ns);
  assert.equal(before.metadata.labels?.["sized"], "yes");
  await setSpec(ns, { size: 1 });
  await eventually("released", async () => (await secret(ns)).metadata.labels?.["sized"] === undefined);
  const end = await secret(ns);
  assert.deepEqual(entriesOf(end, "cozystack", "Update"), []);
  assert.equal(entriesOf(end, "cozystack", "Apply").length, 1);
  assert.deepEqual(valueAt(end, "data"), valueAt(before, "data"));
});

test("after a restore with another uid nothing is lost or pruned until a person says so", async (t) => {
  const ns = await newNamespace();
  const first = await run(t, ns);
  await admin.create(Gizmo, gizmoObject("a", ns, { extra: ["one"] }));
  await untilReady(ns, "a");
  const before = await password(ns);
  await first.stop();
  // A backup tool deletes and makes it again: the same object with another uid, without the one it no longer renders.
  await admin.mergePatch(Gizmo, "a", ns, { metadata: { finalizers: null } });
  await admin.delete(Gizmo, "a", ns);
  await admin.create(Gizmo, gizmoObject("a", ns));
  await run(t, ns);
  const object = await untilReady(ns, "a");
  assert.equal(await password(ns), before);
  assert.ok((await names(ns)).includes("ConfigMap gizmo-a-one"));
  const conditions = valueAt(object, "status", "conditions");
  const said = JSON.stringify(conditions);
  const hash = /allow-data-loss is ([0-9a-f]{16})/.exec(said)?.[1];
  assert.ok(hash !== undefined, said);
  await admin.mergePatch(Gizmo, "a", ns, { metadata: { annotations: { "apps.cozystack.io/allow-data-loss": hash } } });
  await eventually("pruned", async () => !(await names(ns)).includes("ConfigMap gizmo-a-one"));
});

test("a forged mark on an object of our name wins nothing", async (t) => {
  const { ns } = await start(t);
  const annotations = { "internal.cozystack.io/owner": "forged" };
  await admin.create(ConfigMap, ConfigMap("gizmo-a-conf", { namespace: ns, annotations, data: { size: "theirs" } }));
  await admin.create(Gizmo, gizmoObject("a", ns));
  await untilReason(ns, "a", "ForeignObject");
  assert.equal(valueAt(await conf(ns), "data", "size"), "theirs");
});

test("an object from which somebody took our mark is marked again", async (t) => {
  const { ns } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns));
  await untilReady(ns, "a");
  const mark = async () => valueAt(await conf(ns), "metadata", "annotations", "internal.cozystack.io/owner");
  const before = await mark();
  await admin.mergePatch(ConfigMap, "gizmo-a-conf", ns, {
    metadata: { annotations: { "internal.cozystack.io/owner": null } },
  });
  await eventually("marked", async () => (await mark()) === before);
});

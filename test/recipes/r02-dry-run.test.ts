/** R2: a dry run changes nothing, whatever the verb and the kind, and wakes no controller. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { apps } from "../../src/apps/index.ts";
import { canonical } from "../../src/reconcile/digest.ts";
import type { App } from "../../src/sdk/app.ts";
import { kindOf } from "../schema/install.ts";
import { startCloud } from "../support/cloud.ts";
import { orders } from "./orders.ts";

const cloud = await startCloud();
const { admin } = cloud;
const label = { metadata: { labels: { "example.org/tried": "yes" } } };

/** Modules have one name, which their tenant looks for. */
const nameOf = (app: App, other: string): string => (app.module ? app.kind.toLowerCase() : other);
const specOf = (app: App): object => orders.find((order) => order.app === app)?.spec ?? {};

test("R2: every verb with a dry run leaves every object as it was, and no controller acts", async () => {
  const namespace = await cloud.tenant("a");
  for (const app of apps) {
    if ((await cloud.get(app, nameOf(app, "x"), namespace)) !== undefined) continue;
    await admin.create(kindOf(app), kindOf(app)(nameOf(app, "x"), { namespace, spec: specOf(app) }));
  }
  for (const { app } of orders) await cloud.ready(app, "x", namespace);
  await cloud.rest();
  const before = (await cloud.everything()).map(canonical);
  const written = cloud.writes.length;

  for (const app of apps) {
    const kind = kindOf(app);
    const name = nameOf(app, "x");
    const live = await admin.get(kind, name, namespace);
    assert.ok(live, app.kind);
    const dryRun = { dryRun: true };
    if (!app.module) await admin.create(kind, kind("y", { namespace, spec: specOf(app) }), dryRun);
    await admin.replace(kind, { ...live, metadata: { ...live.metadata, ...label.metadata } }, dryRun);
    await admin.mergePatch(kind, name, namespace, label, dryRun);
    await admin.mergePatch(
      kind,
      name,
      namespace,
      { status: { observedGeneration: 99 } },
      { ...dryRun, subresource: "status" },
    );
    await admin.jsonPatch(
      kind,
      name,
      namespace,
      [{ op: "add", path: "/metadata/labels", value: { tried: "yes" } }],
      dryRun,
    );
    await admin.apply(kind, kind(name, { namespace, labels: { tried: "yes" } }), dryRun);
    if (!app.module) await admin.apply(kind, kind("y", { namespace, spec: specOf(app) }), dryRun);
    await admin.delete(kind, name, namespace, dryRun);
    const collection = `/apis/${kind.group}/${kind.version}/namespaces/${namespace}/${kind.plural}`;
    await admin.raw("DELETE", `${collection}?dryRun=All`);
  }

  await cloud.rest(2000);
  assert.equal(cloud.writes.length, written, "no controller acted");
  assert.deepEqual((await cloud.everything()).map(canonical), before);
});

/** A fleet of every kind: what a rehearsal predicts is what the upgrade then does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { apps as catalogue } from "../../src/apps/index.ts";
import { MachineDeployment } from "../../src/contracts/cluster-x-k8s-io.ts";
import { RedisFailover } from "../../src/contracts/databases-spotahome-com.ts";
import { Cluster } from "../../src/contracts/postgresql-cnpg-io.ts";
import { Deployment, Service, StatefulSet } from "../../src/kube/core-kinds.ts";
import { groupOf } from "../../src/kube/object.ts";
import type { AppEffect } from "../../src/upgrade/effects/effect.ts";
import { isTouched } from "../../src/upgrade/effects/effect.ts";
import { moduleOrders, type Order, orders } from "../recipes/orders.ts";
import { startCloud } from "../support/cloud.ts";
import { type Earlier, earlierApp, stampAsNow, withSpec } from "../support/older-release.ts";
import { rehearseOn, runOn, within } from "../support/upgrading.ts";

const TENANTS = 5;
const READY_SECONDS = 240;

/** What the release before rendered otherwise: images, pods' annotations, machines, labels; and Services that are gone since. */
const earlier: Earlier = (object) => {
  const { kind, metadata } = object;
  const group = groupOf(object.apiVersion);
  if (group === Cluster.group && kind === Cluster.kind) return [withSpec(object, { imageName: "postgres:16.0" })];
  if (kind === RedisFailover.kind) return [withSpec(object, { redis: { image: "redis:6.0" } })];
  if (kind === Deployment.kind || kind === StatefulSet.kind) {
    return [withSpec(object, { template: { metadata: { annotations: { earlier: "yes" } } } })];
  }
  if (kind === MachineDeployment.kind) return [withSpec(object, { template: { spec: { version: "v1.30.0" } } })];
  if (kind !== Service.kind) return [object];
  const labelled = { ...object, metadata: { ...metadata, labels: { ...metadata.labels, earlier: "yes" } } };
  return [
    labelled,
    withSpec({ ...labelled, metadata: { ...labelled.metadata, name: `${metadata.name}-earlier` } }, {}),
  ];
};

const cloud = await startCloud({
  apps: catalogue.map((app) => (app.kind === "Tenant" ? app : earlierApp(app, earlier))),
});
await stampAsNow(cloud.admin);
const tenants = await Promise.all(Array.from({ length: TENANTS }, (_, index) => cloud.tenant(`t${index}`)));
const placed: readonly (Order & { readonly tenant: string })[] = [
  ...orders.filter(({ app }) => app.kind !== "Tenant"),
  ...moduleOrders,
].map((order, index) => ({ ...order, tenant: tenants[index % TENANTS] ?? "" }));
// What others need first: disks of machines, what a tenant's modules are for.
for (const { app, name, tenant, spec } of placed) await cloud.order(app, name, tenant, spec);
await Promise.all(
  placed.map(({ app, name, tenant }) => cloud.ready(app, name, tenant, READY_SECONDS).catch(() => undefined)),
);
await cloud.rest(3_000);
await cloud.stopControllers();

/** An effect as far as it does not hang on when it was seen, nor on names that are made anew each time. */
function comparable({ app, tenant, impact, changes, pools, blocked }: AppEffect) {
  const name = ({ kind, namespace = "", name: of }: AppEffect["app"]): string => `${kind} ${namespace}/${of}`;
  return {
    app: name(app),
    tenant,
    impact,
    blocked: blocked?.reason,
    changes: changes
      .map(({ object, action, impact: of, fields }) => `${action} ${name(object)}: ${of} ${fields.join(" ")}`)
      .sort(),
    pools: pools.map(({ object, what, count }) => `${count} ${what} of ${name(object)}`).sort(),
  };
}

const sorted = (effects: readonly AppEffect[]) =>
  within(cloud, effects)
    .filter(isTouched)
    .map(comparable)
    .sort((a, b) => (a.app < b.app ? -1 : 1));

test("What is rehearsed over a fleet of all kinds is what the upgrade does: every object, and each pod and machine once (features 54, 56, 168 and 170)", async () => {
  const rehearsal = await rehearseOn(cloud, { apps: catalogue });
  assert.equal(rehearsal.settled, true);
  const predicted = sorted(rehearsal.effects);
  const kinds = new Set(within(cloud, rehearsal.effects).map(({ app }) => app.kind));
  assert.ok(kinds.size >= 26, `only ${kinds.size} kinds`);
  const [canary = ""] = tenants;
  const { effects } = await runOn(cloud, { apps: catalogue, version: "2.0.0", canary });
  assert.deepEqual(sorted(effects), predicted);
  const units = predicted.flatMap(({ pools }) => pools);
  assert.ok(
    units.some((line) => line.includes("machines of MachineDeployment")),
    units.join("\n"),
  );
  assert.ok(units.some((line) => line.includes("pods of Cluster")));
});

/** Upgrades of a cluster of the test's own: by waves, halted, gone on with, and taken back. */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { apps as catalogue } from "../../src/apps/index.ts";
import { ConfigMap, Namespace } from "../../src/contracts/core.ts";
import { Cluster } from "../../src/contracts/postgresql-cnpg-io.ts";
import { isRecord } from "../../src/kube/json.ts";
import type { Request } from "../../src/kube/request.ts";
import type { App } from "../../src/sdk/app.ts";
import { defineApp } from "../../src/sdk/define-app.ts";
import { refuse } from "../../src/sdk/errors.ts";
import { appSpec, text } from "../../src/sdk/spec.ts";
import { isTouched } from "../../src/upgrade/effects/effect.ts";
import { UpgradeHalted, UpgradeUnderWay } from "../../src/upgrade/run/errors.ts";
import { readRun } from "../../src/upgrade/run/record.ts";
import { ownStamp, stampObject } from "../../src/upgrade/versions.ts";
import { appOf, isReady, startCloud } from "../support/cloud.ts";
import { type Earlier, earlierRelease, stampAsNow, withSpec } from "../support/older-release.ts";
import { rehearseOn, runOn, within } from "../support/upgrading.ts";

const olderImage = "ghcr.io/cloudnative-pg/postgresql:16.0";

const withOlderImage: Earlier = (object) =>
  object.kind === Cluster.kind ? [withSpec(object, { imageName: olderImage })] : [object];

const widget = (fields: Parameters<typeof appSpec>[0]): App =>
  defineApp({
    kind: "Widget",
    plural: "widgets",
    release: "widget-",
    catalog: { title: "Widget", category: "Test", summary: "For tests" },
    spec: appSpec(fields, []),
    render: ({ release, spec }) => [ConfigMap(`${release}-conf`, { data: { spec: JSON.stringify(spec) } })],
  });

const size = text({ default: "small", description: "Goes into the ConfigMap." });
const colour = text({ default: "", description: "Came with the later release." });
const [formerWidget, laterWidget] = [widget({ size }), widget({ size, colour })];
/** A release with a fault. */
const faultyWidget: App = {
  ...laterWidget,
  instance(object, context) {
    const instance = laterWidget.instance(object, context);
    return {
      ...instance,
      render: () => {
        return refuse({
          code: "InvalidSpec",
          field: "spec.size",
          message: "is not taken any more",
          remedy: "Wait for a release that takes it.",
        });
      },
    };
  },
};
const former: readonly App[] = [...earlierRelease({ Postgres: withOlderImage }), formerWidget];
const later: readonly App[] = [...catalogue, laterWidget];
const faulty: readonly App[] = [...catalogue, faultyWidget];

const cloud = await startCloud({ apps: former });
await stampAsNow(cloud.admin, 54);
const [one, two] = [await cloud.tenant("one"), await cloud.tenant("two")];
const postgres = appOf("Postgres");
for (const tenant of [one, two]) {
  await cloud.order(postgres, "db", tenant, { replicas: 2 });
  await cloud.order(formerWidget, "thing", tenant, { size: "large" });
}
for (const tenant of [one, two]) {
  await cloud.ready(postgres, "db", tenant);
  await cloud.ready(formerWidget, "thing", tenant);
}
await cloud.rest();
await cloud.stopControllers();
// The root tenant's own applications are nobody's in the cloud; they come with the first wave.
const rehearsal = rehearseOn(cloud, { apps: later });

const writesTo = (requests: readonly Request[], tenant: string): readonly string[] =>
  requests
    .filter(({ write, kind }) => write && kind !== "Lease" && kind !== "Event")
    .filter((request) => concerns(request, tenant))
    .map(({ method, path }) => `${method} ${path}`);

/** The order of the tenant itself is in the namespace above. */
function concerns({ namespace, name, path, kind }: Request, tenant: string): boolean {
  return (
    namespace === tenant ||
    name === tenant ||
    path.includes(tenant) ||
    (kind === "Tenant" && `${namespace}-${name}` === tenant)
  );
}

const image = async (tenant: string): Promise<string | undefined> =>
  (await cloud.admin.get(Cluster, "postgres-db", tenant))?.spec.imageName;

/** Of the run that halts. */
const requests: Request[] = [];

test("An upgrade halts at a tenant that gets worse, and writes nothing to those whose wave has not come", async () => {
  await rehearsal;
  const intercept = (request: Request) => void requests.push(request);
  await assert.rejects(
    runOn(cloud, { apps: faulty, version: "2.0.0", canary: one, intercept }),
    (error) => error instanceof UpgradeHalted && error.message.includes("is not taken any more"),
  );
  const record = await readRun(cloud.admin);
  assert.deepEqual(
    record?.waves.map(({ name, phase }) => `${name} ${phase}`),
    ["platform healthy", "canary released", "tenants held"],
  );
  assert.equal(record?.phase, "halted");
  assert.equal(await image(two), olderImage);
  assert.notDeepEqual(writesTo(requests, one), []);
  assert.deepEqual(writesTo(requests, two), []);
});

test("What Helm must not delete is marked, and migrations are done, before anything of the new version is installed (features 9, 166 and 167)", async () => {
  const { name, namespace } = stampObject;
  const stamp = await cloud.admin.get(ConfigMap, name, namespace);
  assert.equal(stamp?.data?.["version"], String(ownStamp));
  for (const object of [stamp, await cloud.admin.get(Namespace, namespace)]) {
    assert.equal(object?.metadata.annotations?.["helm.sh/resource-policy"], "keep");
  }
  const written = requests.filter(({ write, kind }) => write && kind !== "Lease");
  const migrated = written.findLastIndex(({ kind, name: of }) => kind === "ConfigMap" && of === name);
  const installed = written.findIndex(
    ({ kind, name: of }) => kind === "CustomResourceDefinition" && of?.startsWith("widgets") === true,
  );
  assert.ok(migrated >= 0 && installed > migrated);
});

test("Our own objects are saved first, for their owner alone and without Secrets", async () => {
  const { backup } = (await readRun(cloud.admin)) ?? {};
  assert.ok(backup !== undefined);
  assert.equal(statSync(backup.file).mode & 0o777, 0o600);
  const saved: unknown = JSON.parse(readFileSync(backup.file, "utf8"));
  const items = isRecord(saved) && Array.isArray(saved["items"]) ? saved["items"] : [];
  const kinds = new Set(items.map(({ kind }) => String(kind)));
  for (const kind of ["Postgres", "Tenant", "Inventory", "CustomResourceDefinition"]) assert.ok(kinds.has(kind), kind);
  assert.ok(!kinds.has("Secret"));
});

test("The next run goes on where it halted, from the former version to this one (feature 168)", async () => {
  const { run } = await runOn(cloud, { apps: later, version: "2.0.0", canary: one });
  assert.equal(run.phase, "done");
  assert.deepEqual(
    run.waves.map(({ name, phase }) => `${name} ${phase}`),
    ["platform healthy", "canary healthy", "tenants healthy"],
  );
  assert.notEqual(await image(one), olderImage);
  assert.notEqual(await image(two), olderImage);
  const predicted = within(cloud, (await rehearsal).effects).filter(isTouched);
  const rolled = predicted.filter(({ impact }) => impact === "rolls").map(({ app, tenant }) => `${tenant} ${app.kind}`);
  assert.deepEqual(rolled.sort(), [`${one} Postgres`, `${two} Postgres`]);
  assert.ok(run.waves[2]?.notable?.some((line) => line.startsWith(`Postgres ${two}/db: rolls`)));
});

test("The former version's controllers are taken back to objects of the later one, whose fields stay", async () => {
  await cloud.change(laterWidget, "thing", two, { colour: "blue" });
  const { run } = await runOn(cloud, { apps: former, version: "1.0.0", canary: one, back: true });
  assert.equal(`${run.from} ${run.to} ${run.phase}`, "2.0.0 1.0.0 done");
  assert.equal(await image(one), olderImage);
  assert.equal(await image(two), olderImage);
  const thing = await cloud.get(laterWidget, "thing", two);
  assert.ok(isReady(thing));
  assert.deepEqual(isRecord(thing?.spec) ? thing.spec["colour"] : undefined, "blue");
  const conf = await cloud.admin.get(ConfigMap, "widget-thing-conf", two);
  assert.equal(conf?.data?.["spec"], JSON.stringify({ size: "large" }));
});

test("An upgrade to a third version is refused while one is under way", async () => {
  await assert.rejects(runOn(cloud, { apps: faulty, version: "2.0.0", canary: one }), UpgradeHalted);
  await assert.rejects(runOn(cloud, { apps: later, version: "3.0.0", canary: one }), UpgradeUnderWay);
});

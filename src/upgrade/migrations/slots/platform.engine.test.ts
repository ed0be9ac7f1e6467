/** Migrations of the platform's own parts: 37, 38, 40, 42, 43, 44, 52 and 53. */
import assert from "node:assert/strict";
import test from "node:test";
import { migrationBench, tryMigrations } from "../../../../test/support/migrations.ts";
import { Deployment } from "../../../contracts/apps.ts";
import { defineKind } from "../../../kube/define-kind.ts";
import { valueAt } from "../../../kube/json.ts";
import { CustomResourceDefinition } from "../../../kube/kinds/extension.ts";
import type { UnknownObject } from "../../../kube/object.ts";
import { DataVolume, HelmRelease, PostgresCluster } from "../kinds.ts";
import { systemDatabases } from "./37-system-databases.ts";
import { goldenImages } from "./38-golden-images.ts";
import { dashboardDefinitions } from "./40-dashboard-definitions.ts";
import { stampLabel } from "./42-stamp-label.ts";
import { seaweedfsDatabase, seaweedfsDatabaseAgain } from "./43-seaweedfs-database.ts";
import { fluxShard } from "./44-flux-shard.ts";
import { linstorAdmission } from "./52-linstor-admission.ts";

const bench = await migrationBench();
await bench.serve([PostgresCluster, DataVolume, HelmRelease]);

const release = "meta.helm.sh/release-name";
const keep = "helm.sh/resource-policy";

const database = (namespace: string, name: string, owner?: string, imageName?: string) =>
  PostgresCluster(name, {
    namespace,
    ...(owner === undefined ? {} : { annotations: { [release]: owner } }),
    spec: imageName === undefined ? {} : { imageName },
  });

test("37 pins the image of the platform's databases, and of nobody else's", () =>
  tryMigrations(bench, {
    migrations: [systemDatabases],
    stamp: 37,
    before: [
      database("cozy-keycloak", "keycloak-db"),
      database("tenant-a", "harbor-x-db", "harbor-x-system", "ghcr.io/cloudnative-pg/postgresql:16.4"),
      database("tenant-a", "postgres-x-db", "postgres-x"),
    ],
    async check() {
      const image = async (namespace: string, name: string) =>
        valueAt(await bench.live(PostgresCluster, name, namespace), "spec", "imageName");
      assert.equal(
        await image("cozy-keycloak", "keycloak-db"),
        "ghcr.io/cloudnative-pg/postgresql:17.7-standard-trixie",
      );
      assert.equal(await image("tenant-a", "harbor-x-db"), "ghcr.io/cloudnative-pg/postgresql:16.4-standard-trixie");
      assert.equal(await image("tenant-a", "postgres-x-db"), undefined);
    },
  }));

test("38 renames golden images", () =>
  tryMigrations(bench, {
    migrations: [goldenImages],
    stamp: 38,
    before: [
      DataVolume("vm-image-ubuntu", {
        namespace: "cozy-public",
        labels: { a: "b" },
        spec: { source: { http: { url: "https://images.test/ubuntu" } } },
        status: { phase: "Succeeded" },
      }),
      DataVolume("mine", { namespace: "cozy-public", spec: {} }),
      DataVolume("vm-image-debian", { namespace: "tenant-a", spec: {} }),
    ],
    async check() {
      const made = await bench.live(DataVolume, "vm-default-images-ubuntu", "cozy-public");
      assert.deepEqual(made?.["spec"], { source: { http: { url: "https://images.test/ubuntu" } } });
      assert.deepEqual([made?.metadata.labels, made?.["status"]], [{ a: "b" }, undefined]);
      assert.equal(await bench.live(DataVolume, "vm-image-ubuntu", "cozy-public"), undefined);
      assert.notEqual(await bench.live(DataVolume, "mine", "cozy-public"), undefined);
      assert.notEqual(await bench.live(DataVolume, "vm-image-debian", "tenant-a"), undefined);
    },
  }));

test("40 deletes the definitions of the former dashboard", async () => {
  const kind = (name: string, plural: string) =>
    defineKind<UnknownObject>({
      group: "dashboard.cozystack.io",
      version: "v1alpha1",
      kind: name,
      plural,
      namespaced: false,
    });
  await bench.set(40, []);
  await bench.serve([kind("Sidebar", "sidebars"), kind("Other", "others")]);
  const plan = await bench.plan([dashboardDefinitions]);
  assert.equal(plan.migrations[0]?.steps[0]?.changes.length, 1);
  await bench.run([dashboardDefinitions]);
  const left = async (name: string) =>
    (await bench.admin.get(CustomResourceDefinition, `${name}.dashboard.cozystack.io`))?.metadata;
  const sidebars = await left("sidebars");
  assert.ok(sidebars === undefined || sidebars.deletionTimestamp !== undefined);
  assert.equal((await left("others"))?.deletionTimestamp, undefined);
  await bench.unserve(kind("Sidebar", "sidebars"), kind("Other", "others"));
});

test("42 guards the stamp, as every writing of it does (feature 167)", () =>
  tryMigrations(bench, {
    migrations: [stampLabel],
    stamp: 42,
    before: [],
    async check() {
      const { metadata, data } = await bench.stamp();
      assert.deepEqual(data, { version: "43" });
      assert.equal(metadata.labels?.["platform.cozystack.io/no-delete"], "true");
      assert.equal(metadata.annotations?.[keep], "keep");
    },
  }));

for (const migration of [seaweedfsDatabase, seaweedfsDatabaseAgain]) {
  test(`${migration.id} hands databases of object stores over to who keeps them (feature 179)`, () =>
    tryMigrations(bench, {
      migrations: [migration],
      stamp: migration.id,
      before: [
        database("tenant-a", "seaweedfs-db", "foo-system"),
        database("tenant-b", "seaweedfs-db", "seaweedfs-db"),
        database("tenant-c", "seaweedfs-db", "-system"),
        database("tenant-d", "seaweedfs-db"),
        database("tenant-e", "seaweedfs-db", "by-hand"),
        database("tenant-f", "other-db", "foo-system"),
      ],
      async check(_, run) {
        const marks = async (namespace: string, name = "seaweedfs-db") =>
          (await bench.live(PostgresCluster, name, namespace))?.metadata.annotations ?? {};
        assert.deepEqual(await marks("tenant-a"), { [release]: "foo-db", [keep]: "keep" });
        assert.deepEqual(await marks("tenant-b"), { [release]: "seaweedfs-db", [keep]: "keep" });
        assert.deepEqual(await marks("tenant-c"), { [release]: "-system" });
        assert.deepEqual(await marks("tenant-d"), {});
        assert.deepEqual(await marks("tenant-e"), { [release]: "by-hand" });
        assert.deepEqual(await marks("tenant-f", "other-db"), { [release]: "foo-system" });
        assert.deepEqual(
          run.migrations[0]?.warnings.map((text) => text.split(" ")[1]),
          ["tenant-c/seaweedfs-db", "tenant-d/seaweedfs-db", "tenant-e/seaweedfs-db"],
        );
      },
    }));
}

const deployment = (name: string, namespace: string) => {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
  return Deployment(name, { namespace, spec: { replicas: 0, selector: { matchLabels: labels }, template } });
};

test("44 removes the former shard when no release names it, and not before", async () => {
  const shard = deployment("flux-tenants", "cozy-fluxcd");
  await tryMigrations(bench, {
    migrations: [fluxShard],
    stamp: 44,
    before: [shard],
    async check() {
      const live = await bench.live(Deployment, "flux-tenants", "cozy-fluxcd");
      assert.ok(live === undefined || live.metadata.deletionTimestamp !== undefined);
    },
  });
  const served = HelmRelease("x", { namespace: "tenant-a", labels: { "sharding.fluxcd.io/key": "tenants" } });
  await bench.set(44, [shard, served]);
  const run = await bench.run([fluxShard]);
  assert.match(run.migrations[0]?.notApplicable ?? "", /HelmRelease tenant-a\/x/);
  assert.notEqual(await bench.live(Deployment, "flux-tenants", "cozy-fluxcd"), undefined);
});

test("52 makes room for a Deployment that selects by other labels; without one there is nothing to do (feature 178)", async () => {
  await tryMigrations(bench, {
    migrations: [linstorAdmission],
    stamp: 52,
    before: [deployment("linstor-scheduler-admission", "cozy-linstor"), deployment("other", "cozy-linstor")],
    async check() {
      assert.notEqual(await bench.live(Deployment, "other", "cozy-linstor"), undefined);
    },
  });
  await bench.set(52, []);
  const run = await bench.run([linstorAdmission]);
  assert.deepEqual([run.outcome, run.migrations[0]?.changes, run.stamp?.to], ["done", [], 53]);
});

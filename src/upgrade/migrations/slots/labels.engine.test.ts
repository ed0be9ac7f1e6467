/** Migrations of applications and of what they left unlabelled: 39, 48, 49, 51, 54 and 55. */
import assert from "node:assert/strict";
import test from "node:test";
import { migrationBench, tryMigrations } from "../../../../test/support/migrations.ts";
import { Namespace, PersistentVolumeClaim } from "../../../contracts/core.ts";
import { defineKind } from "../../../kube/define-kind.ts";
import { valueAt } from "../../../kube/json.ts";
import type { UnknownObject } from "../../../kube/object.ts";
import { HelmRelease, KeeperInstallation, Kubernetes, RedisFailover, VLCluster, VMCluster } from "../kinds.ts";
import { resourcePresets } from "./39-resource-presets.ts";
import { keeperClaims } from "./48-keeper-claims.ts";
import { ancestorLabels } from "./49-ancestor-labels.ts";
import { monitoringClaims } from "./51-monitoring-claims.ts";
import { redisOperator } from "./54-redis-operator.ts";
import { fluxAddons } from "./55-flux-addons.ts";

const namespace = "tenant-a";
const Redis = defineKind<UnknownObject>({
  group: "apps.cozystack.io",
  version: "v1alpha1",
  kind: "Redis",
  plural: "redises",
  namespaced: true,
});
const bench = await migrationBench();
await bench.serve([Kubernetes, Redis, HelmRelease, KeeperInstallation, VMCluster, VLCluster, RedisFailover]);

const claim = (name: string, labels: Readonly<Record<string, string>> = {}) =>
  PersistentVolumeClaim(name, {
    namespace,
    labels,
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
const labelsOf = async (name: string) => (await bench.live(PersistentVolumeClaim, name, namespace))?.metadata.labels;

test("39 renames presets at any depth, and nothing else", () =>
  tryMigrations(bench, {
    migrations: [resourcePresets],
    stamp: 39,
    before: [
      HelmRelease("redis-db", {
        namespace,
        spec: { values: { resourcesPreset: "nano", deep: [{ resourcesPreset: "2xlarge" }] } },
      }),
      HelmRelease("bare", { namespace, spec: {} }),
      Redis("db", {
        namespace,
        spec: { resourcesPreset: "small", size: "small", other: { resourcesPreset: "u1.large" } },
      }),
      Kubernetes("dev", {
        namespace,
        spec: { controlPlane: { apiServer: { resourcesPreset: "large" } }, resourcesPreset: 3 },
      }),
    ],
    async check(_, run) {
      assert.deepEqual(valueAt(await bench.live(HelmRelease, "redis-db", namespace), "spec", "values"), {
        resourcesPreset: "t1.nano",
        deep: [{ resourcesPreset: "c1.xlarge" }],
      });
      assert.deepEqual(valueAt(await bench.live(Redis, "db", namespace), "spec"), {
        resourcesPreset: "t1.small",
        size: "small",
        other: { resourcesPreset: "u1.large" },
      });
      assert.deepEqual(valueAt(await bench.live(Kubernetes, "dev", namespace), "spec"), {
        controlPlane: { apiServer: { resourcesPreset: "c1.medium" } },
        resourcesPreset: 3,
      });
      // The amounts behind the names are the same.
      assert.deepEqual(
        run.migrations[0]?.changes.map(({ impact }) => impact),
        ["none", "none", "none"],
      );
    },
  }));

test("48 labels the volumes of keepers with their application (features 125 and 174)", () =>
  tryMigrations(bench, {
    migrations: [keeperClaims],
    stamp: 48,
    before: [
      KeeperInstallation("clickhouse-x-keeper", { namespace }),
      KeeperInstallation("by-hand", { namespace }),
      claim("default-chk-clickhouse-x-keeper-0-0-0"),
      claim("default-chk-clickhouse-x-keeper-0-1-0", { mine: "yes" }),
      claim("default-chk-by-hand-0-0-0"),
      claim("data-other"),
    ],
    async check(_, run) {
      const label = { "app.kubernetes.io/instance": "clickhouse-x" };
      assert.deepEqual(await labelsOf("default-chk-clickhouse-x-keeper-0-0-0"), label);
      assert.deepEqual(await labelsOf("default-chk-clickhouse-x-keeper-0-1-0"), { mine: "yes", ...label });
      assert.equal(run.migrations[0]?.changes.length, 2);
    },
  }));

test("49 labels a tenant's namespace with all that it is below (feature 175)", () =>
  tryMigrations(bench, {
    migrations: [ancestorLabels],
    stamp: 49,
    before: [
      Namespace("tenant-a-b", { labels: { mine: "yes" } }),
      Namespace("tenant-root", {}),
      Namespace("team-a", {}),
    ],
    async check() {
      const of = async (name: string) =>
        Object.keys((await bench.live(Namespace, name))?.metadata.labels ?? {}).filter((key) =>
          key.startsWith("tenant."),
        );
      assert.deepEqual(await of("tenant-a-b"), [
        "tenant.cozystack.io/tenant-a",
        "tenant.cozystack.io/tenant-a-b",
        "tenant.cozystack.io/tenant-root",
      ]);
      assert.deepEqual([await of("tenant-root"), await of("team-a")], [[], []]);
    },
  }));

test("51 labels volumes of what an application made, and of no user's own (features 125 and 177)", () => {
  const name = "apps.cozystack.io/application.name";
  const made = { managedMetadata: { labels: { [name]: "monitoring" } } };
  return tryMigrations(bench, {
    migrations: [monitoringClaims],
    stamp: 51,
    before: [
      VMCluster("shortterm", { namespace, spec: made }),
      VLCluster("generic", { namespace, spec: made }),
      VMCluster("own", { namespace, spec: {} }),
      claim("vmstorage-db-vmstorage-shortterm-0"),
      claim("vmselect-cachedir-vmselect-shortterm-1"),
      claim("vlstorage-db-vlstorage-generic-0"),
      claim("vmstorage-db-vmstorage-own-0"),
      claim("vmstorage-db-vmstorage-not-shortterm-x"),
    ],
    async check(_, run) {
      for (const one of [
        "vmstorage-db-vmstorage-shortterm-0",
        "vmselect-cachedir-vmselect-shortterm-1",
        "vlstorage-db-vlstorage-generic-0",
      ])
        assert.deepEqual(await labelsOf(one), { [name]: "monitoring" }, one);
      assert.equal(await labelsOf("vmstorage-db-vmstorage-own-0"), undefined);
      assert.equal(run.migrations[0]?.changes.length, 3);
    },
  });
});

test("54 hands Redis to the operator that looks for a label, with the version that runs", () =>
  tryMigrations(bench, {
    migrations: [redisOperator],
    stamp: 54,
    before: [
      RedisFailover("bare", { namespace, spec: { redis: { replicas: 3 } } }),
      RedisFailover("own", { namespace, spec: { redis: { image: "redis:8" }, sentinel: { image: "" } } }),
    ],
    async check() {
      const bare = await bench.live(RedisFailover, "bare", namespace);
      assert.deepEqual(valueAt(bare, "spec"), {
        redis: { replicas: 3, image: "redis:6.2.6-alpine" },
        sentinel: { image: "redis:6.2.6-alpine" },
      });
      assert.equal(bare?.metadata.labels?.["redis-failover.freshworks.com/operator-group"], "cozystack");
      assert.deepEqual(valueAt(await bench.live(RedisFailover, "own", namespace), "spec"), {
        redis: { image: "redis:8" },
        sentinel: { image: "redis:6.2.6-alpine" },
      });
    },
  }));

test("55 lets go of Flux in tenants' clusters without uninstalling it", () => {
  const release = (name: string, chart: string) =>
    HelmRelease(name, {
      namespace,
      metadata: { finalizers: ["finalizers.fluxcd.io"] },
      spec: { chartRef: { kind: "ExternalArtifact", name: chart } },
    });
  const prefix = "cozystack-kubernetes-application-kubevirt-kubernetes";
  return tryMigrations(bench, {
    migrations: [fluxAddons],
    stamp: 55,
    before: [
      release("flux", `${prefix}-fluxcd`),
      release("operator", `${prefix}-fluxcd-operator`),
      release("cilium", `${prefix}-cilium`),
    ],
    async check() {
      assert.equal(await bench.live(HelmRelease, "flux", namespace), undefined);
      assert.equal(await bench.live(HelmRelease, "operator", namespace), undefined);
      const other = await bench.live(HelmRelease, "cilium", namespace);
      assert.deepEqual(other?.metadata.finalizers, ["finalizers.fluxcd.io"]);
    },
  });
});

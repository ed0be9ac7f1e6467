/** Migrations of tenants' clusters: 41, 45, 46 and 47. */
import assert from "node:assert/strict";
import test from "node:test";
import { migrationBench, tryMigrations } from "../../../../test/support/migrations.ts";
import { valueAt } from "../../../kube/json.ts";
import type { AnyKind } from "../../../kube/object.ts";
import { KubeadmConfig, KubeadmConfigTemplate, Kubernetes, LegacyEtcdCluster } from "../kinds.ts";
import { diskSize } from "./41-disk-size.ts";
import { bootstrapTemplates } from "./45-bootstrap-templates.ts";
import { kubernetesVersion } from "./46-kubernetes-version.ts";
import { defaultNodeGroup } from "./47-default-node-group.ts";
import { etcdAdoption } from "./50-etcd-adoption.ts";

const namespace = "tenant-a";
const bench = await migrationBench();
await bench.serve([Kubernetes, KubeadmConfigTemplate, KubeadmConfig]);

const cluster = (name: string, spec: object) => Kubernetes(name, { namespace, spec });
const specOf = async (name: string) => valueAt(await bench.live(Kubernetes, name, namespace), "spec");
const annotationsOf = async (kind: AnyKind, name: string) =>
  (await bench.live(kind, name, namespace))?.metadata.annotations ?? {};

test("41 writes the size of disks to the field that is read", () =>
  tryMigrations(bench, {
    migrations: [diskSize],
    stamp: 41,
    before: [
      cluster("two", { nodeGroups: { a: { ephemeralStorage: "30Gi", roles: [] }, b: { ephemeralStorage: "40Gi" } } }),
      cluster("both", { nodeGroups: { a: { ephemeralStorage: "30Gi", diskSize: "50Gi" } } }),
      cluster("empty", { nodeGroups: { a: { ephemeralStorage: "30Gi", diskSize: "" } } }),
      cluster("none", { nodeGroups: { a: { diskSize: "50Gi" } } }),
    ],
    async check() {
      assert.deepEqual(await specOf("two"), {
        nodeGroups: { a: { diskSize: "30Gi", roles: [] }, b: { diskSize: "40Gi" } },
      });
      assert.deepEqual(await specOf("both"), { nodeGroups: { a: { diskSize: "50Gi" } } });
      assert.deepEqual(await specOf("empty"), { nodeGroups: { a: { diskSize: "30Gi" } } });
      assert.deepEqual(await specOf("none"), { nodeGroups: { a: { diskSize: "50Gi" } } });
    },
  }));

const helm = { "app.kubernetes.io/managed-by": "Helm" };
const keep = "helm.sh/resource-policy";
const template = (name: string, labels: object, annotations?: Readonly<Record<string, string>>) =>
  KubeadmConfigTemplate(name, {
    namespace,
    labels: { ...labels },
    ...(annotations === undefined ? {} : { annotations }),
  });

test("45 keeps what Helm manages, and leaves alone what Cluster API made of it (features 55 and 171)", () =>
  tryMigrations(bench, {
    migrations: [bootstrapTemplates],
    stamp: 45,
    before: [
      template("bare", helm),
      template("empty", helm, { [keep]: "", other: "stays" }),
      template("kept", helm, { [keep]: "keep" }),
      template("spawned", {}),
      KubeadmConfig("config", { namespace, labels: helm }),
    ],
    async check(_, run) {
      assert.deepEqual(await annotationsOf(KubeadmConfigTemplate, "bare"), { [keep]: "keep" });
      assert.deepEqual(await annotationsOf(KubeadmConfigTemplate, "empty"), { [keep]: "keep", other: "stays" });
      assert.deepEqual(await annotationsOf(KubeadmConfigTemplate, "spawned"), {});
      assert.deepEqual(await annotationsOf(KubeadmConfig, "config"), { [keep]: "keep" });
      assert.equal(run.migrations[0]?.changes.length, 3);
      assert.deepEqual(run.stamp, { from: 45, to: 46 });
    },
  }));

test("46 takes v1.30 to v1.31, and no other version (feature 38)", () =>
  tryMigrations(bench, {
    migrations: [kubernetesVersion],
    stamp: 46,
    before: [
      cluster("old", { version: "v1.30", host: "h" }),
      cluster("new", { version: "v1.33" }),
      cluster("silent", {}),
    ],
    async check(_, run) {
      assert.deepEqual(await specOf("old"), { version: "v1.31", host: "h" });
      assert.deepEqual(await specOf("new"), { version: "v1.33" });
      assert.deepEqual(await specOf("silent"), {});
      assert.equal(run.migrations[0]?.changes.length, 1);
    },
  }));

const md0 = {
  minReplicas: 0,
  maxReplicas: 10,
  instanceType: "u1.medium",
  diskSize: "20Gi",
  storageClass: "",
  roles: ["ingress-nginx"],
  resources: {},
  gpus: [],
  kubelet: {},
};

test("47 writes md0 alone, where other groups are named and it is not (feature 173)", () =>
  tryMigrations(bench, {
    migrations: [defaultNodeGroup],
    stamp: 47,
    before: [
      cluster("other", { nodeGroups: { a: { minReplicas: 1 } } }),
      cluster("empty", { nodeGroups: {} }),
      cluster("named", { nodeGroups: { md0: { maxReplicas: 3 } } }),
      cluster("null", { nodeGroups: null }),
      cluster("silent", {}),
    ],
    async check(_, run) {
      assert.deepEqual(await specOf("other"), { nodeGroups: { a: { minReplicas: 1 }, md0 } });
      assert.deepEqual(await specOf("empty"), { nodeGroups: { md0 } });
      assert.deepEqual(await specOf("named"), { nodeGroups: { md0: { maxReplicas: 3 } } });
      assert.ok(valueAt(await specOf("null"), "nodeGroups") == null);
      assert.deepEqual(await specOf("silent"), {});
      const changes = run.migrations.flatMap((one) => one.changes);
      assert.deepEqual(
        changes.map(({ object, fields }) => [object.name, fields.map(({ path }) => path)]),
        [
          ["empty", ["spec.nodeGroups.md0"]],
          ["other", ["spec.nodeGroups.md0"]],
        ],
      );
    },
  }));

test("50 refuses before anything is written while etcd of the former operator is there, and passes once it is gone", async () => {
  const both = [defaultNodeGroup, etcdAdoption];
  await bench.serve([LegacyEtcdCluster]);
  await bench.set(47, [LegacyEtcdCluster("etcd", { namespace, spec: {} }), cluster("own", { nodeGroups: { a: {} } })]);
  const before = await bench.state();
  const refused = await bench.run(both);
  assert.equal(refused.outcome, "failed");
  assert.deepEqual(refused.stamp, { from: 47, to: 47 });
  assert.equal(refused.migrations[0]?.problem?.code, "MigrationRefused");
  assert.match(refused.migrations[0]?.problem?.message ?? "", /EtcdCluster tenant-a\/etcd/);
  assert.deepEqual(await bench.state(), before);

  await bench.admin.delete(LegacyEtcdCluster, "etcd", namespace);
  assert.equal((await bench.run(both)).outcome, "done");
});

import assert from "node:assert/strict";
import test from "node:test";
import { migrationBench, tryMigrations } from "../../../../test/support/migrations.ts";
import { valueAt } from "../../../kube/json.ts";
import { Kubernetes } from "../kinds.ts";
import { defaultNodeGroup } from "./47-default-node-group.ts";

const bench = await migrationBench();
await bench.serve([Kubernetes]);

const cluster = (name: string, nodeGroups: unknown) =>
  Kubernetes(name, { namespace: "tenant-a", spec: { nodeGroups } });
const groups = async (name: string) => valueAt(await bench.live(Kubernetes, name, "tenant-a"), "spec", "nodeGroups");

test("47 writes md0 alone, where other groups are named and it is not (feature 173)", () =>
  tryMigrations(bench, {
    migrations: [defaultNodeGroup],
    stamp: 47,
    before: [
      cluster("other", { a: { minReplicas: 1 } }),
      cluster("empty", {}),
      cluster("named", { md0: { maxReplicas: 3 } }),
      cluster("null", null),
      Kubernetes("silent", { namespace: "tenant-a", spec: {} }),
    ],
    async check(_, run) {
      const written = await groups("other");
      assert.deepEqual(valueAt(written, "a"), { minReplicas: 1 });
      assert.deepEqual(valueAt(written, "md0"), {
        minReplicas: 0,
        maxReplicas: 10,
        instanceType: "u1.medium",
        diskSize: "20Gi",
        storageClass: "",
        roles: ["ingress-nginx"],
        resources: {},
        gpus: [],
        kubelet: {},
      });
      assert.deepEqual(Object.keys(Object(await groups("empty"))), ["md0"]);
      assert.deepEqual(await groups("named"), { md0: { maxReplicas: 3 } });
      assert.ok((await groups("null")) == null);
      assert.equal(await groups("silent"), undefined);
      const changes = run.migrations.flatMap((one) => one.changes);
      assert.deepEqual(
        changes.map(({ object, fields }) => [object.name, fields.map(({ path }) => path)]),
        [
          ["empty", ["spec.nodeGroups.md0"]],
          ["other", ["spec.nodeGroups.md0"]],
        ],
      );
      assert.deepEqual(run.stamp, { from: 47, to: 48 });
    },
  }));

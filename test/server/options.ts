/** Options through the aggregator. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Node, PersistentVolumeClaim, StorageClass } from "../../src/kube/core-kinds.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import type { Store } from "../../src/kube/store.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { Option, pathOf, refusal, tenant, unique } from "./fixtures.ts";
import { openWatch } from "./watching.ts";

const VMDisk = {
  group: "apps.cozystack.io",
  version: "v1alpha1",
  kind: "VMDisk",
  plural: "vmdisks",
  namespaced: true,
} as const;

export function optionsSuite(engine: () => ServerEngine, running: () => readonly Store<KubeObject>[]): void {
  const items = async (name: string, namespace: string): Promise<unknown> =>
    valueAt(await engine().client().get(Option, name, namespace), "spec", "items");

  test("only the source that is asked for is read", async () => {
    const namespace = await tenant(engine().client());
    assert.deepEqual(await items("backupclass", namespace), []);
    const kinds = running().map(({ kind }) => kind.kind);
    assert.ok(kinds.includes("BackupClass"));
    assert.ok(!kinds.includes("PersistentVolumeClaim"), "nobody has asked for images yet");
    assert.equal(
      await refusal(
        engine()
          .client()
          .raw("GET", `${pathOf(Option, namespace)}/nonsense`),
      ),
      "NotFound",
    );
  });

  test("the choices, and a watch that tells when they change", async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    const name = unique("fast-");
    const watch = await openWatch(engine().kubeconfig, pathOf(Option, namespace), {
      fieldSelector: "metadata.name=storageclass",
    });
    const first = await watch.next(({ type }) => type === "ADDED");
    assert.deepEqual(valueAt(first.object, "spec", "items"), []);
    await client.create(
      StorageClass,
      StorageClass(name, {
        provisioner: "example.com/none",
        annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
      }),
    );
    const changed = await watch.next(({ type }) => type === "MODIFIED");
    const expected = [{ value: name, label: `${name} (default)`, default: true }];
    assert.deepEqual(valueAt(changed.object, "spec", "items"), expected);
    assert.deepEqual(await items("storageclass", namespace), expected);
    assert.ok(BigInt(changed.version) > BigInt(first.version));
    watch.close();
    // From where that one ended: only what comes after it.
    const resumed = await openWatch(engine().kubeconfig, pathOf(Option, namespace), {
      fieldSelector: "metadata.name=storageclass",
      resourceVersion: changed.version,
    });
    await client.delete(StorageClass, name);
    const last = await resumed.next(({ type }) => type === "MODIFIED");
    assert.deepEqual(valueAt(last.object, "spec", "items"), []);
    assert.equal(resumed.events.length, 1);
    resumed.close();
  });

  test("choices of one namespace are not those of another", async () => {
    const client = engine().client();
    const [one, two] = [await tenant(client), await tenant(client)];
    const disk = {
      apiVersion: "apps.cozystack.io/v1alpha1",
      kind: "VMDisk",
      metadata: { name: "data", namespace: one },
    };
    await client.create(VMDisk, Object.assign(disk, { spec: { storage: "7Gi", source: {} } }));
    await client.create(Node, Node(unique("node-")));
    await client.create(PersistentVolumeClaim, {
      ...PersistentVolumeClaim("vm-default-images-ubuntu", {
        namespace: "cozy-public",
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      }),
    });
    assert.deepEqual(await items("vmdisk", two), []);
    assert.deepEqual(await items("vmdisk", one), [{ value: "data", label: "data (7Gi)" }]);
    assert.deepEqual(await items("image", two), [{ value: "ubuntu" }]);
    const everywhere = await client.list(Option);
    const disks = everywhere.items.find(({ metadata }) => metadata.name === "vmdisk");
    assert.deepEqual(valueAt(disks, "spec", "items"), []);
    assert.equal(everywhere.items.length, 12);
    const kinds = valueAt(
      everywhere.items.find(({ metadata }) => metadata.name === "appkind"),
      "spec",
      "items",
    );
    assert.ok(Array.isArray(kinds) && kinds.some((item) => valueAt(item, "value") === "Postgres"));
  });
}

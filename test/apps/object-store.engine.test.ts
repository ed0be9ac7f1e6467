/** A tenant's object store under the real controllers, with the twin in Flux's and the operators' place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { StatefulSet } from "../../src/contracts/apps.ts";
import { PersistentVolumeClaim, Secret } from "../../src/contracts/core.ts";
import { WorkloadMonitor } from "../../src/contracts/cozystack-io.ts";
import { BucketClaim, BucketClass } from "../../src/contracts/objectstorage-k8s-io.ts";
import { Cluster } from "../../src/contracts/postgresql-cnpg-io.ts";
import { appOf, conditionOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { lines } from "../support/everything.ts";

const cloud = await startCloud();
const { admin } = cloud;
const app = appOf("SeaweedFS");
const name = "seaweedfs";
const one = { replicas: 1 };
const small = { db: one, master: one, filer: one, s3: one, volume: { ...one, size: "1Gi" } };

const volumes = async (namespace: string) => {
  const labelSelector = "app.kubernetes.io/name=seaweedfs";
  const { items } = await admin.list(PersistentVolumeClaim, { namespace, labelSelector });
  return items.map(({ metadata, spec }) => `${metadata.name} ${spec.resources?.requests?.["storage"]}`).toSorted();
};

test("a SeaweedFS is ready, serves buckets of its pools, grows, and leaves nothing", async () => {
  const namespace = await cloud.tenant("store", cloud.root, { seaweedfs: true });
  await cloud.ready(app, name, namespace);
  const disk = { ...one, size: "10Gi", pools: { fast: { diskType: "ssd", ...one, size: "2Gi" } } };
  await cloud.change(app, name, namespace, { ...small, volume: disk });
  const bucketClass = `${namespace}-fast`;
  await eventually("the pool's class", () => admin.get(BucketClass, bucketClass));
  const found = await cloud.ready(app, name, namespace);
  assert.ok(found);
  const bucket = appOf("Bucket");
  await cloud.order(bucket, "files", namespace, { storagePool: "fast", users: { app: {} } });
  await cloud.ready(bucket, "files", namespace);
  assert.equal((await admin.get(BucketClaim, "bucket-files", namespace))?.spec.bucketClassName, bucketClass);
  await cloud.remove(bucket, "files", namespace);

  await cloud.change(app, name, namespace, { volume: { size: "20Gi" } });
  await eventually("the volumes have grown", async () =>
    (await volumes(namespace)).includes("data1-seaweedfs-volume-0 20Gi"),
  );
  await cloud.ready(app, name, namespace);
});

test("a SeaweedFS leaves nothing: volumes, certificates and the database go (features 118 and 194)", async () => {
  const namespace = await cloud.tenant("gone");
  await cloud.rest(300);
  const before = lines(await cloud.everything(namespace));
  await cloud.order(app, name, namespace, small);
  await cloud.ready(app, name, namespace);
  assert.deepEqual(await volumes(namespace), ["data1-seaweedfs-volume-0 1Gi"]);
  const observed = (await admin.list(WorkloadMonitor, { namespace })).items;
  assert.deepEqual(
    observed.map(({ metadata, status }) => `${metadata.name} ${status?.operational}`).toSorted(),
    ["db", "filer", "master", "s3", "volume"].map((part) => `seaweedfs-${part} true`),
    "feature 194",
  );
  for (const made of ["seaweedfs-ca-cert", "seaweedfs-client-cert", "seaweedfs-db-secret", "seaweedfs-db-app"])
    await eventually(made, () => admin.get(Secret, made, namespace));
  await cloud.remove(app, name, namespace);
  await eventually("the snapshots are equal", async () => {
    assert.deepEqual(lines(await cloud.everything(namespace)), before);
    return true;
  });
});

test("a SeaweedFS to be kept leaves its volumes, its authority and the database, which the next one has again", async () => {
  const namespace = await cloud.tenant("kept");
  const kept = async () => [
    await volumes(namespace),
    (await admin.get(Cluster, "seaweedfs-db", namespace))?.metadata.uid,
    (await admin.get(Secret, "seaweedfs-ca-cert", namespace))?.data?.["tls.key"],
  ];
  await cloud.order(app, name, namespace, { ...small, reclaimPolicy: "Retain" });
  await cloud.ready(app, name, namespace);
  const before = await kept();
  assert.ok(before.every((one) => one !== undefined));
  await cloud.remove(app, name, namespace);
  await cloud.rest();
  assert.deepEqual(await kept(), before);
  assert.equal(await admin.get(StatefulSet, "seaweedfs-volume", namespace), undefined);

  await cloud.order(app, name, namespace, { ...small, reclaimPolicy: "Delete" });
  await cloud.ready(app, name, namespace);
  assert.deepEqual(await kept(), before);
  await cloud.remove(app, name, namespace);
  await eventually("nothing is kept", async () => {
    assert.deepEqual(await kept(), [[], undefined, undefined]);
    return true;
  });
});

test("volumes named after the release are not left behind by an empty store beside them", async () => {
  const namespace = await cloud.tenant("renamed");
  const claim = (of: string) =>
    PersistentVolumeClaim(of, {
      namespace,
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    });
  await admin.create(PersistentVolumeClaim, claim("data1-seaweedfs-system-volume-0"));
  await cloud.order(app, name, namespace, small);
  const refused = await eventually("it is refused", async () => {
    const said = conditionOf(await cloud.get(app, name, namespace), "Ready");
    return said?.message.includes("empty store") === true ? said : undefined;
  });
  assert.equal(refused.status, "False");
  assert.match(refused.message, /data1-seaweedfs-system-volume-0/);
  assert.equal(await admin.get(Cluster, "seaweedfs-db", namespace), undefined);

  await admin.create(PersistentVolumeClaim, claim("data1-seaweedfs-volume-0"));
  await eventually("which of the two cannot be told", async () =>
    conditionOf(await cloud.get(app, name, namespace), "Ready")?.message.includes("cannot be told"),
  );
  await admin.delete(PersistentVolumeClaim, "data1-seaweedfs-system-volume-0", namespace);
  await cloud.ready(app, name, namespace);
  await cloud.remove(app, name, namespace);
});

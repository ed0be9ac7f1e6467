/** A registry of images under the real controllers, with the twin in Flux's and the operators' place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PersistentVolumeClaim, Secret } from "../../src/contracts/core.ts";
import { HelmRelease } from "../../src/contracts/helm-toolkit-fluxcd-io.ts";
import { BucketClaim } from "../../src/contracts/objectstorage-k8s-io.ts";
import { Cluster } from "../../src/contracts/postgresql-cnpg-io.ts";
import { valueAt } from "../../src/kube/json.ts";
import { appOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { lines } from "../support/everything.ts";

const cloud = await startCloud();
const namespace = await cloud.tenant("registries");
const { admin } = cloud;
const app = appOf("Harbor");

const claims = async () =>
  (await admin.list(PersistentVolumeClaim, { namespace })).items.map(({ metadata }) => metadata.name).toSorted();
const secret = async (name: string) => (await admin.get(Secret, name, namespace))?.data ?? {};
const text = (value: string | undefined) => Buffer.from(value ?? "", "base64").toString();

const small = { database: { replicas: 1, size: "1Gi" }, redis: { replicas: 1, size: "1Gi" }, trivy: { size: "1Gi" } };

test("a Harbor is ready with its bucket, database and Redis, and leaves nothing", async () => {
  const before = lines(await cloud.everything());
  await cloud.order(app, "r", namespace, small);
  await cloud.ready(app, "r", namespace);
  const [claim, keys] = [
    await admin.get(BucketClaim, "harbor-r-registry", namespace),
    await secret("harbor-r-registry-s3"),
  ];
  assert.equal(text(keys["REGISTRY_STORAGE_S3_BUCKET"]), claim?.status?.bucketName);
  const { "admin-password": password, url } = await secret("harbor-r-credentials");
  assert.match(text(url), /^https:\/\/harbor-r\./);
  const release = await admin.get(HelmRelease, "harbor-r-system", namespace);
  assert.ok(!JSON.stringify(release).includes(text(password)), "no password in the release");
  // The chart's own pair of keys is handed back to it, so that it makes no other.
  await eventually("the release is told of the pair of keys", async () =>
    JSON.stringify((await admin.get(HelmRelease, "harbor-r-system", namespace))?.spec.valuesFrom).includes("tokenKey"),
  );
  await cloud.ready(app, "r", namespace);
  assert.deepEqual(await claims(), [
    "data-harbor-r-trivy-0",
    "harbor-r-db-1",
    "harbor-r-jobservice",
    "redisfailover-persistent-data-rfr-harbor-r-redis-0",
  ]);

  await cloud.change(app, "r", namespace, { trivy: { size: "2Gi" } });
  await eventually("the scanner's volume has grown", async () => {
    const grown = await admin.get(PersistentVolumeClaim, "data-harbor-r-trivy-0", namespace);
    return grown?.spec.resources?.requests?.["storage"] === "2Gi";
  });
  await cloud.ready(app, "r", namespace);
  const values = valueAt(await admin.get(HelmRelease, "harbor-r-system", namespace), "spec", "values", "harbor");
  assert.equal(
    valueAt(values, "persistence", "persistentVolumeClaim", "trivy", "size"),
    "1Gi",
    "or Helm could not apply it",
  );

  await cloud.remove(app, "r", namespace);
  await eventually("the snapshots are equal", async () => {
    assert.deepEqual(lines(await cloud.everything()), before);
    return true;
  });
});

test("claims that the chart keeps go all the same (feature 120), and the database's with the database", async () => {
  await cloud.order(app, "k", namespace, small);
  await cloud.ready(app, "k", namespace);
  const kept = await admin.get(PersistentVolumeClaim, "harbor-k-jobservice", namespace);
  assert.equal(kept?.metadata.annotations?.["helm.sh/resource-policy"], "keep");
  const written = cloud.writes.length;
  await cloud.remove(app, "k", namespace);
  await eventually("no claim is left", async () => (await claims()).length === 0);
  const deleted = cloud.writes
    .slice(written)
    .filter(({ kind, verb }) => kind === "PersistentVolumeClaim" && verb === "delete");
  assert.ok(!deleted.some(({ name }) => name === "harbor-k-db-1"), "feature 121");
});

test("a Harbor to be kept leaves images, the database and passwords, which the next of its name has again", async () => {
  const kept = async () => [
    await claims(),
    (await admin.get(BucketClaim, "harbor-kept-registry", namespace))?.metadata.uid,
    (await admin.get(Cluster, "harbor-kept-db", namespace))?.metadata.uid,
    (await secret("harbor-kept-credentials"))["admin-password"],
  ];
  await cloud.order(app, "kept", namespace, { ...small, reclaimPolicy: "Retain" });
  await cloud.ready(app, "kept", namespace);
  const before = await kept();
  assert.ok(before.every((one) => one !== undefined));
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(await kept(), before);
  await cloud.order(app, "kept", namespace, { ...small, reclaimPolicy: "Delete" });
  await cloud.ready(app, "kept", namespace);
  assert.deepEqual(await kept(), before);
  await cloud.remove(app, "kept", namespace);
  await eventually("nothing is kept", async () => {
    assert.deepEqual(await kept(), [[], undefined, undefined, undefined]);
    return true;
  });
});

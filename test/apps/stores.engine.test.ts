/** Stores of documents, vectors and keys under the real controllers, with the twin in the operators' place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PersistentVolumeClaim, Secret } from "../../src/contracts/core.ts";
import { HelmRelease } from "../../src/contracts/helm-toolkit-fluxcd-io.ts";
import { valueAt } from "../../src/kube/json.ts";
import { appOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { lines } from "../support/everything.ts";

const cloud = await startCloud();
const namespace = await cloud.tenant("stores");
const { admin } = cloud;

const claims = async (labelSelector: string) =>
  (await admin.list(PersistentVolumeClaim, { namespace, labelSelector })).items.map(({ metadata }) => metadata.name);
const secret = async (name: string) => (await admin.get(Secret, name, namespace))?.data;

const qdrant = { replicas: 2, external: true, size: "1Gi" };

test("a Qdrant is ready with its servers and certificates, its volumes grow, and it leaves nothing (feature 115)", async () => {
  const app = appOf("Qdrant");
  const before = lines(await cloud.everything());
  await cloud.order(app, "v", namespace, qdrant);
  await cloud.ready(app, "v", namespace);
  const server = "app.kubernetes.io/instance=qdrant-v-system";
  assert.deepEqual(await claims(server), ["qdrant-storage-qdrant-v-0", "qdrant-storage-qdrant-v-1"]);
  assert.ok((await secret("qdrant-v-tls"))?.["tls.crt"], "the servers' certificate");
  assert.ok((await secret("qdrant-v-apikey"))?.["api-key"], "the key");

  await cloud.change(app, "v", namespace, { size: "2Gi" });
  await eventually("the volumes have grown", async () => {
    const { items } = await admin.list(PersistentVolumeClaim, { namespace, labelSelector: server });
    return items.every((claim) => claim.spec.resources?.requests?.["storage"] === "2Gi");
  });
  await cloud.ready(app, "v", namespace);
  await cloud.rest();
  const release = await admin.get(HelmRelease, "qdrant-v-system", namespace);
  assert.equal(
    valueAt(release, "spec", "values", "qdrant", "persistence", "size"),
    "1Gi",
    "or Helm could not apply it",
  );

  await cloud.remove(app, "v", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("a Qdrant to be kept leaves vectors and its authority, which the next of its name has again", async () => {
  const app = appOf("Qdrant");
  const before = lines(await cloud.everything());
  await cloud.order(app, "kept", namespace, { ...qdrant, reclaimPolicy: "Retain" });
  await cloud.ready(app, "kept", namespace);
  const kept = () => Promise.all(["ca", "tls"].map((name) => secret(`qdrant-kept-${name}`)));
  const secrets = await kept();

  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  const volumes = ["qdrant-storage-qdrant-kept-0", "qdrant-storage-qdrant-kept-1"];
  assert.deepEqual(await claims("app.kubernetes.io/instance=qdrant-kept-system"), volumes);
  assert.deepEqual(await kept(), secrets);

  await cloud.order(app, "kept", namespace, qdrant);
  await cloud.ready(app, "kept", namespace);
  assert.deepEqual(await kept(), secrets);
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

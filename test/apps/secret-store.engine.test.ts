/** A store of secrets under the real controllers, with the twin in Flux's place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PersistentVolumeClaim, Service } from "../../src/contracts/core.ts";
import { HelmRelease } from "../../src/contracts/helm-toolkit-fluxcd-io.ts";
import { ClusterRoleBinding } from "../../src/contracts/rbac.ts";
import { valueAt } from "../../src/kube/json.ts";
import { appOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { lines } from "../support/everything.ts";

const cloud = await startCloud();
const [namespace, other] = [await cloud.tenant("vaults"), await cloud.tenant("others")];
const { admin } = cloud;
const app = appOf("OpenBAO");

const claims = async () =>
  (await admin.list(PersistentVolumeClaim, { namespace })).items.map(
    ({ metadata, spec }) => `${metadata.name} ${spec.resources?.requests?.["storage"]}`,
  );

test("an OpenBAO is ready with its servers, its volumes grow, and it leaves nothing (feature 116)", async () => {
  const before = lines(await cloud.everything());
  await cloud.order(app, "v", namespace, { replicas: 2, size: "1Gi", external: true });
  await cloud.ready(app, "v", namespace);
  assert.deepEqual(await claims(), ["data-openbao-v-0 1Gi", "data-openbao-v-1 1Gi"]);
  const services = (await admin.list(Service, { namespace })).items.map(({ metadata }) => metadata.name);
  for (const name of ["openbao-v", "openbao-v-internal", "openbao-v-active"]) assert.ok(services.includes(name), name);

  await cloud.change(app, "v", namespace, { size: "2Gi" });
  await eventually("the volumes have grown", async () => (await claims()).every((claim) => claim.endsWith(" 2Gi")));
  await cloud.ready(app, "v", namespace);
  const release = await admin.get(HelmRelease, "openbao-v-system", namespace);
  const size = valueAt(release, "spec", "values", "openbao", "server", "dataStorage", "size");
  assert.equal(size, "1Gi", "or Helm could not apply it");

  await cloud.remove(app, "v", namespace);
  await eventually("the snapshots are equal", async () => {
    assert.deepEqual(lines(await cloud.everything()), before);
    return true;
  });
});

test("an OpenBAO to be kept leaves its volumes, which the next of its name has again", async () => {
  await cloud.order(app, "kept", namespace, { size: "1Gi", reclaimPolicy: "Retain" });
  await cloud.ready(app, "kept", namespace);
  const uid = async () => (await admin.get(PersistentVolumeClaim, "data-openbao-kept-0", namespace))?.metadata.uid;
  const before = await uid();
  assert.ok(before);
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.equal(await uid(), before);
  await cloud.order(app, "kept", namespace, { size: "1Gi" });
  await cloud.ready(app, "kept", namespace);
  assert.equal(await uid(), before);
  await cloud.remove(app, "kept", namespace);
  await eventually("the volume is gone", async () => (await uid()) === undefined);
});

test("two tenants have an OpenBAO of one name each, and each keeps its rights when the other's goes", async () => {
  for (const place of [namespace, other]) await cloud.order(app, "same", place, { size: "1Gi" });
  for (const place of [namespace, other]) await cloud.ready(app, "same", place);
  const binding = (place: string) => admin.get(ClusterRoleBinding, `${place}-openbao-same-server-binding`);
  assert.ok((await binding(namespace)) && (await binding(other)));
  await cloud.remove(app, "same", namespace);
  assert.equal(await binding(namespace), undefined);
  assert.ok(await binding(other));
  await cloud.remove(app, "same", other);
});

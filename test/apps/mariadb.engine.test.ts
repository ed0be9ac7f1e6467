/** MariaDB under the real controllers, with the twin in the operator's place: ready, changed, deleted, kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PersistentVolumeClaim, Secret } from "../../src/contracts/core.ts";
import { Database, Grant, MariaDB, User } from "../../src/contracts/k8s-mariadb-com.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { appOf, conditionOf, startCloud } from "../support/cloud.ts";
import { lines } from "../support/everything.ts";

const cloud = await startCloud();
const namespace = await cloud.tenant("shop");
const { admin } = cloud;
const app = appOf("MariaDB");

const volumes = async (name: string) => {
  const labelSelector = `app.kubernetes.io/instance=mariadb-${name}`;
  const { items } = await admin.list(PersistentVolumeClaim, { namespace, labelSelector });
  return items.map(({ metadata }) => metadata.name);
};
const secrets = (name: string) =>
  Promise.all(
    ["credentials", "metrics-password", "repl-password"].map(
      async (each) => (await admin.get(Secret, `mariadb-${name}-${each}`, namespace))?.data,
    ),
  );

const spec = {
  replicas: 2,
  size: "1Gi",
  users: { app: { password: "", maxUserConnections: 10 } },
  databases: { shop: { roles: { admin: ["app"] } } },
};

test("a MariaDB leaves nothing: volumes and the operator's password Secrets go (feature 122)", async () => {
  const before = lines(await cloud.everything());
  await cloud.order(app, "a", namespace, spec);
  await cloud.ready(app, "a", namespace);
  const users = await admin.list(User, { namespace });
  const databases = await admin.list(Database, { namespace });
  const grants = await admin.list(Grant, { namespace });
  const inServer: readonly KubeObject[] = [...users.items, ...databases.items, ...grants.items];
  assert.equal(inServer.length, 3);
  for (const item of inServer) assert.equal(conditionOf(item, "Ready")?.status, "True", item.metadata.name);
  assert.equal((await volumes("a")).length, 2);
  for (const secret of await secrets("a")) assert.ok(secret, "each of the three is there");

  await cloud.change(app, "a", namespace, { replicas: 1 });
  await cloud.ready(app, "a", namespace);
  await cloud.rest();
  assert.equal((await admin.get(MariaDB, "mariadb-a", namespace))?.spec.replication, undefined);

  await cloud.remove(app, "a", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("a MariaDB to be kept leaves volumes and passwords, which the next of its name has again", async () => {
  const before = lines(await cloud.everything());
  await cloud.order(app, "kept", namespace, { ...spec, reclaimPolicy: "Retain" });
  await cloud.ready(app, "kept", namespace);
  const passwords = await secrets("kept");

  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(await volumes("kept"), ["storage-mariadb-kept-0", "storage-mariadb-kept-1"]);
  assert.deepEqual(await secrets("kept"), passwords);

  await cloud.order(app, "kept", namespace, { ...spec, reclaimPolicy: "Delete" });
  await cloud.ready(app, "kept", namespace);
  assert.deepEqual(await secrets("kept"), passwords);
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

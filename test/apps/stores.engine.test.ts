/** Stores of documents, vectors and keys under the real controllers, with the twin in the operators' place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FoundationDBBackup, FoundationDBCluster } from "../../src/contracts/apps-foundationdb-org.ts";
import { PersistentVolumeClaim, Secret } from "../../src/contracts/core.ts";
import { HelmRelease } from "../../src/contracts/helm-toolkit-fluxcd-io.ts";
import { PerconaServerMongoDBRestore } from "../../src/contracts/psmdb-percona-com.ts";
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
  const key = (await secret("qdrant-v-apikey"))?.["api-key"];
  assert.equal((await secret("qdrant-v-key"))?.["api-key"], key, "the key that the chart was given");

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

test("a Qdrant to be kept leaves vectors, its key and its authority, which the next of its name has again", async () => {
  const app = appOf("Qdrant");
  const before = lines(await cloud.everything());
  await cloud.order(app, "kept", namespace, { ...qdrant, reclaimPolicy: "Retain" });
  await cloud.ready(app, "kept", namespace);
  const kept = () => Promise.all(["key", "ca", "tls"].map((name) => secret(`qdrant-kept-${name}`)));
  const key = (await secret("qdrant-kept-apikey"))?.["api-key"];
  const secrets = await kept();

  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  const volumes = ["qdrant-storage-qdrant-kept-0", "qdrant-storage-qdrant-kept-1"];
  assert.deepEqual(await claims("app.kubernetes.io/instance=qdrant-kept-system"), volumes);
  assert.deepEqual(await kept(), secrets);

  await cloud.order(app, "kept", namespace, qdrant);
  await cloud.ready(app, "kept", namespace);
  assert.deepEqual(await kept(), secrets);
  assert.equal((await secret("qdrant-kept-apikey"))?.["api-key"], key, "clients have the same key");
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

const mongodb = {
  replicas: 3,
  size: "1Gi",
  users: { app: {} },
  databases: { shop: { roles: { admin: ["app"] } } },
};

const text = async (name: string, key: string) =>
  Buffer.from((await secret(name))?.[key] ?? "", "base64").toString("utf8");

test("a MongoDB is ready, its administrator's password is handed on, and it leaves nothing", async () => {
  const app = appOf("MongoDB");
  const before = lines(await cloud.everything());
  await cloud.order(app, "d", namespace, mongodb);
  await cloud.ready(app, "d", namespace);
  await eventually("the administrator's password", async () => (await text("mongodb-d-credentials", "uri")) !== "");
  const password = await text("internal-mongodb-d-users", "MONGODB_DATABASE_ADMIN_PASSWORD");
  const host = `mongodb-d-rs0.${namespace}.svc.cozy.local:27017`;
  const uri = `mongodb://databaseAdmin:${password}@${host}/admin?replicaSet=rs0`;
  assert.equal(await text("mongodb-d-credentials", "uri"), uri);
  assert.equal(await text("mongodb-d-credentials", "password"), password);
  assert.equal((await text("mongodb-d-user-app", "password")).length, 16);
  const servers = [0, 1, 2].map((server) => `mongod-data-mongodb-d-rs0-${server}`);
  assert.deepEqual(await claims("app.kubernetes.io/instance=mongodb-d"), servers);

  await cloud.remove(app, "d", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("a MongoDB to be kept leaves documents and passwords, which the next of its name has again", async () => {
  const app = appOf("MongoDB");
  const before = lines(await cloud.everything());
  await cloud.order(app, "kept", namespace, { ...mongodb, reclaimPolicy: "Retain" });
  await cloud.ready(app, "kept", namespace);
  const names = ["internal-mongodb-kept-users", "mongodb-kept-user-app", "mongodb-kept-ssl"];
  const kept = () => Promise.all(names.map(secret));
  const secrets = await kept();
  assert.ok(secrets.every((data) => data !== undefined));
  const volumes = await claims("app.kubernetes.io/instance=mongodb-kept");
  assert.equal(volumes.length, 3);

  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(await claims("app.kubernetes.io/instance=mongodb-kept"), volumes);
  assert.deepEqual(await kept(), secrets);

  await cloud.order(app, "kept", namespace, mongodb);
  await cloud.ready(app, "kept", namespace);
  assert.deepEqual(await kept(), secrets);
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

const keys = { s3AccessKey: "AK", s3SecretKey: "SK" };

test("a backup is restored once: not again when its object is gone, and anew for another backup", async () => {
  const app = appOf("MongoDB");
  const restores = async () => (await admin.list(PerconaServerMongoDBRestore, { namespace })).items;
  const sharded = { sharding: true, shardingConfig: { shards: [{ name: "a", replicas: 1, size: "1Gi" }] } };
  const bootstrap = { enabled: true, backupName: "monday" };
  await cloud.order(app, "r", namespace, { ...sharded, external: true, bootstrap, backup: keys });
  await cloud.ready(app, "r", namespace);
  const [first, ...more] = await restores();
  assert.deepEqual([first?.status?.state, more], ["ready", []]);

  await admin.delete(PerconaServerMongoDBRestore, first?.metadata.name ?? "", namespace);
  await cloud.change(app, "r", namespace, { shardingConfig: { mongos: 1 } });
  await cloud.ready(app, "r", namespace);
  await cloud.rest();
  assert.deepEqual(await restores(), [], "or what was written since would be lost");

  await cloud.change(app, "r", namespace, { bootstrap: { backupName: "tuesday" } });
  await cloud.ready(app, "r", namespace);
  const [second] = await restores();
  assert.match(second?.spec.backupSource?.destination ?? "", /\/tuesday$/);
  await cloud.remove(app, "r", namespace);
});

const opensearch = { replicas: 2, size: "1Gi", external: true, users: { app: {} }, dashboards: { enabled: true } };

test("an OpenSearch is ready with its Dashboards, keeps its files through changes, and leaves nothing", async () => {
  const app = appOf("OpenSearch");
  const before = lines(await cloud.everything());
  await cloud.order(app, "s", namespace, opensearch);
  await cloud.ready(app, "s", namespace);
  const node = "opster.io/opensearch-cluster=opensearch-s";
  assert.deepEqual(await claims(node), ["data-opensearch-s-nodes-0", "data-opensearch-s-nodes-1"]);
  const files = await secret("opensearch-s-security-config");
  assert.equal(Object.keys(files ?? {}).length, 6);
  const password = await text("opensearch-s-admin-credentials", "password");
  assert.equal(await text("opensearch-s-credentials", "password"), password);

  const written = cloud.writes.length;
  await cloud.change(app, "s", namespace, { replicas: 3, dashboards: { enabled: false } });
  await cloud.ready(app, "s", namespace);
  await cloud.rest();
  assert.deepEqual(await secret("opensearch-s-security-config"), files);
  const toFiles = cloud.writes.slice(written).filter(({ path }) => path.includes("opensearch-s-security-config"));
  assert.deepEqual(toFiles, [], "the files are read back as they were written");
  const [claim] = (await admin.list(PersistentVolumeClaim, { namespace, labelSelector: node })).items;
  assert.equal(claim?.spec.storageClassName, "local");

  await cloud.remove(app, "s", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("an OpenSearch to be kept leaves documents and passwords, which the next of its name has again", async () => {
  const app = appOf("OpenSearch");
  const before = lines(await cloud.everything());
  await cloud.order(app, "kept", namespace, { ...opensearch, reclaimPolicy: "Retain" });
  await cloud.ready(app, "kept", namespace);
  const names = ["admin-credentials", "security-config", "user-app"].map((name) => `opensearch-kept-${name}`);
  const kept = () => Promise.all(names.map(secret));
  const secrets = await kept();
  assert.ok(secrets.every((data) => data !== undefined));

  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  const volumes = ["data-opensearch-kept-nodes-0", "data-opensearch-kept-nodes-1"];
  assert.deepEqual(await claims("opster.io/opensearch-cluster=opensearch-kept"), volumes);
  assert.deepEqual(await kept(), secrets);

  await cloud.order(app, "kept", namespace, opensearch);
  await cloud.ready(app, "kept", namespace);
  assert.deepEqual(await kept(), secrets);
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

const foundationdb = {
  cluster: { processCounts: { storage: 3 } },
  storage: { size: "1Gi" },
  backup: {
    enabled: true,
    s3: {
      bucket: "fdb",
      endpoint: "https://s3.example.org",
      credentials: { accessKeyId: "AK", secretAccessKey: "SK" },
    },
  },
};

test("a FoundationDB is ready with its backup, follows a change, and leaves nothing", async () => {
  const app = appOf("FoundationDB");
  const before = lines(await cloud.everything());
  await cloud.order(app, "f", namespace, foundationdb);
  await cloud.ready(app, "f", namespace);
  const server = "foundationdb.org/fdb-cluster-name=foundationdb-f";
  const storage = `${server},foundationdb.org/fdb-process-class=storage`;
  assert.equal((await claims(storage)).length, 3);
  const live = await admin.get(FoundationDBCluster, "foundationdb-f", namespace);
  assert.match(live?.status?.connectionString ?? "", /\.svc\.cozy\.local/);
  const backup = await admin.get(FoundationDBBackup, "foundationdb-f-backup", namespace);
  assert.equal(backup?.status?.backupDetails?.running, true);

  await cloud.change(app, "f", namespace, { cluster: { processCounts: { storage: 4 } }, backup: { enabled: false } });
  await cloud.ready(app, "f", namespace);
  assert.equal((await claims(storage)).length, 4);
  await eventually("the backup and its access are gone", async () => {
    const backup = await admin.get(FoundationDBBackup, "foundationdb-f-backup", namespace);
    return backup === undefined && (await secret("foundationdb-f-s3-creds")) === undefined;
  });

  await cloud.remove(app, "f", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("a FoundationDB to be kept leaves its volumes, which go with the next of its name", async () => {
  const app = appOf("FoundationDB");
  const before = lines(await cloud.everything());
  await cloud.order(app, "kept", namespace, { ...foundationdb, reclaimPolicy: "Retain" });
  await cloud.ready(app, "kept", namespace);
  const server = "foundationdb.org/fdb-cluster-name=foundationdb-kept";
  const volumes = await claims(server);
  assert.ok(volumes.length >= 3);

  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(await claims(server), volumes);

  await cloud.order(app, "kept", namespace, foundationdb);
  await cloud.ready(app, "kept", namespace);
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

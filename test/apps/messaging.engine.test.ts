/** Brokers under the real controllers, with the twin in the operators' place: ready, changed, deleted, kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PersistentVolumeClaim, Secret } from "../../src/contracts/core.ts";
import { HelmRelease } from "../../src/contracts/helm-toolkit-fluxcd-io.ts";
import { KafkaTopic } from "../../src/contracts/kafka-strimzi-io.ts";
import { Permission, User, Vhost } from "../../src/contracts/rabbitmq-com.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { appOf, conditionOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { lines } from "../support/everything.ts";

const cloud = await startCloud();
const namespace = await cloud.tenant("brokers");
const { admin } = cloud;

const claims = async (labelSelector: string) =>
  (await admin.list(PersistentVolumeClaim, { namespace, labelSelector })).items.map(({ metadata }) => metadata.name);
const secret = async (name: string) => (await admin.get(Secret, name, namespace))?.data;

const rabbit = {
  replicas: 2,
  size: "1Gi",
  users: { app: {}, reader: {} },
  vhosts: { orders: { roles: { admin: ["app"], readonly: ["reader"] } } },
};

test("a RabbitMQ is ready with its users and virtual hosts, follows a change, and leaves nothing", async () => {
  const app = appOf("RabbitMQ");
  const before = lines(await cloud.everything());
  await cloud.order(app, "mq", namespace, rabbit);
  await cloud.ready(app, "mq", namespace);
  const users = await admin.list(User, { namespace });
  const vhosts = await admin.list(Vhost, { namespace });
  const permissions = await admin.list(Permission, { namespace });
  const inCluster: readonly KubeObject[] = [...users.items, ...vhosts.items, ...permissions.items];
  assert.equal(inCluster.length, 5);
  for (const item of inCluster) assert.equal(conditionOf(item, "Ready")?.status, "True", item.metadata.name);
  assert.ok((await secret("rabbitmq-mq-default-user"))?.["connection_string"], "the operator's own user");

  await cloud.change(app, "mq", namespace, { vhosts: { orders: null } });
  const hash = await eventually("the loss of a virtual host's queues is to be confirmed", async () => {
    const said = conditionOf(await cloud.get(app, "mq", namespace), "Ready");
    return said?.reason === "ConfirmationRequired" ? /[0-9a-f]{16}/.exec(said.message)?.[0] : undefined;
  });
  assert.equal((await admin.list(Vhost, { namespace })).items.length, 1);
  await cloud.annotate(app, "mq", namespace, { "apps.cozystack.io/allow-data-loss": hash });
  await cloud.ready(app, "mq", namespace);
  await cloud.rest();
  assert.equal((await admin.list(Vhost, { namespace })).items.length, 0);

  await cloud.remove(app, "mq", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("a RabbitMQ to be kept leaves volumes and passwords, which the next of its name has again", async () => {
  const app = appOf("RabbitMQ");
  const before = lines(await cloud.everything());
  await cloud.order(app, "kept", namespace, { ...rabbit, reclaimPolicy: "Retain" });
  await cloud.ready(app, "kept", namespace);
  const opened = ["app-credentials", "default-user", "erlang-cookie"].map((name) => `rabbitmq-kept-${name}`);
  const passwords = await Promise.all(opened.map(secret));
  const volumes = await claims("app.kubernetes.io/name=rabbitmq-kept");
  assert.deepEqual(volumes, ["persistence-rabbitmq-kept-server-0", "persistence-rabbitmq-kept-server-1"]);

  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(await claims("app.kubernetes.io/name=rabbitmq-kept"), volumes);
  assert.deepEqual(await Promise.all(opened.map(secret)), passwords);

  await cloud.order(app, "kept", namespace, { ...rabbit, reclaimPolicy: "Delete" });
  await cloud.ready(app, "kept", namespace);
  assert.deepEqual(await Promise.all(opened.map(secret)), passwords);
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

const nats = { replicas: 2, external: true, users: { app: {} }, jetstream: { size: "1Gi" } };

test("a NATS is ready with its servers and certificates, its volumes grow, and it leaves nothing", async () => {
  const app = appOf("NATS");
  const before = lines(await cloud.everything());
  await cloud.order(app, "bus", namespace, nats);
  await cloud.ready(app, "bus", namespace);
  const volumes = ["nats-bus-js-nats-bus-0", "nats-bus-js-nats-bus-1"];
  const server = "app.kubernetes.io/instance=nats-bus-system,app.kubernetes.io/component=nats";
  assert.deepEqual(await claims(server), volumes);
  assert.ok((await secret("nats-bus-tls"))?.["tls.crt"], "the servers' certificate");
  const password = Buffer.from((await secret("nats-bus-credentials"))?.["app"] ?? "", "base64").toString();
  const values = Buffer.from((await secret("nats-bus-accounts"))?.["values.yaml"] ?? "", "base64").toString();
  assert.deepEqual(JSON.parse(values).nats.config.merge.accounts, { A: { users: [{ user: "app", password }] } });
  const release = await admin.get(HelmRelease, "nats-bus-system", namespace);
  assert.ok(!JSON.stringify(release).includes(password), "no password in the release");

  await cloud.change(app, "bus", namespace, { jetstream: { size: "2Gi" } });
  await eventually("the volumes have grown", async () => {
    const { items } = await admin.list(PersistentVolumeClaim, { namespace, labelSelector: server });
    return items.every((claim) => claim.spec.resources?.requests?.["storage"] === "2Gi");
  });
  await cloud.ready(app, "bus", namespace);
  await cloud.rest();
  const pvc = valueAt(await admin.get(HelmRelease, "nats-bus-system", namespace), "spec", "values", "nats", "config");
  assert.deepEqual(valueAt(pvc, "jetstream", "fileStore"), {
    enabled: true,
    maxSize: "2Gi",
    pvc: { enabled: true, size: "1Gi" },
  });

  await cloud.remove(app, "bus", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("a NATS to be kept leaves messages, passwords and its authority, which the next of its name has again", async () => {
  const app = appOf("NATS");
  const before = lines(await cloud.everything());
  await cloud.order(app, "kept", namespace, { ...nats, reclaimPolicy: "Retain" });
  await cloud.ready(app, "kept", namespace);
  const kept = () => Promise.all(["credentials", "ca", "tls"].map((name) => secret(`nats-kept-${name}`)));
  const secrets = await kept();
  const volumes = ["nats-kept-js-nats-kept-0", "nats-kept-js-nats-kept-1"];

  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(await claims("app.kubernetes.io/instance=nats-kept-system"), volumes);
  assert.deepEqual(await kept(), secrets);

  await cloud.order(app, "kept", namespace, nats);
  await cloud.ready(app, "kept", namespace);
  assert.deepEqual(await kept(), secrets);
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

const kafka = {
  external: true,
  topics: [{ name: "Orders_in", partitions: 3, replicas: 1, config: { "cleanup.policy": "compact" } }],
  kafka: { replicas: 1, size: "1Gi" },
  zookeeper: { replicas: 1, size: "1Gi" },
};

test("a Kafka is ready with its topics, and leaves nothing: topics go before the operator that lets go of them", async () => {
  const app = appOf("Kafka");
  const before = lines(await cloud.everything());
  await cloud.order(app, "log", namespace, kafka);
  await cloud.ready(app, "log", namespace);
  const topic = await admin.get(KafkaTopic, "kafka-log-orders-in", namespace);
  assert.equal(conditionOf(topic, "Ready")?.status, "True");
  assert.deepEqual(await claims("strimzi.io/cluster=kafka-log"), [
    "data-0-kafka-log-kafka-0",
    "data-kafka-log-zookeeper-0",
  ]);

  await cloud.remove(app, "log", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("a Kafka to be kept leaves messages and its authorities, which the next of its name has again", async () => {
  const app = appOf("Kafka");
  const before = lines(await cloud.everything());
  await cloud.order(app, "kept", namespace, { ...kafka, reclaimPolicy: "Retain" });
  await cloud.ready(app, "kept", namespace);
  const authorities = () =>
    Promise.all(["cluster-ca", "clients-ca", "cluster-ca-cert"].map((name) => secret(`kafka-kept-${name}`)));
  const kept = await authorities();
  const volumes = await claims("strimzi.io/cluster=kafka-kept");
  assert.equal(volumes.length, 2);

  const written = cloud.writes.length;
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  const toTopic = cloud.writes.slice(written).filter(({ kind }) => kind === "KafkaTopic");
  assert.match(toTopic[0]?.body ?? "", /"strimzi.io\/managed":"false"/, "or its operator deletes the messages");
  assert.equal(toTopic[1]?.verb, "delete");
  assert.deepEqual(await claims("strimzi.io/cluster=kafka-kept"), volumes);
  assert.deepEqual(await authorities(), kept);

  await cloud.order(app, "kept", namespace, kafka);
  await cloud.ready(app, "kept", namespace);
  assert.deepEqual(await authorities(), kept);
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

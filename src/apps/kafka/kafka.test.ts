import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { ConfigMap } from "../../contracts/core.ts";
import { impactRulesOf } from "../../contracts/index.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { kafka } from "./index.ts";
import { metricsRules } from "./metrics.ts";

const demo = (given: RenderGiven = {}) => renderApp(kafka, given);
const cluster = (given: RenderGiven = {}) => valueAt(demo(given).object("Kafka", "kafka-demo"), "spec");
const topic = (name: string, more: object = {}) => ({ name, partitions: 1, replicas: 1, config: {}, ...more });

test("the default is three brokers, three servers of ZooKeeper, and what observes them", () => {
  assert.deepEqual(
    demo().objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    [
      "ConfigMap/kafka-demo-metrics",
      "Kafka/kafka-demo",
      "VMPodScrape/kafka-demo",
      "WorkloadMonitor/kafka-demo",
      "WorkloadMonitor/kafka-demo-zookeeper",
      "Role/kafka-demo-dashboard-resources",
      "RoleBinding/kafka-demo-dashboard-resources",
    ],
  );
  assert.equal(valueAt(cluster(), "kafka", "replicas"), 3);
  assert.equal(valueAt(cluster(), "zookeeper", "replicas"), 3);
});

const inside = [
  { name: "plain", port: 9092, type: "internal", tls: false },
  { name: "tls", port: 9093, type: "internal", tls: true },
];
const outside = (tls: boolean) => [...inside, { name: "external", port: 9094, type: "loadbalancer", tls }];
const listeners = [
  { why: "none outside by default", spec: {}, is: inside },
  { why: "outside is encrypted", spec: { external: true }, is: outside(true) },
  {
    why: "outside without encryption, if asked for",
    spec: { external: true, tls: { enabled: false } },
    is: outside(false),
  },
  { why: "encryption alone makes no listener", spec: { tls: { enabled: true } }, is: inside },
  { why: "nor does its absence take one away", spec: { tls: { enabled: false } }, is: inside },
] as const;

for (const { why, spec, is } of listeners) {
  test(`listeners: ${why}`, () => {
    assert.deepEqual(valueAt(cluster({ spec }), "kafka", "listeners"), is);
    const services = ["kafka-demo-kafka-bootstrap"];
    const all = is.length === 3 ? [...services, "kafka-demo-kafka-external-bootstrap"] : services;
    assert.deepEqual(demo({ spec }).instance.exposure.services, all);
  });
}

const copies = [
  { brokers: 1, factor: 1, inSync: 1 },
  { brokers: 2, factor: 2, inSync: 2 },
  { brokers: 3, factor: 3, inSync: 2 },
  { brokers: 9, factor: 3, inSync: 2 },
] as const;

for (const { brokers, factor, inSync } of copies) {
  test(`${brokers} brokers keep ${factor} copies`, () => {
    assert.deepEqual(valueAt(cluster({ spec: { kafka: { replicas: brokers } } }), "kafka", "config"), {
      "offsets.topic.replication.factor": factor,
      "transaction.state.log.replication.factor": factor,
      "transaction.state.log.min.isr": inSync,
      "default.replication.factor": factor,
      "min.insync.replicas": inSync,
    });
  });
}

test("both kinds of servers have their own sizes and resources", () => {
  const spec = { kafka: { size: "20Gi", resourcesPreset: "c1.medium" }, zookeeper: { resources: { cpu: "2" } } };
  const rendered = cluster({ spec });
  assert.deepEqual(valueAt(rendered, "kafka", "storage"), {
    type: "jbod",
    volumes: [{ id: 0, type: "persistent-claim", size: "20Gi", deleteClaim: true }],
  });
  assert.deepEqual(valueAt(rendered, "zookeeper", "storage"), {
    type: "persistent-claim",
    size: "5Gi",
    deleteClaim: true,
  });
  assert.equal(valueAt(rendered, "kafka", "resources", "limits", "memory"), "2Gi");
  assert.equal(valueAt(rendered, "zookeeper", "resources", "limits", "cpu"), "2");
});

test("a size given as a number is a text, as the operator wants it", () => {
  const rendered = cluster({ spec: { kafka: { size: 1073741824 }, zookeeper: { size: 1 } } });
  assert.equal(valueAt([valueAt(rendered, "kafka", "storage", "volumes")].flat()[0], "size"), "1073741824");
  assert.equal(valueAt(rendered, "zookeeper", "storage", "size"), "1");
});

/** As upstream made it: no annotation, other rules. */
const takenOver = ConfigMap("kafka-demo-metrics", { data: { "kafka-metrics-config.yml": "rules: []\n" } });
const classes = [
  { why: "neither", kafka: "", zookeeper: "", existing: [], is: undefined },
  { why: "its own", kafka: "a", zookeeper: "b", existing: [], is: "b" },
  { why: "that of the brokers", kafka: "a", zookeeper: "", existing: [], is: "a" },
  { why: "that of the brokers in a running installation", kafka: "a", zookeeper: "b", existing: [takenOver], is: "a" },
] as const;

test("ZooKeeper's volumes have their own class where one is given, else that of the brokers", () => {
  for (const { why, existing, is, ...given } of classes) {
    const spec = { kafka: { storageClass: given.kafka }, zookeeper: { storageClass: given.zookeeper } };
    assert.equal(valueAt(cluster({ spec, existing }), "zookeeper", "storage", "class"), is, why);
  }
});

test("each kind of servers has its own rules of metrics; a running installation keeps what it has", () => {
  const key = (given: RenderGiven) =>
    valueAt(cluster(given), "zookeeper", "metricsConfig", "valueFrom", "configMapKeyRef", "key");
  const metrics = (given: RenderGiven) => demo(given).object("ConfigMap", "kafka-demo-metrics");
  assert.equal(key({}), "zookeeper-metrics-config.yml");
  assert.deepEqual(valueAt(metrics({}), "data"), metricsRules);
  const running = { existing: [takenOver] };
  assert.equal(key(running), "kafka-metrics-config.yml");
  assert.deepEqual(valueAt(metrics(running), "data"), takenOver.data);
  assert.equal(valueAt(metrics(running), "metadata", "annotations"), undefined);
  const annotations = { "internal.cozystack.io/metrics-rules": "own" };
  const drifted = { existing: [ConfigMap("kafka-demo-metrics", { annotations, data: { x: "y" } })] };
  assert.deepEqual(valueAt(metrics(drifted), "data"), metricsRules, "ours are put right");
});

test("the operators of topics and users have memory of their own, and may reach the API server", () => {
  const entity = valueAt(cluster(), "entityOperator");
  const resources = { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "512Mi" } };
  assert.deepEqual(valueAt(entity, "topicOperator"), { resources });
  assert.deepEqual(valueAt(entity, "userOperator"), { resources });
  assert.deepEqual(valueAt(entity, "template"), {
    pod: { metadata: { labels: { "policy.cozystack.io/allow-to-apiserver": "true" } }, enableServiceLinks: false },
  });
});

test("topics are objects with what is said of them", () => {
  const spec = {
    topics: [
      topic("testResults_A", { partitions: 3, replicas: 2, config: { "segment.ms": 3600000 } }),
      topic("my_orders.v1", { partitions: 0, replicas: 0 }),
    ],
  };
  const rendered = demo({ spec });
  const first = rendered.object("KafkaTopic", "kafka-demo-test-results-a");
  assert.equal(valueAt(first, "metadata", "labels", "strimzi.io/cluster"), "kafka-demo");
  assert.deepEqual(valueAt(first, "spec"), {
    topicName: "testResults_A",
    partitions: 3,
    replicas: 2,
    config: { "segment.ms": 3600000 },
  });
  const second = rendered.object("KafkaTopic", "kafka-demo-my-orders.v1");
  assert.deepEqual(valueAt(second, "spec"), { topicName: "my_orders.v1" }, "0 and nothing are left to the servers");
  assert.deepEqual(rendered.manifest("KafkaTopic", "kafka-demo-my-orders.v1")?.replaceOn, ["/spec/topicName"]);
  assert.equal(impactRulesOf("kafka.strimzi.io", "KafkaTopic").deletion, "losesData");
});

test("volumes that are to stay are not the operator's to delete, and are found by its label", () => {
  const rendered = cluster({ spec: { reclaimPolicy: "Retain" } });
  assert.equal(valueAt([valueAt(rendered, "kafka", "storage", "volumes")].flat()[0], "deleteClaim"), false);
  assert.equal(valueAt(rendered, "zookeeper", "storage", "deleteClaim"), false);
  assert.deepEqual(demo().instance.storage, [
    { group: "", kind: "PersistentVolumeClaim", labels: { "strimzi.io/cluster": "kafka-demo" } },
    {
      group: "",
      kind: "Secret",
      names: [
        "kafka-demo-cluster-ca",
        "kafka-demo-cluster-ca-cert",
        "kafka-demo-clients-ca",
        "kafka-demo-clients-ca-cert",
      ],
    },
  ]);
});

test("certificates are shown to the tenant, the authorities' keys are not", () => {
  const { secrets = [] } = demo({ spec: { external: true } }).instance.exposure;
  assert.deepEqual(secrets, ["kafka-demo-clients-ca-cert", "kafka-demo-cluster-ca-cert"]);
});

test("each kind of servers has a monitor with its own number and preset", () => {
  const spec = { kafka: { replicas: 2, resourcesPreset: "s1.small" }, zookeeper: { replicas: 5 } };
  const monitor = (name: string) => demo({ spec }).object("WorkloadMonitor", name);
  const expected = (type: string, replicas: number) => ({
    kind: "kafka",
    type,
    version: "0.0.0",
    replicas,
    minReplicas: 1,
    selector: { "app.kubernetes.io/instance": "kafka-demo", "app.kubernetes.io/name": type },
  });
  assert.deepEqual(valueAt(monitor("kafka-demo"), "spec"), expected("kafka", 2));
  assert.deepEqual(valueAt(monitor("kafka-demo-zookeeper"), "spec"), expected("zookeeper", 5));
  const preset = (name: string) =>
    valueAt(monitor(name), "metadata", "labels", "workloads.cozystack.io/resource-preset");
  assert.deepEqual([preset("kafka-demo"), preset("kafka-demo-zookeeper")], ["s1.small", "c1.small"]);
});

const refused = [
  { why: "no brokers", spec: { kafka: { replicas: 0 } }, field: "spec.kafka.replicas", says: /1/ },
  { why: "no ZooKeeper", spec: { zookeeper: { replicas: 0 } }, field: "spec.zookeeper.replicas", says: /1/ },
  {
    why: "a topic without settings",
    spec: { topics: [{ name: "a", partitions: 1, replicas: 1 }] },
    field: "spec.topics[0]",
    says: /config/,
  },
  { why: "a topic with a space", spec: { topics: [topic("a b")] }, field: "spec.topics[0].name", says: /./ },
  {
    why: "a topic's name of 250 characters",
    spec: { topics: [topic("x".repeat(250))] },
    field: "spec.topics[0].name",
    says: /249/,
  },
  {
    why: "less than no partitions",
    spec: { topics: [topic("a", { partitions: -1 })] },
    field: "spec.topics[0].partitions",
    says: /0/,
  },
  {
    why: "topics whose names become the same",
    spec: { topics: [topic("a_b"), topic("a-b")] },
    field: "spec",
    says: /kafka-demo-a-b would be rendered twice/,
  },
] as const;

for (const { why, spec, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo({ spec }),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}

test("refuses a name too long for the Service for clients outside", () => {
  const name = "x".repeat(33);
  const says = (error: unknown) => error instanceof Refusal && error.code === "NameTooLong" && /63/.test(error.message);
  assert.throws(() => demo({ name, spec: { external: true } }), says);
  assert.doesNotThrow(() => demo({ name }));
  assert.doesNotThrow(() => demo({ name: "x".repeat(32), spec: { external: true } }));
});

test("a name leaves room for the longest that the operator derives", () => {
  assert.equal(`kafka-${"x".repeat(kafka.longestName)}-zookeeper-client`.length, 63);
});

const spec = fc.record(
  {
    external: fc.boolean(),
    kafka: fc.record({ replicas: fc.integer({ min: 1, max: 9 }), storageClass: fc.constantFrom("", "local") }),
    topics: fc.uniqueArray(
      fc.record({
        name: fc.stringMatching(/^[a-z]{1,9}$/),
        partitions: fc.nat(9),
        replicas: fc.nat(3),
        config: fc.dictionary(fc.stringMatching(/^[a-z.]{1,9}$/), fc.oneof(fc.string(), fc.integer(), fc.boolean())),
      }),
      { selector: ({ name }) => name, maxLength: 4 },
    ),
    reclaimPolicy: fc.constantFrom("Delete", "Retain"),
  },
  { requiredKeys: [] },
);

test("property: a render depends on nothing but its input, makes no Secret, and every name has the release in it", () => {
  fc.assert(
    fc.property(spec, (wanted) => {
      const { objects } = demo({ spec: wanted });
      assert.deepEqual(objects, demo({ spec: wanted }).objects);
      for (const { kind, metadata } of objects) {
        assert.notEqual(kind, "Secret");
        assert.ok(metadata.name.startsWith("kafka-demo"));
      }
      assert.equal(objects.filter(({ kind }) => kind === "KafkaTopic").length, wanted.topics?.length ?? 0);
    }),
    { numRuns: 100 },
  );
});

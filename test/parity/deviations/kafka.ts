/**
 * Where kafka differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import { kebabCase } from "../../../src/sdk/kebab.ts";
import type { Deviation } from "../deviation.ts";

const kafkaObject = "kafka.strimzi.io/v1beta2/Kafka/{release}";

const topics = (values: unknown): readonly unknown[] => {
  const list = valueAt(values, "topics");
  return Array.isArray(list) ? list : [];
};

const topicName = /^[-_A-Za-z0-9]*[A-Za-z0-9]([.][A-Za-z0-9]([-_A-Za-z0-9]*[A-Za-z0-9])?)*$/;

function badTopics(values: unknown): boolean {
  const names = topics(values).map((topic) => String(valueAt(topic, "name")));
  const twice = new Set(names.map(kebabCase)).size < names.length;
  const bad = names.some((name) => !topicName.test(name) || name.length > 249);
  const count = (field: string) => topics(values).map((topic) => Number(valueAt(topic, field) ?? 0));
  return (
    twice || bad || [...count("partitions"), ...count("replicas")].some((number) => number < 0 || number > 2 ** 31)
  );
}

const part = (values: unknown, of: string): Readonly<Record<string, unknown>> => {
  const fields = valueAt(values, of);
  return isRecord(fields) ? fields : {};
};

export const kafka: readonly Deviation[] = [
  {
    class: "fault",
    cases: "all",
    object: kafkaObject,
    at: "/spec/zookeeper/metricsConfig/valueFrom/configMapKeyRef/key",
    only: "differs",
    becomes: "zookeeper-metrics-config.yml",
    reason:
      "ZooKeeper's exporter reads its own rules; upstream gave it those of the brokers. Others restart the servers: a running installation keeps what it has.",
  },
  {
    class: "design",
    cases: "all",
    object: "v1/ConfigMap/{release}-metrics",
    at: "/metadata/annotations",
    only: "extra",
    reason:
      "An annotation says that the exporter's rules are ours. Without it they are those of a running installation, which stay, since others restart the brokers.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: kafkaObject,
    at: "/spec/zookeeper/storage/class",
    when: (values) => (part(values, "zookeeper")["storageClass"] ?? "") !== "",
    test: "ZooKeeper's volumes have their own class where one is given, else that of the brokers",
    reason:
      "`zookeeper.storageClass` was in the schema and used nowhere: ZooKeeper's volumes had the brokers' class. New installations use it; a running one keeps its own, since volumes cannot move.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: kafkaObject,
    at: "/spec/kafka/storage/volumes/*/size",
    only: "differs",
    when: (values) => typeof part(values, "kafka")["size"] === "number",
    test: "a size given as a number is a text, as the operator wants it",
    reason: "A size given as a number is written as a text; the API server refused upstream's.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: kafkaObject,
    at: "/spec/zookeeper/storage/size",
    only: "differs",
    when: (values) => typeof part(values, "zookeeper")["size"] === "number",
    test: "a size given as a number is a text, as the operator wants it",
    reason: "A size given as a number is written as a text; the API server refused upstream's.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: badTopics,
    test: "refuses topics whose names become the same",
    reason:
      "Topics are refused of whose names no objects' names can be made, whose names become the same, or with numbers below 0; upstream failed in the middle of installing, or made one object twice.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => ["kafka", "zookeeper"].some((of) => Number(part(values, of)["replicas"] ?? 3) < 1),
    test: "refuses no brokers",
    reason: "Less than one server is refused; the API server refused upstream's object.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values, { release }) => valueAt(values, "external") === true && release.name.length > 38,
    test: "refuses a name too long for the Service for clients outside",
    reason:
      "A name from which the Service for clients outside cannot be made is refused; upstream's operator failed to make it.",
  },
  ...(["kafka", "zookeeper"] as const).flatMap((of): readonly Deviation[] => [
    {
      class: "design",
      cases: "unseen",
      edits: [`${of}.size`],
      test: `the server refuses: a volume of ${of} that shrinks`,
      reason: "A volume that shrinks is refused; upstream took it over and the operator ignored it.",
    },
    {
      class: "design",
      cases: "unseen",
      edits: [`${of}.storageClass`],
      test: `the server refuses: another storage class of ${of}`,
      reason: "A storage class is fixed once volumes exist; upstream's schema said so, and its server let it through.",
    },
  ]),
];

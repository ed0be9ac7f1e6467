import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { kafka } from "./index.ts";

const topic = (name: string, more: object = {}) => ({ name, partitions: 1, replicas: 1, config: {}, ...more });

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "a topic", spec: { topics: [topic("my_orders.v1", { config: { "segment.ms": 1, x: "y", z: true } })] } },
  {
    why: "a topic without settings",
    spec: { topics: [{ name: "a", partitions: 1, replicas: 1 }] },
    refused: /config: Required/,
  },
  { why: "a topic with a slash", spec: { topics: [topic("a/b")] }, refused: /spec\.topics\[0\]\.name/ },
  { why: "less than no partitions", spec: { topics: [topic("a", { partitions: -1 })] }, refused: /partitions/ },
  { why: "no brokers", spec: { kafka: { replicas: 0 } }, refused: /spec\.kafka\.replicas/ },
  { why: "whether it is encrypted, said by null", spec: { tls: { enabled: null } } },
  { why: "a volume of kafka that grows", before: { kafka: { size: "6Gi" } }, spec: { kafka: { size: "7Gi" } } },
  {
    why: "a volume of kafka that shrinks",
    before: { kafka: { size: "7Gi" } },
    spec: { kafka: { size: "6Gi" } },
    refused: /kafka\.size can grow but not shrink/,
  },
  {
    why: "another storage class of kafka",
    before: { kafka: { storageClass: "a" } },
    spec: { kafka: { storageClass: "b" } },
    refused: /storageClass is immutable/,
  },
  {
    why: "a volume of zookeeper that grows",
    before: { zookeeper: { size: "6Gi" } },
    spec: { zookeeper: { size: "7Gi" } },
  },
  {
    why: "a volume of zookeeper that shrinks",
    before: { zookeeper: { size: "7Gi" } },
    spec: { zookeeper: { size: "6Gi" } },
    refused: /zookeeper\.size can grow but not shrink/,
  },
  {
    why: "another storage class of zookeeper",
    before: { zookeeper: { storageClass: "a" } },
    spec: { zookeeper: { storageClass: "b" } },
    refused: /storageClass is immutable/,
  },
];

const check = await ruleChecker(kafka);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

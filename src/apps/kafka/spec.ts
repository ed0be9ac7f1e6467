/** What a user says about a Kafka. */
import { type Static, Type } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import type { Json } from "../../sdk/context.ts";
import {
  appSpec,
  flag,
  group,
  immutable,
  integer,
  listOf,
  open,
  replicas,
  sizing,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";
import { tlsField } from "../../sdk/tls.ts";
import { longestTopic, rules, topicName } from "./rules.ts";

const topic = open({
  name: text({ required: true, pattern: topicName, maxLength: longestTopic, description: "Name of the topic." }),
  partitions: integer({
    required: true,
    minimum: 0,
    maximum: 2_147_483_647,
    description: "Number of partitions; it can grow. 0: the servers' default.",
  }),
  replicas: integer({
    required: true,
    minimum: 0,
    maximum: 32767,
    description: "On how many servers each partition is. 0: the servers' default.",
  }),
  config: Type.Unsafe<Readonly<Record<string, Json>>>({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    description: "Settings of the topic.",
  }),
});

/** Brokers, or ZooKeeper's servers. */
const servers = (of: string, size: string) =>
  group(
    {
      replicas: replicas({ default: 3, minimum: 1, description: "Number of servers." }),
      ...sizing({ preset: "c1.small" }),
      size: volumeSize({ default: size, description: "Volume of each server; it can grow." }),
      storageClass: immutable(storageClassName()),
    },
    { description: `Servers of ${of}.` },
  );

export const KafkaSpec = appSpec(
  {
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    tls: tlsField("Encrypt the connections from outside. Absent: they are."),
    topics: listOf(topic, {
      maxItems: 1000,
      description: "Topics. One that is removed here is deleted with its messages.",
    }),
    kafka: servers("Kafka", "10Gi"),
    zookeeper: servers("ZooKeeper", "5Gi"),
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof KafkaSpec.schema>;
export type Input = AppInput<Spec>;

/**
 * Strimzi: Kafka with ZooKeeper, and topics in it.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { int64, oneOf, open, resourceRequirements, some, text, textMap } from "./fields.ts";
import { type ImpactRule, whenLess } from "./impact.ts";

const group = "kafka.strimzi.io";
const version = "v1beta2";

const metricsConfig = Type.Object({
  type: oneOf("jmxPrometheusExporter"),
  valueFrom: Type.Object({ configMapKeyRef: Type.Object({ name: text(), key: text() }) }),
});

const volume = Type.Object({
  type: oneOf("ephemeral", "persistent-claim"),
  id: Type.Optional(Type.Integer({ minimum: 0 })),
  size: Type.Optional(text()),
  class: Type.Optional(text()),
  deleteClaim: Type.Optional(Type.Boolean()),
});

const storage = Type.Object({
  type: oneOf("jbod"),
  volumes: Type.Optional(Type.Array(volume)),
});

const replicas = Type.Integer({ minimum: 1 });

const broker = Type.Object({
  replicas: Type.Optional(replicas),
  listeners: Type.Array(
    Type.Object({
      name: Type.String({ pattern: "^[a-z0-9]{1,11}$" }),
      port: Type.Integer({ minimum: 9092 }),
      type: oneOf("internal", "route", "loadbalancer", "nodeport", "ingress", "cluster-ip"),
      tls: Type.Boolean(),
    }),
  ),
  config: Type.Optional(open()),
  storage: Type.Optional(storage),
  resources: Type.Optional(resourceRequirements()),
  metricsConfig: Type.Optional(metricsConfig),
});

const keeper = Type.Object({
  replicas,
  storage: volume,
  resources: Type.Optional(resourceRequirements()),
  metricsConfig: Type.Optional(metricsConfig),
});

const operator = some({ resources: resourceRequirements() });

/** Conditions as Strimzi reports them: `status` is any text. */
const conditions = Type.Array(
  some({ type: text(), status: text(), reason: text(), message: text(), lastTransitionTime: text() }),
);

/** A volume's class is read while it is made, and who deletes it when it goes. */
const volumeImpacts = (path: string): Readonly<Record<string, ImpactRule>> => ({
  [`${path}.size`]: "inPlace",
  [`${path}.class`]: "none",
  [`${path}.deleteClaim`]: "inPlace",
});

export const Kafka = defineContract({
  group,
  version,
  kind: "Kafka",
  plural: "kafkas",
  shortNames: ["k"],
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      kafka: broker,
      // Absent where Kafka keeps its own metadata.
      zookeeper: Type.Optional(keeper),
      entityOperator: Type.Optional(
        some({
          topicOperator: operator,
          userOperator: operator,
          template: some({
            pod: some({
              metadata: some({ labels: textMap(), annotations: textMap() }),
              enableServiceLinks: Type.Boolean(),
            }),
          }),
        }),
      ),
    }),
    status: Type.Optional(
      some({
        conditions,
        observedGeneration: int64(),
        clusterId: text(),
        kafkaVersion: text(),
        listeners: Type.Array(some({ name: text(), type: text(), bootstrapServers: text() })),
      }),
    ),
  }),
  impact: {
    otherwise: "rolls",
    deletion: "losesData",
    at: {
      "spec.kafka.replicas": whenLess("none", "inPlace"),
      "spec.zookeeper.replicas": "rolls",
      ...volumeImpacts("spec.kafka.storage.volumes.*"),
      ...volumeImpacts("spec.zookeeper.storage"),
      // Pods of their own, which hold nothing.
      "spec.entityOperator": "inPlace",
    },
    fewer: { "spec.kafka.replicas": "go", "spec.zookeeper.replicas": "go" },
  },
});

/** A topic. Its messages go with it. */
export const KafkaTopic = defineContract({
  group,
  version,
  kind: "KafkaTopic",
  plural: "kafkatopics",
  shortNames: ["kt"],
  namespaced: true,
  schema: Type.Object({
    spec: some({
      topicName: text(),
      partitions: Type.Integer({ minimum: 1 }),
      replicas: Type.Integer({ format: "int32", minimum: 1, maximum: 32767 }),
      config: open(),
    }),
    status: Type.Optional(some({ conditions, observedGeneration: int64(), topicName: text(), topicId: text() })),
  }),
  impact: {
    otherwise: "inPlace",
    deletion: "losesData",
    // The operator that takes its finalizer off runs beside the brokers and goes with them.
    deleted: "first",
    letGo: { "strimzi.io/managed": "false" },
    at: { "spec.topicName": "losesData" },
  },
});

export const strimziContracts = [Kafka, KafkaTopic] as const;

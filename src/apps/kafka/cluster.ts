/** The brokers and ZooKeeper's servers: one object of the operator. */
import { ConfigMap } from "../../contracts/core.ts";
import { keptVolumes } from "../../contracts/impact.ts";
import { Kafka } from "../../contracts/kafka-strimzi-io.ts";
import { changing, type Rendered } from "../../sdk/manifest.ts";
import { optional } from "../../sdk/needs.ts";
import { resources } from "../../sdk/resources.ts";
import { tlsEnabled } from "../../sdk/tls.ts";
import { brokerKey, keeperKey, metricsRules } from "./metrics.ts";
import type { Input, Spec } from "./spec.ts";

const metricsName = (release: string): string => `${release}-metrics`;

/** On a ConfigMap with our own rules. Upstream's has none. */
const ownRules = "internal.cozystack.io/metrics-rules";

export const metricsNeed = ({ release }: Input) => optional(ConfigMap, metricsName(release));

/** The ConfigMap with the exporter's rules as it is; undefined where there is none. */
export type LiveMetrics = ConfigMap | undefined;

/** Whether the servers run as upstream made them. What is wrong there stays, because they would restart. */
const isTakenOver = (live: LiveMetrics): boolean =>
  live !== undefined && live.metadata.annotations?.[ownRules] === undefined;

export function metrics({ release }: Input, live: LiveMetrics): Rendered {
  if (live?.data !== undefined && isTakenOver(live)) return ConfigMap(metricsName(release), { data: live.data });
  return ConfigMap(metricsName(release), { annotations: { [ownRules]: "own" }, data: metricsRules });
}

function metricsConfig(release: string, key: string) {
  return {
    type: "jmxPrometheusExporter",
    valueFrom: { configMapKeyRef: { name: metricsName(release), key } },
  } as const;
}

function listeners(spec: Spec) {
  return [
    { name: "plain", port: 9092, type: "internal", tls: false },
    { name: "tls", port: 9093, type: "internal", tls: true },
    ...(spec.external ? [{ name: "external", port: 9094, type: "loadbalancer", tls: tlsEnabled(spec) } as const] : []),
  ] as const;
}

/** Copies of what the brokers themselves keep: as many as there are brokers, at most three. */
function replication(brokers: number) {
  const copies = brokers === 1 || brokers === 2 ? brokers : 3;
  const inSync = Math.min(copies, 2);
  return {
    "offsets.topic.replication.factor": copies,
    "transaction.state.log.replication.factor": copies,
    "transaction.state.log.min.isr": inSync,
    "default.replication.factor": copies,
    "min.insync.replicas": inSync,
  };
}

function volume({ reclaimPolicy }: Spec, size: string | number, storageClass: string) {
  return {
    type: "persistent-claim",
    size: String(size),
    ...(storageClass === "" ? {} : { class: storageClass }),
    deleteClaim: reclaimPolicy === "Delete",
  } as const;
}

/** Upstream asked for a class of ZooKeeper's volumes and used that of Kafka's. */
function keeperClass({ kafka, zookeeper }: Spec, live: LiveMetrics): string {
  return isTakenOver(live) || zookeeper.storageClass === "" ? kafka.storageClass : zookeeper.storageClass;
}

// What the tenant's limits give by default is too little for either.
const operator = {
  resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "512Mi" } },
};

export function cluster(input: Input, live: LiveMetrics): Rendered {
  const impacts = keptVolumes(input.spec, "spec.kafka.replicas", "spec.zookeeper.replicas");
  return changing(servers(input, live), { impacts });
}

function servers({ release, spec, context }: Input, live: LiveMetrics): Rendered {
  const { kafka, zookeeper } = spec;
  return Kafka(release, {
    // Labels of upstream's chart, which running installations have, and which the operator hands on.
    labels: { "app.kubernetes.io/instance": release, "app.kubernetes.io/managed-by": "Helm" },
    spec: {
      kafka: {
        replicas: kafka.replicas,
        resources: resources(kafka, context, "spec.kafka"),
        listeners: listeners(spec),
        config: replication(kafka.replicas),
        storage: { type: "jbod", volumes: [{ id: 0, ...volume(spec, kafka.size, kafka.storageClass) }] },
        metricsConfig: metricsConfig(release, brokerKey),
      },
      zookeeper: {
        replicas: zookeeper.replicas,
        resources: resources(zookeeper, context, "spec.zookeeper"),
        storage: volume(spec, zookeeper.size, keeperClass(spec, live)),
        metricsConfig: metricsConfig(release, isTakenOver(live) ? brokerKey : keeperKey),
      },
      entityOperator: {
        topicOperator: operator,
        userOperator: operator,
        template: {
          pod: {
            metadata: { labels: { "policy.cozystack.io/allow-to-apiserver": "true" } },
            enableServiceLinks: false,
          },
        },
      },
    },
  });
}

/** From a Kafka specification to its objects. */
import { KafkaTopic } from "../../contracts/kafka-strimzi-io.ts";
import { VMPodScrape } from "../../contracts/operator-victoriametrics-com.ts";
import type { Exposure, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { kebabCase } from "../../sdk/kebab.ts";
import { changing, type Rendered } from "../../sdk/manifest.ts";
import { check, externalBootstrap } from "./check.ts";
import { cluster, metrics, metricsNeed } from "./cluster.ts";
import type { Input, Spec } from "./spec.ts";

export function needs(input: Input) {
  return { metrics: metricsNeed(input) };
}

function topic(release: string, { name, partitions, replicas, config }: Spec["topics"][number]): Rendered {
  const object = KafkaTopic(`${release}-${kebabCase(name)}`, {
    labels: { "strimzi.io/cluster": release },
    spec: {
      topicName: name,
      ...(partitions === 0 ? {} : { partitions }),
      ...(replicas === 0 ? {} : { replicas }),
      ...(Object.keys(config).length === 0 ? {} : { config }),
    },
  });
  // Names that differ in spelling only make objects of one name, and a topic cannot be renamed.
  return changing(object, { replaceOn: ["/spec/topicName"] });
}

/** A label of the pod's place, under a name of ours. */
const placeLabel = (source: string, targetLabel: string) => ({
  action: "replace",
  sourceLabels: [`__meta_kubernetes_${source}`],
  targetLabel,
  separator: ";",
  regex: "(.*)",
  replacement: "$1",
});

function scrape(release: string): Rendered {
  return VMPodScrape(release, {
    spec: {
      selector: { matchLabels: { "app.kubernetes.io/instance": release } },
      podMetricsEndpoints: [
        {
          port: "tcp-prometheus",
          scheme: "http",
          relabelConfigs: [
            {
              action: "labelmap",
              regex: "__meta_kubernetes_pod_label_(strimzi_io_.+)",
              replacement: "$1",
              separator: ";",
            },
            placeLabel("namespace", "namespace"),
            placeLabel("pod_name", "pod"),
            placeLabel("pod_node_name", "node"),
            placeLabel("pod_host_ip", "node_ip"),
          ],
        },
      ],
    },
  });
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { release, spec, needs: live } = input;
  check(input);
  return [
    metrics(input, live.metrics),
    cluster(input, live.metrics),
    ...spec.topics.map((each) => topic(release, each)),
    scrape(release),
  ];
}

export function monitors({ release, spec }: Input): readonly Monitor[] {
  const monitor = (name: string, type: "kafka" | "zookeeper") => ({
    name,
    type,
    replicas: spec[type].replicas,
    minReplicas: 1,
    selector: { "app.kubernetes.io/instance": release, "app.kubernetes.io/name": type },
    preset: spec[type].resourcesPreset,
  });
  return [monitor(release, "kafka"), monitor(`${release}-zookeeper`, "zookeeper")];
}

/** Certificates only: the authorities' keys are in Secrets of similar names. */
export function expose({ release, spec }: Input): Exposure {
  return {
    services: [`${release}-kafka-bootstrap`, ...(spec.external ? [externalBootstrap(release)] : [])],
    secrets: [`${release}-clients-ca-cert`, `${release}-cluster-ca-cert`],
    monitors: [release, `${release}-zookeeper`],
  };
}

/** Messages, and the operator's two authorities, which clients trust. */
export function claims({ release }: Input): readonly StorageClaim[] {
  const authorities = [`${release}-cluster-ca`, `${release}-clients-ca`];
  return [
    { group: "", kind: "PersistentVolumeClaim", labels: { "strimzi.io/cluster": release } },
    { group: "", kind: "Secret", names: authorities.flatMap((name) => [name, `${name}-cert`]) },
  ];
}

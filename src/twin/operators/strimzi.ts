/**
 * Plays Strimzi: brokers and ZooKeeper's servers as pods with volumes of their own, Services, the two authorities, the entity
 * operator; and topics, which that one makes and lets go of only while it runs.
 */
import { Deployment } from "../../contracts/apps.ts";
import { PersistentVolumeClaim, Pod, Secret, Service } from "../../contracts/core.ts";
import { Kafka, KafkaTopic } from "../../contracts/kafka-strimzi-io.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Player, player, type Scene } from "../player.ts";
import { conditionOf, container, isReady, madeOnce, podSpec, upTo } from "./parts.ts";

type Cluster = ReturnType<typeof Kafka>;

function labelsOf({ metadata: { name, labels } }: Cluster, component: string) {
  return {
    ...labels,
    "app.kubernetes.io/name": component,
    "app.kubernetes.io/instance": name,
    "app.kubernetes.io/managed-by": "strimzi-cluster-operator",
    "app.kubernetes.io/part-of": `strimzi-${name}`,
    "strimzi.io/cluster": name,
    "strimzi.io/kind": "Kafka",
    "strimzi.io/name": `${name}-${component}`,
  };
}

interface Volume {
  readonly size?: string;
  readonly class?: string;
  readonly deleteClaim?: boolean;
}

/** Servers of one kind: their pods, and their claims apart, since these may outlive the cluster. */
function servers(cluster: Cluster, component: "kafka" | "zookeeper", replicas: number, volume: Volume, prefix: string) {
  const labels = labelsOf(cluster, component);
  const all = upTo(replicas).map((index) => {
    const name = `${cluster.metadata.name}-${component}-${index}`;
    const claim = `${prefix}-${name}`;
    return {
      claim: PersistentVolumeClaim(claim, {
        labels,
        spec: {
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: volume.size ?? "1Gi" } },
          ...(volume.class === undefined ? {} : { storageClassName: volume.class }),
        },
      }),
      pod: Pod(name, {
        labels: { ...labels, "strimzi.io/pod-name": name },
        spec: podSpec([container(component, "quay.io/strimzi/kafka:simulated")], {
          volumes: [{ name: "data", persistentVolumeClaim: { claimName: claim } }],
        }),
      }),
    };
  });
  return { pods: all.map(({ pod }) => pod), claims: all.map(({ claim }) => claim), kept: volume.deleteClaim !== true };
}

function services(cluster: Cluster): readonly KubeObject[] {
  const { name } = cluster.metadata;
  const made = (suffix: string, component: string, ports: readonly number[], more: object = {}) =>
    Service(`${name}-${suffix}`, {
      labels: labelsOf(cluster, component),
      spec: {
        selector: { "strimzi.io/cluster": name, "strimzi.io/name": `${name}-${component}` },
        ports: ports.map((port) => ({ name: `tcp-${port}`, port, protocol: "TCP" })),
        ...more,
      },
    });
  const headless = { clusterIP: "None", publishNotReadyAddresses: true };
  const outside = cluster.spec.kafka.listeners.filter(({ type }) => type === "loadbalancer");
  return [
    made("kafka-bootstrap", "kafka", [9091, 9092, 9093]),
    made("kafka-brokers", "kafka", [9090, 9091, 9092, 9093], headless),
    ...outside.map(({ name: each, port }) =>
      made(`kafka-${each}-bootstrap`, "kafka", [port], { type: "LoadBalancer" }),
    ),
    made("zookeeper-client", "zookeeper", [2181]),
    made("zookeeper-nodes", "zookeeper", [2181, 2888, 3888], headless),
  ];
}

function authorities(cluster: Cluster, scene: Scene): readonly KubeObject[] {
  const { name, namespace } = cluster.metadata;
  // Not named as a component: with the longest names of clusters the label's value would be too long.
  const { "strimzi.io/name": _, ...labels } = labelsOf(cluster, "certificate-authority");
  return ["cluster", "clients"].flatMap((of) => [
    madeOnce(`${name}-${of}-ca`, { "ca.key": scene.token(`${of} ca key`, 64) }, { namespace, labels }, scene),
    madeOnce(`${name}-${of}-ca-cert`, { "ca.crt": scene.certificate }, { namespace, labels }, scene),
  ]);
}

function entityOperator(cluster: Cluster): KubeObject {
  const labels = {
    ...labelsOf(cluster, "entity-operator"),
    ...cluster.spec.entityOperator?.template?.pod?.metadata?.labels,
  };
  const operators = ["topic-operator", "user-operator"].map((name) =>
    container(name, "quay.io/strimzi/operator:simulated"),
  );
  return Deployment(`${cluster.metadata.name}-entity-operator`, {
    labels,
    spec: {
      replicas: 1,
      selector: { matchLabels: { "strimzi.io/name": labels["strimzi.io/name"] } },
      template: { metadata: { labels }, spec: podSpec(operators) },
    },
  });
}

const cluster: Player<Cluster> = {
  kind: Kafka,
  makes: [Pod, PersistentVolumeClaim, Service, Secret, Deployment],
  reads: [Secret],
  play(object, scene) {
    const { kafka, zookeeper } = object.spec;
    const { generation = 1 } = object.metadata;
    const parts = [
      servers(object, "kafka", kafka.replicas ?? 1, kafka.storage?.volumes?.[0] ?? {}, "data-0"),
      ...(zookeeper === undefined ? [] : [servers(object, "zookeeper", zookeeper.replicas, zookeeper.storage, "data")]),
    ];
    const wanted = parts.flatMap(({ pods }) => pods);
    const refuses = scene.behaviour === "refuses";
    const whole = scene.behaviour === "normal" && scene.children(Pod).filter(isReady).length >= wanted.length;
    const says = refuses
      ? { reason: "InvalidResourceException", message: "refused on request" }
      : whole
        ? { reason: "" }
        : { reason: "Creating", message: "Kafka cluster is being deployed" };
    const status = {
      observedGeneration: generation,
      clusterId: scene.token("cluster id", 22),
      conditions: [conditionOf(refuses || !whole ? "NotReady" : "Ready", true, says, object.status?.conditions, scene)],
    };
    if (refuses) return { children: [], status };
    const claims = (kept: boolean) => parts.filter((part) => part.kept === kept).flatMap((part) => part.claims);
    return {
      children: [
        ...authorities(object, scene),
        ...services(object),
        ...claims(false),
        ...wanted,
        // The topic operator starts once there are brokers to speak to.
        ...(whole ? [entityOperator(object)] : scene.children(Deployment)),
      ],
      unowned: claims(true),
      status,
    };
  },
};

const topic: Player<ReturnType<typeof KafkaTopic>> = {
  kind: KafkaTopic,
  makes: [],
  reads: [Kafka],
  finalizer: "strimzi.io/topic-operator",
  play(object, scene) {
    const { generation = 1, labels, namespace } = object.metadata;
    const isUp = clusterOf(labels, namespace, scene)?.status?.conditions?.some(({ type }) => type === "Ready") === true;
    if (!isUp || scene.behaviour === "neverReady") return { children: [] };
    const refuses = scene.behaviour === "refuses";
    const says = refuses ? { reason: "KafkaError", message: "refused on request" } : { reason: "" };
    return {
      children: [],
      status: {
        observedGeneration: generation,
        topicName: object.spec.topicName ?? object.metadata.name,
        conditions: [conditionOf("Ready", !refuses, says, object.status?.conditions, scene)],
      },
    };
  },
  farewell({ metadata: { labels, namespace } }, scene) {
    const found = clusterOf(labels, namespace, scene);
    return found === undefined || found.metadata.deletionTimestamp !== undefined ? "notYet" : [];
  },
};

function clusterOf(labels: Readonly<Record<string, string>> | undefined, namespace: string | undefined, scene: Scene) {
  return scene.find(Kafka, labels?.["strimzi.io/cluster"] ?? "", namespace);
}

export const strimzi = [player(cluster), player(topic)];

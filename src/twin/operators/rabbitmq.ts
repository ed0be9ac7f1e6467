/**
 * Plays RabbitMQ's two operators: a StatefulSet of servers with its Services and Secrets, and what is in the cluster, which
 * is reported as made once the servers run.
 */
import { StatefulSet } from "../../contracts/apps.ts";
import { Secret, Service } from "../../contracts/core.ts";
import { Permission, RabbitmqCluster, User, Vhost } from "../../contracts/rabbitmq-com.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Player, player, type Scene } from "../player.ts";
import { conditionOf, container, madeOnce, ownedBy, podSpec } from "./parts.ts";

type Cluster = ReturnType<typeof RabbitmqCluster>;

const labelsOf = (name: string) => ({
  "app.kubernetes.io/name": name,
  "app.kubernetes.io/component": "rabbitmq",
  "app.kubernetes.io/part-of": "rabbitmq",
});

function servers(cluster: Cluster): KubeObject {
  const { name } = cluster.metadata;
  const { replicas = 1, image, resources, persistence = {}, override } = cluster.spec;
  const { storage = "10Gi", storageClassName } = persistence;
  const labels = labelsOf(name);
  return StatefulSet(`${name}-server`, {
    labels,
    spec: {
      replicas,
      serviceName: `${name}-nodes`,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: { "app.kubernetes.io/name": name } },
      template: {
        metadata: { labels: { ...labels, ...override?.statefulSet?.spec?.template?.metadata?.labels } },
        spec: podSpec([container("rabbitmq", image, resources === undefined ? {} : { resources })]),
      },
      volumeClaimTemplates: [
        {
          // Claims belong to the cluster, and go with it.
          metadata: { name: "persistence", labels, ownerReferences: [ownedBy(cluster)] },
          spec: {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage } },
            ...(storageClassName === undefined ? {} : { storageClassName }),
          },
        },
      ],
    },
  });
}

function defaultUser(cluster: Cluster, scene: Scene): KubeObject {
  const { name, namespace = "" } = cluster.metadata;
  const login = {
    username: `default_user_${scene.token("default user", 16)}`,
    password: scene.token("default password", 32),
    host: `${name}.${namespace}.svc`,
    port: "5672",
    provider: "rabbitmq",
    type: "rabbitmq",
  };
  const uri = `amqp://${login.username}:${login.password}@${login.host}:${login.port}/`;
  const data = { ...login, connection_string: uri };
  return madeOnce(`${name}-default-user`, data, { namespace, labels: labelsOf(name) }, scene);
}

function services(cluster: Cluster): readonly KubeObject[] {
  const { name } = cluster.metadata;
  const labels = labelsOf(name);
  const selector = { "app.kubernetes.io/name": name };
  const port = (portName: string, number: number) => ({ name: portName, port: number, protocol: "TCP" as const });
  const ports = [port("amqp", 5672), port("management", 15672), port("prometheus", 15692)];
  const between = [port("epmd", 4369), port("cluster-rpc", 25672)];
  return [
    Service(name, { labels, spec: { type: cluster.spec.service?.type ?? "ClusterIP", selector, ports } }),
    Service(`${name}-nodes`, {
      labels,
      spec: { clusterIP: "None", selector, publishNotReadyAddresses: true, ports: between },
    }),
  ];
}

function statusOf(cluster: Cluster, scene: Scene): object {
  const { name, namespace = "", generation = 1 } = cluster.metadata;
  const [set] = scene.children(StatefulSet);
  const ready = set?.status?.readyReplicas ?? 0;
  const whole = ready >= (cluster.spec.replicas ?? 1) && scene.behaviour === "normal";
  const before = cluster.status?.conditions;
  const refuses = scene.behaviour === "refuses";
  return {
    observedGeneration: generation,
    binding: { name: `${name}-default-user` },
    defaultUser: {
      secretReference: {
        name: `${name}-default-user`,
        namespace,
        keys: { username: "username", password: "password" },
      },
      serviceReference: { name, namespace },
    },
    conditions: [
      conditionOf(
        "AllReplicasReady",
        whole,
        { reason: whole ? "AllPodsAreReady" : "NotAllPodsReady", message: `${ready} servers are ready` },
        before,
        scene,
      ),
      conditionOf(
        "ClusterAvailable",
        ready > 0,
        { reason: ready > 0 ? "AtLeastOneEndpointAvailable" : "NoEndpointsAvailable" },
        before,
        scene,
      ),
      conditionOf(
        "ReconcileSuccess",
        !refuses,
        refuses ? { reason: "Error", message: "refused on request" } : { reason: "Success" },
        before,
        scene,
      ),
    ],
  };
}

const cluster: Player<Cluster> = {
  kind: RabbitmqCluster,
  makes: [StatefulSet, Service, Secret],
  reads: [Secret],
  finalizer: "deletion.finalizers.rabbitmqclusters.rabbitmq.com",
  play(object, scene) {
    const status = statusOf(object, scene);
    if (scene.behaviour === "refuses") return { children: [], status };
    const { name, namespace } = object.metadata;
    const cookie = { ".erlang.cookie": scene.token("cookie", 24) };
    const secrets = [
      defaultUser(object, scene),
      madeOnce(`${name}-erlang-cookie`, cookie, { namespace, labels: labelsOf(name) }, scene),
    ];
    return { children: [...secrets, ...services(object), servers(object)], status };
  },
};

/** An object of the topology operator. */
interface InCluster extends KubeObject {
  readonly spec: { readonly rabbitmqClusterReference: { readonly name?: string } };
  readonly status?: { readonly conditions?: Parameters<typeof conditionOf>[3] };
}

/** What the operator reports of it: made once a server can be asked. */
function reported(object: InCluster, scene: Scene) {
  const { namespace, generation = 1 } = object.metadata;
  const found = scene.find(RabbitmqCluster, object.spec.rabbitmqClusterReference.name ?? "", namespace);
  const available = found?.status?.conditions.some((one) => one.type === "ClusterAvailable" && one.status === "True");
  const made = available === true && scene.behaviour === "normal";
  const says = made
    ? { reason: "SuccessfulCreateOrUpdate" }
    : {
        reason: "FailedCreateOrUpdate",
        message: found === undefined ? "no such cluster" : "the cluster cannot be reached",
      };
  return {
    observedGeneration: generation,
    conditions: [conditionOf("Ready", made, says, object.status?.conditions, scene)],
  };
}

const user: Player<ReturnType<typeof User>> = {
  kind: User,
  makes: [Secret],
  reads: [RabbitmqCluster, Secret],
  finalizer: "deletion.finalizers.users.rabbitmq.com",
  play(object, scene) {
    const { name, namespace } = object.metadata;
    const given = scene.find(Secret, object.spec.importCredentialsSecret?.name ?? "", namespace)?.data;
    if (given === undefined) return { children: [] };
    const copy = `${name}-user-credentials`;
    const username = Buffer.from(given["username"] ?? "", "base64").toString();
    return {
      children: [Secret(copy, { type: "Opaque", data: { ...given } })],
      status: { ...reported(object, scene), username, credentials: { name: copy } },
    };
  },
};

const vhost: Player<ReturnType<typeof Vhost>> = {
  kind: Vhost,
  makes: [],
  reads: [RabbitmqCluster],
  finalizer: "deletion.finalizers.vhosts.rabbitmq.com",
  play: (object, scene) => ({ children: [], status: reported(object, scene) }),
};

const permission: Player<ReturnType<typeof Permission>> = {
  kind: Permission,
  makes: [],
  reads: [RabbitmqCluster],
  finalizer: "deletion.finalizers.permissions.rabbitmq.com",
  play: (object, scene) => ({ children: [], status: reported(object, scene) }),
};

export const rabbitmq = [player(cluster), player(user), player(vhost), player(permission)];

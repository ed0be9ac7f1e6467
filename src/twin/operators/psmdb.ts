/**
 * Plays Percona's operator for MongoDB: servers as replica sets, with routers where they are sharded, and the Secrets that it
 * makes for itself; restores, which end once the servers run.
 */
import { StatefulSet } from "../../contracts/apps.ts";
import { PersistentVolumeClaim, Secret, Service } from "../../contracts/core.ts";
import { PerconaServerMongoDB, PerconaServerMongoDBRestore } from "../../contracts/psmdb-percona-com.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Player, player, type Scene } from "../player.ts";
import { container, madeOnce, podSpec, upTo } from "./parts.ts";

type Cluster = ReturnType<typeof PerconaServerMongoDB>;
type Replset = NonNullable<Cluster["spec"]["replsets"]>[number];

interface Set {
  readonly name: string;
  readonly component: "cfg" | "mongod" | "mongos";
  readonly size: number;
  readonly of: Omit<Replset, "size">;
}

/** Everything that runs, by the operator's names. */
function sets({ spec }: Cluster): readonly Set[] {
  const { enabled, configsvrReplSet, mongos } = spec.sharding ?? { enabled: false };
  const replsets = (spec.replsets ?? []).map((of): Set => {
    return { name: of.name ?? "rs0", component: "mongod", size: of.size, of };
  });
  if (!enabled) return replsets;
  const { size = 1, expose: _, ...of } = mongos ?? {};
  return [
    ...replsets,
    ...(configsvrReplSet === undefined
      ? []
      : [{ name: "cfg", component: "cfg" as const, size: configsvrReplSet.size, of: configsvrReplSet }]),
    { name: "mongos", component: "mongos", size, of },
  ];
}

const labelsOf = ({ metadata: { name } }: Cluster, set?: Set) => ({
  "app.kubernetes.io/name": "percona-server-mongodb",
  "app.kubernetes.io/instance": name,
  "app.kubernetes.io/managed-by": "percona-server-mongodb-operator",
  "app.kubernetes.io/part-of": "percona-server-mongodb",
  ...(set === undefined ? {} : { "app.kubernetes.io/component": set.component }),
  ...(set === undefined || set.component === "mongos" ? {} : { "app.kubernetes.io/replset": set.name }),
});

function servers(cluster: Cluster, set: Set): KubeObject {
  const labels = labelsOf(cluster, set);
  const { resources, volumeSpec } = set.of;
  const claim = volumeSpec?.persistentVolumeClaim;
  return StatefulSet(`${cluster.metadata.name}-${set.name}`, {
    labels,
    spec: {
      replicas: set.size,
      serviceName: `${cluster.metadata.name}-${set.name}`,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: podSpec([
          container(
            set.component === "mongos" ? "mongos" : "mongod",
            cluster.spec.image,
            resources === undefined ? {} : { resources },
          ),
        ]),
      },
      volumeClaimTemplates: claim === undefined ? [] : [{ metadata: { name: "mongod-data", labels }, spec: claim }],
    },
  });
}

const ports = [{ name: "mongodb", port: 27017, protocol: "TCP" as const }];

function services(cluster: Cluster, set: Set): readonly KubeObject[] {
  const name = `${cluster.metadata.name}-${set.name}`;
  const labels = labelsOf(cluster, set);
  const headless = set.component === "mongos" ? {} : { clusterIP: "None", publishNotReadyAddresses: true };
  const outside = set.of.expose?.enabled === true && set.of.expose.type === "LoadBalancer" ? upTo(set.size) : [];
  return [
    Service(name, { labels, spec: { ...headless, selector: labels, ports } }),
    ...outside.map((server) =>
      Service(`${name}-${server}`, {
        labels,
        spec: {
          type: "LoadBalancer",
          selector: { ...labels, "statefulset.kubernetes.io/pod-name": `${name}-${server}` },
          ports,
        },
      }),
    ),
  ];
}

const systemUsers = ["BACKUP", "DATABASE_ADMIN", "CLUSTER_ADMIN", "CLUSTER_MONITOR", "USER_ADMIN"] as const;

const usersSecret = ({ metadata: { name }, spec }: Cluster): string => spec.secrets?.users ?? `${name}-secrets`;

/** Secrets that belong to nobody. Those of the operator itself go with the volumes, those of cert-manager stay. */
const passwordSecrets = (cluster: Cluster): readonly string[] => {
  const { name } = cluster.metadata;
  return [usersSecret(cluster), `internal-${name}`, `internal-${name}-users`, `${name}-mongodb-encryption-key`];
};

function secrets(cluster: Cluster, scene: Scene): readonly KubeObject[] {
  const { name, namespace } = cluster.metadata;
  const logins = systemUsers.flatMap((user) => [
    [`MONGODB_${user}_USER`, user.toLowerCase()] as const,
    [`MONGODB_${user}_PASSWORD`, scene.token(`password of ${user}`, 20)] as const,
  ]);
  const made = (secret: string, data: Readonly<Record<string, string>>) =>
    madeOnce(secret, data, { namespace, labels: labelsOf(cluster) }, scene);
  const tls = { "ca.crt": scene.certificate, "tls.crt": scene.certificate, "tls.key": scene.token("key", 64) };
  const [given = "", ...internal] = passwordSecrets(cluster);
  const users = made(given, Object.fromEntries(logins));
  // What the servers have is what the Secret of the users says.
  const data = scene.find(Secret, given, namespace)?.data;
  const copies = internal.slice(0, 2).map((secret) => {
    const copy = made(secret, Object.fromEntries(logins));
    return data === undefined ? copy : Secret(secret, { labels: labelsOf(cluster), type: "Opaque", data: { ...data } });
  });
  return [
    users,
    ...copies,
    ...internal.slice(2).map((secret) => made(secret, { "encryption-key": scene.token("encryption", 44) })),
    ...[`${name}-ssl`, `${name}-ssl-internal`].map((secret) =>
      madeOnce(secret, tls, { namespace, type: "kubernetes.io/tls" }, scene),
    ),
  ];
}

const cluster: Player<Cluster> = {
  kind: PerconaServerMongoDB,
  makes: [StatefulSet, Service, Secret],
  reads: [Secret],
  finalizer: "percona.com/delete-psmdb-pods-in-order",
  play(object, scene) {
    const { generation = 1, name, namespace = "" } = object.metadata;
    const all = sets(object);
    const size = all.reduce((sum, set) => sum + set.size, 0);
    const live = scene.children(StatefulSet);
    const ready = live.reduce((sum, set) => sum + (set.status?.readyReplicas ?? 0), 0);
    const refuses = scene.behaviour === "refuses";
    const isWhole = scene.behaviour === "normal" && live.length >= all.length && ready >= size;
    const status = {
      state: refuses ? "error" : isWhole ? "ready" : "initializing",
      ...(refuses ? { message: "refused on request" } : { message: "" }),
      host: `${name}-${all.at(-1)?.name}.${namespace}.svc`,
      observedGeneration: generation,
      ready,
      size,
    };
    if (refuses) return { children: [], status };
    const children = all.flatMap((set) => [...services(object, set), servers(object, set)]);
    return { children, unowned: secrets(object, scene), status };
  },
};

/** The same operator, for those that ask for their volumes to go with them. */
const volumes: Player<Cluster> = {
  kind: PerconaServerMongoDB,
  makes: [],
  finalizer: "percona.com/delete-psmdb-pvc",
  finalizerIsAskedFor: true,
  play: () => ({ children: [] }),
  farewell(object) {
    const { name, namespace = "" } = object.metadata;
    const claims = sets(object)
      .filter(({ component }) => component !== "mongos")
      .flatMap((set) => upTo(set.size).map((server) => `mongod-data-${name}-${set.name}-${server}`));
    return [
      ...claims.map((claim) => ({ kind: PersistentVolumeClaim, name: claim, namespace })),
      ...passwordSecrets(object).map((secret) => ({ kind: Secret, name: secret, namespace })),
    ];
  },
};

const restore: Player<ReturnType<typeof PerconaServerMongoDBRestore>> = {
  kind: PerconaServerMongoDBRestore,
  makes: [],
  reads: [PerconaServerMongoDB],
  play(object, scene) {
    if (object.status?.state === "ready") return { children: [] };
    if (scene.behaviour === "refuses") return { children: [], status: { state: "error", error: "refused on request" } };
    const found = scene.find(PerconaServerMongoDB, object.spec.clusterName ?? "", object.metadata.namespace);
    const done = scene.behaviour === "normal" && found?.status?.state === "ready";
    return { children: [], status: { state: done ? "ready" : "waiting" } };
  },
};

export const psmdb = [player(cluster), player(volumes), player(restore)];

/**
 * Plays mariadb-operator: servers with their Services and exporter, the Secrets it makes for itself and leaves behind, and
 * what is in the servers, which is reported as made once they run.
 */
import { Deployment, StatefulSet } from "../../contracts/apps.ts";
import { Secret, Service } from "../../contracts/core.ts";
import { Database, Grant, MariaDB, User } from "../../contracts/k8s-mariadb-com.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Player, player, type Scene } from "../player.ts";
import { conditionOf, container, madeOnce, podSpec } from "./parts.ts";

type Server = ReturnType<typeof MariaDB>;

const labelsOf = (name: string) => ({ "app.kubernetes.io/name": "mariadb", "app.kubernetes.io/instance": name });

const isReplicated = ({ spec }: Server): boolean => spec.replication?.enabled === true;

function servers({ metadata: { name }, spec }: Server): KubeObject {
  const labels = labelsOf(name);
  const { size = "1Gi", storageClassName } = spec.storage ?? {};
  return StatefulSet(name, {
    labels,
    spec: {
      replicas: spec.replicas ?? 1,
      serviceName: `${name}-internal`,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...labels, ...spec.podMetadata?.labels } },
        spec: podSpec(
          [container("mariadb", spec.image, spec.resources === undefined ? {} : { resources: spec.resources })],
          spec.affinity === undefined ? {} : { affinity: spec.affinity },
        ),
      },
      volumeClaimTemplates: [
        {
          metadata: { name: "storage", labels: { ...labels, "pvc.k8s.mariadb.com/role": "storage" } },
          spec: {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: size } },
            ...(storageClassName === undefined ? {} : { storageClassName }),
          },
        },
      ],
    },
  });
}

function services(object: Server): readonly KubeObject[] {
  const { name } = object.metadata;
  const { service, primaryService, secondaryService } = object.spec;
  const ports = [{ name: "mariadb", port: object.spec.port ?? 3306, protocol: "TCP" as const }];
  const made = (suffix: string, template: typeof service) =>
    Service(`${name}${suffix}`, {
      labels: { ...labelsOf(name), ...template?.metadata?.labels },
      spec: { type: template?.type ?? "ClusterIP", selector: labelsOf(name), ports },
    });
  const headless = Service(`${name}-internal`, {
    labels: labelsOf(name),
    spec: { clusterIP: "None", publishNotReadyAddresses: true, selector: labelsOf(name), ports },
  });
  const byRole = [made("-primary", primaryService), made("-secondary", secondaryService)];
  return [made("", service), headless, ...(isReplicated(object) ? byRole : [])];
}

function exporter({ metadata: { name }, spec }: Server): readonly KubeObject[] {
  const labels = { "app.kubernetes.io/name": "mysqld-exporter", "app.kubernetes.io/instance": `${name}-metrics` };
  const { image, port = 9104, resources } = spec.metrics?.exporter ?? {};
  return [
    Deployment(`${name}-metrics`, {
      labels,
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: podSpec([container("exporter", image, resources === undefined ? {} : { resources })]),
        },
      },
    }),
    Service(`${name}-metrics`, {
      labels,
      spec: { selector: labels, ports: [{ name: "metrics", port, protocol: "TCP" }] },
    }),
  ];
}

/** The operator's own passwords. They belong to nobody, and stay when the server goes. */
function ownSecrets(object: Server, scene: Scene): readonly KubeObject[] {
  const { name, namespace } = object.metadata;
  const made = (purpose: string) => {
    const data = { password: scene.token(`${purpose} password`, 16) };
    return madeOnce(`${name}-${purpose}-password`, data, { namespace, labels: labelsOf(name) }, scene);
  };
  return [
    ...(object.spec.metrics?.enabled === true ? [made("metrics")] : []),
    ...(isReplicated(object) ? [made("repl")] : []),
  ];
}

const server: Player<Server> = {
  kind: MariaDB,
  makes: [StatefulSet, Deployment, Service, Secret],
  reads: [Secret],
  play(object, scene) {
    const { name } = object.metadata;
    const refuses = scene.behaviour === "refuses";
    const ready = scene.children(StatefulSet)[0]?.status?.readyReplicas ?? 0;
    const whole = !refuses && scene.behaviour === "normal" && ready >= (object.spec.replicas ?? 1);
    const says = refuses
      ? { reason: "StatefulSetNotReady", message: "refused on request" }
      : { reason: whole ? "StatefulSetReady" : "StatefulSetNotReady", message: whole ? "Running" : "Not ready" };
    const status = {
      replicas: ready,
      currentPrimary: `${name}-0`,
      currentPrimaryPodIndex: 0,
      conditions: [conditionOf("Ready", whole, says, object.status?.conditions, scene)],
    };
    if (refuses) return { children: [], status };
    const children = [
      ...services(object),
      servers(object),
      ...(object.spec.metrics?.enabled === true ? exporter(object) : []),
    ];
    return { children, unowned: ownSecrets(object, scene), status };
  },
};

/** An object in the servers. */
interface InServer extends KubeObject {
  readonly spec: { readonly mariaDbRef: { readonly name?: string } };
  readonly status?: { readonly conditions?: Parameters<typeof conditionOf>[3] };
}

function inServer(object: InServer, scene: Scene) {
  const found = scene.find(MariaDB, object.spec.mariaDbRef.name ?? "", object.metadata.namespace);
  const isUp = found?.status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") === true;
  const made = isUp && scene.behaviour === "normal";
  const says = made ? { reason: "Created", message: "Created" } : { reason: "Failed", message: "MariaDB not ready" };
  return { children: [], status: { conditions: [conditionOf("Ready", made, says, object.status?.conditions, scene)] } };
}

const database: Player<ReturnType<typeof Database>> = {
  kind: Database,
  makes: [],
  reads: [MariaDB],
  finalizer: "database.k8s.mariadb.com/finalizer",
  play: inServer,
};

const user: Player<ReturnType<typeof User>> = {
  kind: User,
  makes: [],
  reads: [MariaDB],
  finalizer: "user.k8s.mariadb.com/finalizer",
  play: inServer,
};

const grant: Player<ReturnType<typeof Grant>> = {
  kind: Grant,
  makes: [],
  reads: [MariaDB],
  finalizer: "grant.k8s.mariadb.com/finalizer",
  play: inServer,
};

export const mariadb = [player(server), player(database), player(user), player(grant)];

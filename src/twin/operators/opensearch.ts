/**
 * Plays the OpenSearch operator: a StatefulSet for every pool with the cluster's Services and certificates, Dashboards beside
 * them, and the cluster's word that it serves.
 */
import { Deployment, StatefulSet } from "../../contracts/apps.ts";
import { Secret, Service } from "../../contracts/core.ts";
import { OpenSearchCluster } from "../../contracts/opensearch-opster-io.ts";
import type { KubeObject } from "../../kube/object.ts";
import { base64 } from "../../kube/secret-text.ts";
import { type Player, player, type Scene } from "../player.ts";
import { container, podSpec } from "./parts.ts";

type Cluster = ReturnType<typeof OpenSearchCluster>;
type Pool = Cluster["spec"]["nodePools"][number];

const clusterLabels = (name: string) => ({ "opster.io/opensearch-cluster": name });

function nodes({ metadata: { name }, spec }: Cluster, pool: Pool): KubeObject {
  const labels = { ...clusterLabels(name), "opster.io/opensearch-nodepool": pool.component };
  const { storageClass } = pool.persistence?.pvc ?? {};
  const { resources } = pool;
  const image = spec.general?.image ?? `docker.io/opensearchproject/opensearch:${spec.general?.version}`;
  return StatefulSet(`${name}-${pool.component}`, {
    labels,
    spec: {
      replicas: pool.replicas,
      serviceName: `${name}-${pool.component}`,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: podSpec([container("opensearch", image, resources === undefined ? {} : { resources })]),
      },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: pool.diskSize ?? "30Gi" } },
            ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
          },
        },
      ],
    },
  });
}

const port = (name: string, number: number) => ({ name, port: number, protocol: "TCP" as const });

function services({ metadata: { name }, spec }: Cluster): readonly KubeObject[] {
  const labels = clusterLabels(name);
  const ports = [port("http", spec.general?.httpPort ?? 9200), port("transport", 9300)];
  const headless = (service: string, selector: Readonly<Record<string, string>>) =>
    Service(service, { labels, spec: { clusterIP: "None", publishNotReadyAddresses: true, selector, ports } });
  return [
    Service(spec.general?.serviceName ?? name, { labels, spec: { selector: labels, ports } }),
    headless(`${name}-discovery`, labels),
    ...spec.nodePools.map(({ component }) =>
      headless(`${name}-${component}`, { ...labels, "opster.io/opensearch-nodepool": component }),
    ),
  ];
}

function dashboards({ metadata: { name }, spec }: Cluster): readonly KubeObject[] {
  if (spec.dashboards?.enable !== true) return [];
  const { replicas, version, resources } = spec.dashboards;
  const labels = { "opensearch.cluster.dashboards": name };
  const image = `docker.io/opensearchproject/opensearch-dashboards:${version}`;
  return [
    Service(`${name}-dashboards`, { labels, spec: { selector: labels, ports: [port("http", 5601)] } }),
    Deployment(`${name}-dashboards`, {
      labels,
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: podSpec([container("dashboards", image, resources === undefined ? {} : { resources })]),
        },
      },
    }),
  ];
}

/** Certificates belong to the cluster, and go with it. */
function certificates({ metadata: { name } }: Cluster, scene: Scene): readonly KubeObject[] {
  const data = {
    "ca.crt": base64(scene.certificate),
    "tls.crt": base64(scene.certificate),
    "tls.key": base64(scene.token("key", 64)),
  };
  return ["ca", "admin-cert", "http-cert", "transport-cert"].map((purpose) =>
    Secret(`${name}-${purpose}`, { labels: clusterLabels(name), data }),
  );
}

const isComplete = ({ spec, status }: ReturnType<typeof StatefulSet>): boolean =>
  (status?.readyReplicas ?? 0) >= (spec.replicas ?? 1);

const cluster: Player<Cluster> = {
  kind: OpenSearchCluster,
  makes: [StatefulSet, Deployment, Service, Secret],
  reads: [Secret],
  finalizer: "Opster",
  play(object, scene) {
    const { general, nodePools, security } = object.spec;
    const { namespace } = object.metadata;
    const wanted = [security?.config?.securityConfigSecret, security?.config?.adminCredentialsSecret];
    const missing = wanted.find((ref) => ref !== undefined && scene.find(Secret, ref.name, namespace) === undefined);
    const live = scene.children(StatefulSet);
    const refuses = scene.behaviour === "refuses" || missing !== undefined;
    const isWhole =
      scene.behaviour === "normal" && !refuses && live.length >= nodePools.length && live.every(isComplete);
    const status = {
      phase: refuses ? "PENDING" : "RUNNING",
      health: isWhole ? "green" : "unknown",
      version: general?.version ?? "",
      // Once it is, it stays so.
      initialized: isWhole || object.status?.initialized === true,
      availableNodes: live.reduce((sum, set) => sum + (set.status?.readyReplicas ?? 0), 0),
      componentsStatus: [],
    };
    if (refuses) return { children: [], status };
    const children = [
      ...certificates(object, scene),
      ...services(object),
      ...nodePools.map((pool) => nodes(object, pool)),
      ...dashboards(object),
    ];
    return { children, status };
  },
};

export const opensearch = [player(cluster)];

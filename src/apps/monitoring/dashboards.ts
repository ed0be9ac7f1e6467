/** Grafana's dashboards, which a server of the platform hands out by folder and file. */
import { GrafanaDashboard } from "../../contracts/grafana-integreatly-org.ts";
import type { Rendered } from "../../sdk/manifest.ts";

/** The platform's server of dashboards and plugins. */
export const files = "http://grafana-dashboards.cozy-grafana-operator.svc";

type Folders = Readonly<Record<string, readonly string[]>>;

/** What a tenant runs. */
const everywhere: Folders = {
  ingress: ["controller-detail", "controllers", "namespaces", "vhosts", "vhost-detail", "namespace-detail"],
  db: ["cloudnativepg", "maria-db", "redis"],
  kafka: ["strimzi-kafka"],
  clickhouse: ["altinity-clickhouse-operator-dashboard"],
  nats: ["nats-jetstream", "nats-server"],
  mongodb: ["mongodb-overview", "mongodb-inmemory"],
};

/** What the platform runs. */
const platform: Folders = {
  main: ["controller", "namespaces", "capacity-planning", "ntp", "namespace", "pod", "volumes", "node", "nodes"],
  "control-plane": ["control-plane-status", "deprecated-resources", "dns-coredns", "kube-etcd"],
  "victoria-metrics": ["vmalert", "vmagent", "victoriametrics-cluster", "backupmanager", "victoriametrics", "operator"],
  dotdc: ["k8s-views-global", "k8s-views-namespaces", "k8s-system-coredns", "k8s-views-pods"],
  flux: ["flux-control-plane", "flux-stats"],
  kubevirt: ["kubevirt-control-plane"],
  goldpinger: ["goldpinger"],
  cache: ["nginx-vts-stats"],
  storage: ["linstor"],
  seaweedfs: ["seaweedfs"],
  hubble: ["overview", "dns-namespace", "l7-http-metrics", "network-overview"],
  gpu: ["gpu-performance", "gpu-efficiency", "gpu-quotas", "gpu-fleet", "gpu-tenants"],
  tenants: ["overview"],
};

const watchesPlatform: ReadonlySet<string> = new Set(["tenant-root", "cozy-monitoring"]);

function dashboard(folder: string, file: string): Rendered {
  return GrafanaDashboard(`${folder}-${file}`, {
    spec: {
      folder,
      instanceSelector: { matchLabels: { dashboards: "grafana" } },
      url: `${files}/${folder}/${file}.json`,
    },
  });
}

/** The dashboards of a monitoring in `namespace`. */
export function dashboards(namespace: string): readonly Rendered[] {
  const folders = watchesPlatform.has(namespace) ? { ...everywhere, ...platform } : everywhere;
  return Object.entries(folders).flatMap(([folder, names]) => names.map((file) => dashboard(folder, file)));
}

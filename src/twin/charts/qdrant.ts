/** The Qdrant chart: servers with their Services and configuration, and the key that it makes for clients. */
import { StatefulSet } from "../../contracts/apps.ts";
import { ConfigMap, Secret, Service } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { base64 } from "../../kube/secret-text.ts";
import { container, podSpec } from "../operators/parts.ts";
import { type Chart, type Release, textOf } from "./chart.ts";

const selectorOf = ({ name }: Release) => ({
  app: "qdrant",
  "app.kubernetes.io/name": "qdrant",
  "app.kubernetes.io/instance": name,
});

const port = (name: string, number: number) => ({ name, port: number, protocol: "TCP" as const });
const ports = [port("http", 6333), port("grpc", 6334), port("p2p", 6335)];

function servers(release: Release, name: string): KubeObject {
  const selector = selectorOf(release);
  const at = (...path: readonly string[]) => valueAt(release.values, "qdrant", ...path);
  const replicas = at("replicaCount");
  const storageClassName = at("persistence", "storageClassName");
  return StatefulSet(name, {
    labels: selector,
    spec: {
      replicas: typeof replicas === "number" ? replicas : 1,
      serviceName: `${name}-headless`,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: selector },
      template: { metadata: { labels: selector }, spec: podSpec([container("qdrant", "qdrant/qdrant:v1.16.3")]) },
      volumeClaimTemplates: [
        {
          metadata: { name: "qdrant-storage", labels: { app: "qdrant" } },
          spec: {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: textOf(at("persistence", "size"), "10Gi") } },
            ...(typeof storageClassName === "string" ? { storageClassName } : {}),
          },
        },
      ],
    },
  });
}

export const qdrant: Chart = (release) => {
  const name = textOf(valueAt(release.values, "qdrant", "fullnameOverride"), release.name);
  const type = valueAt(release.values, "qdrant", "service", "type");
  const selector = selectorOf(release);
  const given = valueAt(release.values, "qdrant", "apiKey");
  const key = typeof given === "string" ? given : release.token("api key", 32);
  const data = { "api-key": base64(key), "local.yaml": base64(`service:\n  api_key: ${key}\n`) };
  return [
    Secret(`${name}-apikey`, { labels: selector, data }),
    ConfigMap(name, { labels: selector, data: { "production.yaml": "{}\n" } }),
    Service(name, {
      labels: selector,
      spec: { type: type === "LoadBalancer" ? type : "ClusterIP", selector, ports },
    }),
    Service(`${name}-headless`, {
      labels: { ...selector, "app.kubernetes.io/component": "cluster-discovery" },
      spec: { clusterIP: "None", publishNotReadyAddresses: true, selector, ports },
    }),
    servers(release, name),
  ];
};

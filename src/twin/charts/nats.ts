/** The NATS chart: servers with their Services and configuration, and an idle client. */
import { Deployment, StatefulSet } from "../../contracts/apps.ts";
import { ConfigMap, Service } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { container, podSpec } from "../operators/parts.ts";
import { type Chart, type Release, textOf } from "./chart.ts";

const labelsOf = ({ name }: Release, component: string) => ({
  "app.kubernetes.io/name": "nats",
  "app.kubernetes.io/instance": name,
  "app.kubernetes.io/component": component,
});

function servers(release: Release, name: string): KubeObject {
  const labels = labelsOf(release, "nats");
  const at = (...path: readonly string[]) => valueAt(release.values, "nats", ...path);
  const pvc = at("config", "jetstream", "fileStore", "pvc");
  const storageClassName = valueAt(pvc, "storageClassName");
  const replicas = at("config", "cluster", "replicas");
  const kept = at("statefulSet", "merge", "spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted");
  const template = {
    metadata: { name: `${name}-js` },
    spec: {
      accessModes: ["ReadWriteOnce" as const],
      resources: { requests: { storage: textOf(valueAt(pvc, "size"), "10Gi") } },
      ...(typeof storageClassName === "string" ? { storageClassName } : {}),
    },
  };
  return StatefulSet(name, {
    labels,
    spec: {
      replicas: typeof replicas === "number" ? replicas : 1,
      serviceName: `${name}-headless`,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: labels },
      persistentVolumeClaimRetentionPolicy: {
        whenDeleted: kept === "Retain" ? "Retain" : "Delete",
        whenScaled: "Delete",
      },
      template: { metadata: { labels }, spec: podSpec([container("nats", "nats:2.11.10-alpine")]) },
      volumeClaimTemplates: at("config", "jetstream", "fileStore", "enabled") === true ? [template] : [],
    },
  });
}

export const nats: Chart = (release) => {
  const name = textOf(valueAt(release.values, "nats", "fullnameOverride"), release.name);
  const type = valueAt(release.values, "nats", "service", "merge", "spec", "type");
  const selector = labelsOf(release, "nats");
  const box = labelsOf(release, "nats-box");
  const client = { name: "nats", port: 4222, protocol: "TCP" as const };
  const between = [client, { name: "cluster", port: 6222, protocol: "TCP" as const }];
  return [
    ConfigMap(`${name}-config`, { labels: selector, data: { "nats.conf": "{}\n" } }),
    Service(name, {
      labels: selector,
      spec: { type: type === "LoadBalancer" ? type : "ClusterIP", selector, ports: [client] },
    }),
    Service(`${name}-headless`, {
      labels: selector,
      spec: { clusterIP: "None", publishNotReadyAddresses: true, selector, ports: between },
    }),
    servers(release, name),
    Deployment(`${name}-box`, {
      labels: box,
      spec: {
        replicas: 1,
        selector: { matchLabels: box },
        template: { metadata: { labels: box }, spec: podSpec([container("nats-box", "natsio/nats-box:0.19.2")]) },
      },
    }),
  ];
};

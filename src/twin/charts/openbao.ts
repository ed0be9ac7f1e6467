/** The OpenBAO chart: servers with their Services and configuration. In the twin they are unsealed from the start. */
import { StatefulSet } from "../../contracts/apps.ts";
import { ConfigMap, Service } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { container, podSpec } from "../operators/parts.ts";
import { type Chart, type Release, textOf } from "./chart.ts";

const at = ({ values }: Release, ...path: readonly string[]) => valueAt(values, "openbao", ...path);

const selectorOf = ({ name }: Release) => ({
  "app.kubernetes.io/name": "openbao",
  "app.kubernetes.io/instance": name,
  component: "server",
});

const port = (name: string, number: number) => ({ name, port: number, protocol: "TCP" as const });

function servers(release: Release, name: string): KubeObject {
  const selector = selectorOf(release);
  const replicas = at(release, "server", "ha", "enabled") === true ? at(release, "server", "ha", "replicas") : 1;
  const storageClassName = at(release, "server", "dataStorage", "storageClass");
  const kept = at(release, "server", "persistentVolumeClaimRetentionPolicy", "whenDeleted") === "Retain";
  return StatefulSet(name, {
    labels: selector,
    spec: {
      replicas: typeof replicas === "number" ? replicas : 1,
      serviceName: `${name}-internal`,
      podManagementPolicy: "Parallel",
      updateStrategy: { type: "OnDelete" },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: kept ? "Retain" : "Delete", whenScaled: "Retain" },
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: selector },
        spec: podSpec([container("openbao", "quay.io/openbao/openbao:2.5.1")]),
      },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: textOf(at(release, "server", "dataStorage", "size"), "10Gi") } },
            ...(typeof storageClassName === "string" ? { storageClassName } : {}),
          },
        },
      ],
    },
  });
}

export const openbao: Chart = (release) => {
  const name = textOf(at(release, "fullnameOverride"), release.name);
  const selector = selectorOf(release);
  const type = at(release, "server", "service", "type") === "LoadBalancer" ? "LoadBalancer" : "ClusterIP";
  const service = (suffix: string, more: Readonly<Record<string, string>> = {}) =>
    Service(`${name}${suffix}`, {
      labels: selector,
      spec: { type, publishNotReadyAddresses: true, selector: { ...selector, ...more }, ports: [port("http", 8200)] },
    });
  const shared = at(release, "server", "ha", "enabled") === true;
  return [
    ConfigMap(`${name}-config`, { labels: selector, data: { "extraconfig-from-values.hcl": "# simulated\n" } }),
    Service(`${name}-internal`, {
      labels: selector,
      spec: {
        clusterIP: "None",
        publishNotReadyAddresses: true,
        selector,
        ports: [port("http", 8200), port("https-internal", 8201)],
      },
    }),
    service(""),
    ...(at(release, "ui", "enabled") === true ? [service("-ui")] : []),
    ...(shared
      ? [service("-active", { "openbao-active": "true" }), service("-standby", { "openbao-active": "false" })]
      : []),
    servers(release, name),
  ];
};

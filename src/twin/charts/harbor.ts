/** The Harbor chart: API, portal, registry, jobs, the proxy before them, metrics, and the scanner. */
import { Deployment, StatefulSet } from "../../contracts/apps.ts";
import { PersistentVolumeClaim, Secret, Service } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { base64 } from "../../kube/secret-text.ts";
import { container, podSpec } from "../operators/parts.ts";
import { type Chart, keptByHelm, type Release, textOf } from "./chart.ts";

const labelsOf = ({ name }: Release, component: string) => ({
  app: "harbor",
  release: name,
  component,
  "app.kubernetes.io/instance": name,
});

const at = ({ values }: Release, ...path: readonly string[]) => valueAt(values, "harbor", ...path);

/** A claim's class: of one that is said to have none, none. */
function classOf(value: unknown): { readonly storageClassName?: string } {
  if (typeof value !== "string" || value === "") return {};
  return { storageClassName: value === "-" ? "" : value };
}

const claim = (size: string, storageClass: unknown) => ({
  accessModes: ["ReadWriteOnce" as const],
  resources: { requests: { storage: size } },
  ...classOf(storageClass),
});

function server(release: Release, name: string, component: string): readonly KubeObject[] {
  const labels = labelsOf(release, component);
  return [
    Deployment(`${name}-${component}`, {
      labels,
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: podSpec([container(component, `goharbor/harbor-${component}:v2.15.1`)]),
        },
      },
    }),
    ...(component === "nginx"
      ? []
      : [
          Service(`${name}-${component}`, {
            labels,
            spec: { selector: labels, ports: [{ name: "http", port: 80, targetPort: 8080, protocol: "TCP" }] },
          }),
        ]),
  ];
}

function scanner(release: Release, name: string): readonly KubeObject[] {
  if (at(release, "trivy", "enabled") !== true) return [];
  const labels = labelsOf(release, "trivy");
  const volumes = (key: string) => at(release, "persistence", "persistentVolumeClaim", "trivy", key);
  return [
    StatefulSet(`${name}-trivy`, {
      labels,
      spec: {
        replicas: 1,
        serviceName: `${name}-trivy`,
        selector: { matchLabels: { app: labels.app, release: labels.release, component: labels.component } },
        template: { metadata: { labels }, spec: podSpec([container("trivy", "goharbor/trivy-adapter:v2.15.1")]) },
        volumeClaimTemplates: [
          { metadata: { name: "data" }, spec: claim(textOf(volumes("size"), "5Gi"), volumes("storageClass")) },
        ],
      },
    }),
  ];
}

export const harbor: Chart = (release) => {
  const name = textOf(at(release, "fullnameOverride"), release.name);
  const jobs = at(release, "persistence", "persistentVolumeClaim", "jobservice", "jobLog", "storageClass");
  const pair = { "tls.key": base64(release.token("token key", 64)), "tls.crt": base64(release.token("token", 64)) };
  const nginx = labelsOf(release, "nginx");
  return [
    Secret(`${name}-core`, { labels: labelsOf(release, "core"), type: "Opaque", data: pair }),
    PersistentVolumeClaim(`${name}-jobservice`, {
      labels: labelsOf(release, "jobservice"),
      annotations: keptByHelm,
      spec: claim("1Gi", jobs),
    }),
    ...["core", "jobservice", "nginx", "portal", "registry", "exporter"].flatMap((part) => server(release, name, part)),
    Service(textOf(at(release, "expose", "clusterIP", "name"), name), {
      labels: nginx,
      spec: { selector: nginx, ports: [{ name: "http", port: 80, targetPort: 8080, protocol: "TCP" }] },
    }),
    ...scanner(release, name),
  ];
};

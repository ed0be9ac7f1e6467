/** The chart of ingress-nginx, as the platform configures it: controllers with their Service, what answers where nobody else does, and the class. */
import { Deployment } from "../../contracts/apps.ts";
import { ConfigMap, Service, ServiceAccount } from "../../contracts/core.ts";
import { IngressClass, PodDisruptionBudget } from "../../kube/core-kinds.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { container, podSpec } from "../operators/parts.ts";
import { type Chart, type Release, textOf } from "./chart.ts";

const labelsOf = ({ name }: Release, component: string) => ({
  "app.kubernetes.io/name": "ingress-nginx",
  "app.kubernetes.io/instance": name,
  "app.kubernetes.io/part-of": "ingress-nginx",
  "app.kubernetes.io/version": "1.11.2",
  "app.kubernetes.io/component": component,
});

function program(name: string, replicas: number, labels: Readonly<Record<string, string>>, more = {}): KubeObject {
  return Deployment(name, {
    labels,
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels: { ...labels, ...more } }, spec: podSpec([container("main", undefined)]) },
    },
  });
}

const strings = (value: unknown): Record<string, string> =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)])) : {};

export const ingressNginx: Chart = (release) => {
  const at = (...path: readonly string[]) => valueAt(release.values, "ingress-nginx", ...path);
  const full = textOf(at("fullnameOverride"), release.name);
  const name = `${full}-controller`;
  const labels = labelsOf(release, "controller");
  const backend = labelsOf(release, "default-backend");
  const replicas = at("controller", "replicaCount");
  const type = at("controller", "service", "type") === "ClusterIP" ? "ClusterIP" : "LoadBalancer";
  const addresses = at("controller", "service", "externalIPs");
  const port = (portName: string, number: number) => ({ name: portName, port: number, protocol: "TCP" as const });
  return [
    ServiceAccount(full, { labels }),
    ServiceAccount(`${full}-backend`, { labels: backend }),
    ConfigMap(name, {
      labels,
      data: { "allow-snippet-annotations": "true", ...strings(at("controller", "config")) },
    }),
    Service(name, {
      labels,
      spec: {
        type,
        selector: labels,
        ports: [port("http", 80), port("https", 443)],
        ...(Array.isArray(addresses) ? { externalIPs: addresses.map(String) } : {}),
      },
    }),
    Service(`${name}-metrics`, { labels, spec: { selector: labels, ports: [port("metrics", 10254)] } }),
    program(name, typeof replicas === "number" ? replicas : 1, labels, strings(at("controller", "podLabels"))),
    PodDisruptionBudget(name, { labels, spec: { minAvailable: 1, selector: { matchLabels: labels } } }),
    program(`${full}-defaultbackend`, 1, backend),
    Service(`${full}-defaultbackend`, { labels: backend, spec: { selector: backend, ports: [port("http", 80)] } }),
    IngressClass(textOf(at("controller", "ingressClassResource", "name"), "nginx"), {
      labels,
      spec: { controller: textOf(at("controller", "ingressClassResource", "controllerValue"), "k8s.io/ingress-nginx") },
    }),
  ];
};

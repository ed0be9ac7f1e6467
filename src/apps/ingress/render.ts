/** From an Ingress specification to its objects. */
import { Certificate } from "../../contracts/cert-manager-io.ts";
import { Service } from "../../contracts/core.ts";
import { VMPodScrape } from "../../contracts/operator-victoriametrics-com.ts";
import type { Exposure, Monitor, RenderInput } from "../../sdk/app.ts";
import { clusterFlag, clusterText } from "../../sdk/context.ts";
import { helmRelease, innerRelease } from "../../sdk/inner-release.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { checkModuleName } from "../../sdk/module-name.ts";
import { optional } from "../../sdk/needs.ts";
import { controllerName, isHost } from "./place.ts";
import { check } from "./rules.ts";
import type { Input, Spec } from "./spec.ts";
import { values } from "./values.ts";

const chart = "cozystack-ingress-application-default-ingress-system";

/** The inner release has its own name, by which pods are found, whatever the module is called. */
const program = "ingress-nginx";

const controllers = { "app.kubernetes.io/component": "controller", "app.kubernetes.io/name": program };

export function needs({ namespace }: Input) {
  return { service: optional(Service, controllerName(namespace)) };
}

/** The certificate of the platform's own domain and everything below it, from where tenants get copies. */
function wildcard(input: Input): readonly Rendered[] {
  const { cluster } = input.context;
  if (!isHost(input) || !clusterFlag(cluster, "wildcard-issue")) return [];
  const host = clusterText(cluster, "root-host");
  return [
    Certificate("cozystack-wildcard", {
      spec: {
        secretName: clusterText(cluster, "wildcard-secret-name"),
        issuerRef: { kind: "ClusterIssuer", name: clusterText(cluster, "issuer-name") || "letsencrypt-prod" },
        dnsNames: [host, `*.${host}`],
      },
    }),
  ];
}

type Relabel = { readonly replacement?: string; readonly sourceLabels?: string[]; readonly targetLabel: string };

function scrape(namespace: string, name: string, port: string, more: readonly Relabel[]): Rendered {
  return VMPodScrape(name, {
    spec: {
      jobLabel: "jobLabel",
      namespaceSelector: { matchNames: [namespace] },
      selector: { matchLabels: controllers },
      podMetricsEndpoints: [
        {
          port,
          honorLabels: true,
          interval: "30s",
          relabelConfigs: [
            { replacement: "nginx-ingress-controller", targetLabel: "job" },
            { sourceLabels: ["__meta_kubernetes_pod_node_name"], targetLabel: "node" },
            ...more,
            { replacement: "cluster", targetLabel: "tier" },
          ],
        },
      ],
    },
  });
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { name, namespace, spec } = input;
  checkModuleName(name, "ingress");
  check(spec, input, input.needs.service);
  const byName = { sourceLabels: ["__meta_kubernetes_pod_label_app_kubernetes_io_name"], targetLabel: "controller" };
  return [
    helmRelease(program, { chart, values: values(input) }),
    ...wildcard(input),
    scrape(namespace, "nginx-ingress-controller", "metrics", []),
    scrape(namespace, "nginx-ingress-controller-detailed", "metrics2", [byName]),
  ];
}

export function monitors({ release, spec }: Input): readonly Monitor[] {
  return [
    {
      name: release,
      type: "controller",
      replicas: spec.replicas,
      minReplicas: Math.floor(spec.replicas / 2) + 1,
      selector: { ...controllers, "app.kubernetes.io/instance": innerRelease(program) },
      withNamespace: true,
    },
  ];
}

export function expose({ release, namespace }: Input): Exposure {
  return { services: [controllerName(namespace)], monitors: [release], level: "admin" };
}

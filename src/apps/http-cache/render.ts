/** From an HTTPCache specification to its objects. */
import { VMServiceScrape } from "../../contracts/operator-victoriametrics-com.ts";
import type { Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { haproxy, haproxyName, haproxyNeed, haproxyService, helmLabels } from "../../sdk/haproxy.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { resources } from "../../sdk/resources.ts";
import { check } from "./check.ts";
import { haproxyFiles } from "./haproxy-config.ts";
import { nginx, nginxName, nginxNeeds } from "./nginx.ts";
import type { Input, Spec } from "./spec.ts";

/** What the nginx servers count. */
function scrape({ release, namespace }: Input): Rendered {
  return VMServiceScrape(nginxName(release), {
    spec: {
      jobLabel: "jobLabel",
      namespaceSelector: { matchNames: [namespace] },
      selector: { matchLabels: { app: nginxName(release) } },
      endpoints: [
        {
          port: "metrics",
          path: "/metrics",
          honorLabels: true,
          relabelConfigs: [
            { replacement: "nginx-cache", targetLabel: "job" },
            { source_labels: ["__meta_kubernetes_service_name"], target_label: "instance" },
            { sourceLabels: ["__meta_kubernetes_pod_node_name"], targetLabel: "node" },
            { replacement: "cluster", targetLabel: "tier" },
          ],
        },
      ],
    },
  });
}

export function needs(input: Input) {
  return { haproxy: haproxyNeed(input.release), nginx: nginxNeeds(input) };
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { release, spec, context, needs: live } = input;
  check(spec);
  return [
    ...haproxy({
      release,
      replicas: spec.haproxy.replicas,
      resources: resources(spec.haproxy, context, "spec.haproxy"),
      ports: { http: 8080 },
      files: haproxyFiles(input),
      live: live.haproxy,
    }),
    haproxyService({ release, external: spec.external, ports: { http: 80 }, context }),
    ...nginx(input, live.nginx),
    scrape(input),
  ];
}

const kind = { kind: "http-cache", type: "http-cache" } as const;

export function monitors({ release, spec }: Input): readonly Monitor[] {
  return [
    {
      ...kind,
      name: `${release}-haproxy`,
      replicas: spec.haproxy.replicas,
      minReplicas: 1,
      selector: { app: haproxyName(release) },
      preset: spec.haproxy.resourcesPreset,
    },
    {
      ...kind,
      name: `${release}-nginx`,
      replicas: spec.nginx.replicas,
      minReplicas: 1,
      selector: { app: nginxName(release) },
      preset: spec.nginx.resourcesPreset,
    },
    {
      ...kind,
      name: release,
      ...(spec.replicas === undefined ? {} : { replicas: spec.replicas }),
      // It counts claims and what is reached from outside; of pods, there are none with its labels.
      minReplicas: 0,
      selector: { "app.kubernetes.io/instance": release },
    },
  ];
}

/** What has been cached: worth keeping at most for a cache of the same name. */
export function claims({ release }: Input): readonly StorageClaim[] {
  return [{ group: "", kind: "PersistentVolumeClaim", labels: helmLabels(release) }];
}

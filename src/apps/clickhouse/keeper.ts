/** ClickHouse Keeper: the operator's object, its scrape, and where the servers find it. */

import { ClickHouseKeeperInstallation } from "../../contracts/clickhouse-keeper-altinity-com.ts";
import { VMPodScrape } from "../../contracts/operator-victoriametrics-com.ts";
import { clusterDomain } from "../../sdk/cluster.ts";
import { listed } from "../../sdk/listed.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { optional } from "../../sdk/needs.ts";
import { resources } from "../../sdk/resources.ts";
import { antiAffinity, type ClaimTemplates, claimTemplate } from "./claims.ts";
import { keeperCluster, keeperLabel, keeperName } from "./names.ts";
import type { Input } from "./spec.ts";
import { keeperImage } from "./versions.ts";

const scraped = { "prometheus.io/port": "7000", "prometheus.io/scrape": "true" };

/** The running Keeper, for what must not change under it. */
export function keeperNeed({ release, spec }: Input) {
  if (!spec.clickhouseKeeper.enabled) return undefined;
  return optional(ClickHouseKeeperInstallation, keeperName(release, spec));
}

interface KeeperNode {
  readonly host: string;
  readonly port: number;
}

function nodes({ release, namespace, spec }: Input, domain: string): readonly KeeperNode[] {
  const name = keeperName(release, spec);
  return listed(spec.clickhouseKeeper.replicas, "spec.clickhouseKeeper.replicas", (index) => ({
    host: `chk-${name}-${keeperCluster}-0-${index}.${namespace}.svc.${domain}`,
    port: 2181,
  }));
}

/** Addresses of the Keepers. */
export function keeperNodes(input: Input): readonly KeeperNode[] {
  return nodes(input, clusterDomain(input.context));
}

/** Addresses as upstream writes them: with nothing where the cluster's domain should be, so that they cannot be found. */
export function legacyKeeperNodes(input: Input): readonly KeeperNode[] {
  return nodes(input, "");
}

export function keeper(input: Input, live: ClaimTemplates): Rendered {
  const { release, spec, context } = input;
  const { clickhouseKeeper } = spec;
  const label = keeperLabel(release);
  return ClickHouseKeeperInstallation(keeperName(release, spec), {
    annotations: scraped,
    spec: {
      namespaceDomainPattern: `%s.svc.${clusterDomain(context)}`,
      configuration: {
        clusters: [{ name: keeperCluster, layout: { replicasCount: clickhouseKeeper.replicas } }],
        settings: {
          "logger/level": "trace",
          "logger/console": "true",
          listen_host: "0.0.0.0",
          "keeper_server/four_letter_word_white_list": "*",
          "keeper_server/coordination_settings/raft_logs_level": "information",
          "prometheus/endpoint": "/metrics",
          "prometheus/port": "7000",
          "prometheus/metrics": "true",
          "prometheus/events": "true",
          "prometheus/asynchronous_metrics": "true",
          "prometheus/status_info": "false",
        },
      },
      defaults: { templates: { podTemplate: "default", dataVolumeClaimTemplate: "default" } },
      templates: {
        podTemplates: [
          {
            name: "default",
            metadata: { labels: { app: label }, annotations: scraped },
            spec: {
              affinity: antiAffinity("app", label),
              containers: [
                {
                  name: "clickhouse-keeper",
                  image: keeperImage,
                  imagePullPolicy: "IfNotPresent",
                  // Explicit amounts hold for servers and Keepers; only the preset is the Keepers' own.
                  resources: resources(
                    { resources: spec.resources, resourcesPreset: clickhouseKeeper.resourcesPreset },
                    context,
                  ),
                },
              ],
              securityContext: { fsGroup: 101 },
            },
          },
        ],
        volumeClaimTemplates: [claimTemplate("default", clickhouseKeeper.size, input, live)],
      },
    },
  });
}

export function keeperScrape({ release, namespace }: Input): Rendered {
  const label = keeperLabel(release);
  return VMPodScrape(label, {
    namespace,
    spec: {
      selector: { matchLabels: { app: label } },
      namespaceSelector: { matchNames: [namespace] },
      podMetricsEndpoints: [
        {
          port: "metrics",
          path: "/metrics",
          interval: "30s",
          scheme: "http",
          relabelConfigs: [
            { action: "replace", sourceLabels: ["__meta_kubernetes_pod_node_name"], targetLabel: "instance" },
          ],
        },
      ],
    },
  });
}

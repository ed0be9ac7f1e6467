/** Where metrics are kept, what is computed from them, and who collects them. */
import { GrafanaDatasource } from "../../contracts/grafana-integreatly-org.ts";
import { VMAgent, VMAlert, VMCluster, VMServiceScrape } from "../../contracts/operator-victoriametrics-com.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { autoscaler } from "./autoscaling.ts";
import { claimTemplate, managedMetadata, toApiServer } from "./names.ts";
import type { Input, Spec } from "./spec.ts";

type Storage = Spec["metricsStorages"][number];

/** The namespaces whose metrics the platform's own agents collect. */
const collectedElsewhere: ReadonlySet<string> = new Set(["tenant-root", "cozy-monitoring"]);

const selectUrl = (namespace: string, name: string): string =>
  `http://vmselect-${name}.${namespace}.svc:8481/select/0/prometheus`;

function cluster(input: Input, storage: Storage): Rendered {
  const { name, retentionPeriod, deduplicationInterval, storageClassName } = storage;
  return VMCluster(name, {
    spec: {
      managedMetadata: managedMetadata(input),
      replicationFactor: 2,
      retentionPeriod,
      vminsert: { replicaCount: 2, resources: {}, extraArgs: { maxLabelsPerTimeseries: "60" } },
      vmselect: {
        replicaCount: 2,
        resources: {},
        extraArgs: {
          "search.maxUniqueTimeseries": "600000",
          "vmalert.proxyURL": `http://vmalert-${name}.${input.namespace}.svc:8080`,
          "dedup.minScrapeInterval": deduplicationInterval,
        },
        cacheMountPath: "/select-cache",
        storage: claimTemplate(input, "2Gi", storageClassName),
      },
      vmstorage: {
        replicaCount: 2,
        resources: {},
        storage: claimTemplate(input, String(storage.storage), storageClassName),
        storageDataPath: "/vm-data",
      },
    },
  });
}

/** The servers' own metrics. `instance` and `app` are the labels that the operator gives them. */
function scrape(name: string, instance: string, app: string): Rendered {
  return VMServiceScrape(name, {
    spec: {
      endpoints: [
        {
          path: "/metrics",
          port: "http",
          relabelConfigs: [
            { action: "replace", sourceLabels: ["__meta_kubernetes_pod_node_name"], targetLabel: "node" },
          ],
        },
      ],
      selector: {
        matchLabels: {
          "app.kubernetes.io/component": "monitoring",
          "app.kubernetes.io/instance": instance,
          "app.kubernetes.io/name": app,
        },
      },
    },
  });
}

function datasource(namespace: string, name: string, isDefault: boolean): Rendered {
  return GrafanaDatasource(`vm-${name}`, {
    spec: {
      instanceSelector: { matchLabels: { dashboards: "grafana" } },
      datasource: {
        name: `vm-${name}`,
        type: "prometheus",
        access: "proxy",
        url: `${selectUrl(namespace, name)}/`,
        ...(isDefault ? { isDefault } : {}),
        editable: true,
        jsonData: { tlsSkipVerify: true, timeInterval: "30s" },
      },
    },
  });
}

function alert(input: Input, name: string): readonly Rendered[] {
  const { namespace } = input;
  const read = { url: selectUrl(namespace, name) };
  return [
    VMAlert(`vmalert-${name}`, {
      spec: {
        managedMetadata: managedMetadata(input),
        datasource: read,
        remoteRead: read,
        remoteWrite: { url: `http://vminsert-${name}.${namespace}.svc:8480/insert/0/prometheus/api/v1/write` },
        extraArgs: { "remoteWrite.disablePathAppend": "true" },
        notifier: { url: `http://vmalertmanager-alertmanager.${namespace}.svc:9093` },
        evaluationInterval: "15s",
        selectAllByDefault: true,
      },
    }),
    scrape("vmalert", "vmalert", "vmalert"),
  ];
}

function agent({ namespace, spec }: Input): Rendered {
  const watched = { matchLabels: { "namespace.cozystack.io/monitoring": namespace } };
  const { externalLabels, remoteWrite } = spec.vmagent;
  return VMAgent("vmagent", {
    spec: {
      podMetadata: { labels: toApiServer },
      shardCount: 1,
      externalLabels: { ...externalLabels, tenant: namespace },
      extraArgs: { "promscrape.maxScrapeSize": "32MB", "promscrape.streamParse": "true" },
      remoteWrite: remoteWrite.urls.map((url) => ({ url })),
      scrapeInterval: "30s",
      selectAllByDefault: false,
      podScrapeNamespaceSelector: watched,
      serviceScrapeNamespaceSelector: watched,
    },
  });
}

export function metrics(input: Input): readonly Rendered[] {
  const { namespace, spec } = input;
  const [first] = spec.metricsStorages;
  return [
    ...spec.metricsStorages.flatMap((storage) => {
      const { name } = storage;
      return [
        cluster(input, storage),
        ...(["vminsert", "vmselect", "vmstorage"] as const).flatMap((part) => [
          scrape(`${part}-${name}`, name, part),
          autoscaler(part, name, storage[part]),
        ]),
        datasource(namespace, name, storage === first),
      ];
    }),
    ...(first === undefined ? [] : alert(input, first.name)),
    ...(collectedElsewhere.has(namespace) ? [] : [agent(input)]),
  ];
}

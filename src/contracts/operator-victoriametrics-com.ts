/**
 * The VictoriaMetrics operator: what is scraped, where metrics and logs are kept, and who is alerted.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import {
  anything,
  claimSpec,
  int32,
  int64,
  intOrString,
  labelSelector,
  oneOf,
  resourceRequirements,
  some,
  templateMetadata,
  text,
  textMap,
  texts,
} from "./fields.ts";

/** Both spellings are the operator's: the one of Prometheus's configuration and the one of Kubernetes. */
const relabelConfig = some({
  action: text(),
  regex: anything(),
  replacement: text(),
  separator: text(),
  sourceLabels: texts(),
  source_labels: texts(),
  targetLabel: text(),
  target_label: text(),
});

const endpoint = some({
  port: text(),
  targetPort: intOrString(),
  path: text(),
  scheme: oneOf("http", "https", "HTTPS", "HTTP"),
  interval: text(),
  scrapeTimeout: text(),
  honorLabels: Type.Boolean(),
  honorTimestamps: Type.Boolean(),
  relabelConfigs: Type.Array(relabelConfig),
  metricRelabelConfigs: Type.Array(relabelConfig),
});

const where = {
  jobLabel: Type.Optional(text()),
  selector: Type.Optional(labelSelector()),
  namespaceSelector: Type.Optional(some({ any: Type.Boolean(), matchNames: texts() })),
};

const status = some({
  updateStatus: text(),
  reason: text(),
  observedGeneration: int64(),
});

export const VMServiceScrape = defineContract({
  group: "operator.victoriametrics.com",
  version: "v1beta1",
  kind: "VMServiceScrape",
  plural: "vmservicescrapes",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({ ...where, endpoints: Type.Array(endpoint) }),
    status: Type.Optional(status),
  }),
  impact: { otherwise: "inPlace" },
});

export const VMPodScrape = defineContract({
  group: "operator.victoriametrics.com",
  version: "v1beta1",
  kind: "VMPodScrape",
  plural: "vmpodscrapes",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({ ...where, podMetricsEndpoints: Type.Array(endpoint) }),
    status: Type.Optional(status),
  }),
  impact: { otherwise: "inPlace" },
});

const managedMetadata = Type.Optional(some({ labels: textMap(), annotations: textMap() }));

const claim = some({
  volumeClaimTemplate: some({ metadata: some({ labels: textMap(), annotations: textMap() }), spec: claimSpec() }),
});

const pods = {
  replicaCount: int32(),
  extraArgs: textMap(),
  resources: resourceRequirements(),
  podMetadata: templateMetadata(),
};

const rolling = {
  otherwise: "rolls",
  // Replicas come and go; what is kept goes at another time; labels of what the operator makes.
  at: { "spec.managedMetadata": "inPlace", "spec.replicaCount": "inPlace" },
} as const;

/** Of a cluster's parts, each with pods of its own: the operator recreates a StatefulSet for another claim, pods one by one. */
const clusterImpact = {
  otherwise: "rolls",
  deletion: "losesData",
  at: { "spec.managedMetadata": "inPlace", "spec.*.replicaCount": "inPlace" },
} as const;

export const VMCluster = defineContract({
  group: "operator.victoriametrics.com",
  version: "v1beta1",
  kind: "VMCluster",
  plural: "vmclusters",
  namespaced: true,
  schema: Type.Object({
    spec: some({
      managedMetadata,
      replicationFactor: int32(),
      retentionPeriod: text(),
      vminsert: some(pods),
      vmselect: some({ ...pods, cacheMountPath: text(), storage: claim }),
      vmstorage: some({ ...pods, storageDataPath: text(), storage: claim }),
    }),
    status: Type.Optional(status),
  }),
  impact: clusterImpact,
});

export const VLCluster = defineContract({
  group: "operator.victoriametrics.com",
  version: "v1",
  kind: "VLCluster",
  plural: "vlclusters",
  namespaced: true,
  schema: Type.Object({
    spec: some({
      managedMetadata,
      vlinsert: some(pods),
      vlselect: some(pods),
      vlstorage: some({ ...pods, retentionPeriod: text(), storage: claim }),
    }),
    status: Type.Optional(status),
  }),
  impact: clusterImpact,
});

const address = Type.Object({ url: text() });

export const VMAlert = defineContract({
  group: "operator.victoriametrics.com",
  version: "v1beta1",
  kind: "VMAlert",
  plural: "vmalerts",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      managedMetadata,
      datasource: address,
      remoteRead: Type.Optional(address),
      remoteWrite: Type.Optional(address),
      notifier: Type.Optional(address),
      evaluationInterval: Type.Optional(text()),
      selectAllByDefault: Type.Optional(Type.Boolean()),
      extraArgs: Type.Optional(textMap()),
    }),
    status: Type.Optional(status),
  }),
  impact: rolling,
});

export const VMAlertmanager = defineContract({
  group: "operator.victoriametrics.com",
  version: "v1beta1",
  kind: "VMAlertmanager",
  plural: "vmalertmanagers",
  namespaced: true,
  schema: Type.Object({
    spec: some({
      managedMetadata,
      replicaCount: int32(),
      configSecret: text(),
      podMetadata: templateMetadata(),
    }),
    status: Type.Optional(status),
  }),
  impact: rolling,
});

export const VMAgent = defineContract({
  group: "operator.victoriametrics.com",
  version: "v1beta1",
  kind: "VMAgent",
  plural: "vmagents",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      podMetadata: Type.Optional(templateMetadata()),
      shardCount: Type.Optional(int32()),
      externalLabels: Type.Optional(textMap()),
      extraArgs: Type.Optional(textMap()),
      remoteWrite: Type.Array(address),
      scrapeInterval: Type.Optional(text()),
      selectAllByDefault: Type.Optional(Type.Boolean()),
      inlineScrapeConfig: Type.Optional(text()),
      podScrapeNamespaceSelector: Type.Optional(labelSelector()),
      serviceScrapeNamespaceSelector: Type.Optional(labelSelector()),
    }),
    status: Type.Optional(status),
  }),
  impact: rolling,
});

export const victoriametricsContracts = [
  VMServiceScrape,
  VMPodScrape,
  VMCluster,
  VLCluster,
  VMAlert,
  VMAlertmanager,
  VMAgent,
] as const;

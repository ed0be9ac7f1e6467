/**
 * The VictoriaMetrics operator: what is scraped.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { anything, int64, intOrString, labelSelector, oneOf, some, text, texts } from "./fields.ts";

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

export const victoriametricsContracts = [VMServiceScrape, VMPodScrape] as const;

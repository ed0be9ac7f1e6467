/**
 * The Grafana operator: a Grafana, where it reads data, and its dashboards.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { labelSelector, open, some, text, textMap } from "./fields.ts";

const group = "grafana.integreatly.org";

const instanceSelector = labelSelector();

/** Pods as the operator merges them into its own: only the parts that are given. */
const deployment = some({
  metadata: some({ labels: textMap(), annotations: textMap() }),
  spec: open(),
});

export const Grafana = defineContract({
  group,
  version: "v1beta1",
  kind: "Grafana",
  plural: "grafanas",
  namespaced: true,
  schema: Type.Object({
    spec: some({
      config: Type.Record(Type.String(), textMap()),
      deployment,
      ingress: some({ metadata: some({ labels: textMap(), annotations: textMap() }), spec: open() }),
    }),
    status: Type.Optional(some({ stage: text(), stageStatus: text(), lastMessage: text(), version: text() })),
  }),
  impact: {
    otherwise: "inPlace",
    // The configuration is a file that the pods read at start: the operator puts its hash into their template.
    at: {
      "spec.config": "rolls",
      "spec.deployment.spec.template": "rolls",
      "spec.deployment.spec.replicas": "inPlace",
    },
  },
});

export const GrafanaDatasource = defineContract({
  group,
  version: "v1beta1",
  kind: "GrafanaDatasource",
  plural: "grafanadatasources",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      instanceSelector,
      datasource: some({
        name: text(),
        type: text(),
        access: text(),
        url: text(),
        isDefault: Type.Boolean(),
        editable: Type.Boolean(),
        jsonData: open(),
      }),
    }),
    status: Type.Optional(
      some({ hash: text(), lastMessage: text(), uid: text(), NoMatchingInstances: Type.Boolean() }),
    ),
  }),
  impact: { otherwise: "inPlace" },
});

export const GrafanaDashboard = defineContract({
  group,
  version: "v1beta1",
  kind: "GrafanaDashboard",
  plural: "grafanadashboards",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      instanceSelector,
      folder: Type.Optional(text()),
      url: Type.Optional(text()),
    }),
    status: Type.Optional(some({ hash: text(), uid: text(), NoMatchingInstances: Type.Boolean() })),
  }),
  impact: { otherwise: "inPlace" },
});

export const grafanaContracts = [Grafana, GrafanaDatasource, GrafanaDashboard] as const;

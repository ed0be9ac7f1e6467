/**
 * The Prometheus operator's rules, which VictoriaMetrics' operator takes over.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { intOrString, some, text, textMap } from "./fields.ts";

const rule = Type.Object({
  alert: Type.Optional(text()),
  record: Type.Optional(text()),
  expr: intOrString(),
  for: Type.Optional(text()),
  labels: Type.Optional(textMap()),
  annotations: Type.Optional(textMap()),
});

export const PrometheusRule = defineContract({
  group: "monitoring.coreos.com",
  version: "v1",
  kind: "PrometheusRule",
  plural: "prometheusrules",
  shortNames: ["promrule"],
  namespaced: true,
  schema: Type.Object({
    spec: some({
      groups: Type.Array(
        Type.Object({
          name: text(),
          interval: Type.Optional(text()),
          rules: Type.Optional(Type.Array(rule)),
        }),
      ),
    }),
    status: Type.Optional(some({})),
  }),
  impact: { otherwise: "inPlace" },
});

export const prometheusContracts = [PrometheusRule] as const;

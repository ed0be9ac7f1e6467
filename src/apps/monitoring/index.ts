/** Metrics, logs, alerts and dashboards of a tenant. */
import { defineApp } from "../../sdk/define-app.ts";
import { claims, expose, leftovers, monitors, needs, render } from "./render.ts";
import { MonitoringSpec } from "./spec.ts";

export const monitoring = defineApp({
  kind: "Monitoring",
  plural: "monitorings",
  release: "",
  module: true,
  catalog: {
    title: "Monitoring",
    category: "Administration",
    summary: "Metrics, logs and alerts of the tenant",
    fieldOrder: ["host", "metricsStorages", "logsStorages", "alerta", "grafana", "vmagent", "oidc"],
  },
  spec: MonitoringSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
  leftovers,
});

/** What the monitoring of a tenant runs. */
export const grafanaImage =
  "docker.io/grafana/grafana:11.6.15@sha256:f739273dfed04760428fcfbfccd1752b3b7fc87ef0a3d5637e2e87cce151e1a2";

export const alertaImage = "alerta/alerta-web:9.1.0";

/** Grafana's plugins, in the order in which it installs them. */
export const plugins = [
  { id: "grafana-worldmap-panel", version: "1.0.6" },
  { id: "marcusolsson-dynamictext-panel", version: "6.2.0" },
  { id: "natel-discrete-panel", version: "0.1.1" },
  { id: "victoriametrics-logs-datasource", version: "0.29.0" },
] as const;

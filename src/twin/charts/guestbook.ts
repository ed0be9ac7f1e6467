/** A chart that a platform engineer might write, for examples and tests: a web application with its credentials. */

import { Deployment } from "../../contracts/apps.ts";
import { Secret, Service } from "../../contracts/core.ts";
import { WorkloadMonitor } from "../../contracts/cozystack-io.ts";
import { valueAt } from "../../kube/json.ts";
import { base64 } from "../../kube/secret-text.ts";
import { container, podSpec } from "../operators/parts.ts";
import type { Chart } from "./chart.ts";

export const guestbook: Chart = ({ name, values }) => {
  const labels = { "app.kubernetes.io/name": "guestbook", "app.kubernetes.io/instance": name };
  const replicas = valueAt(values, "replicas");
  const count = typeof replicas === "number" ? replicas : 1;
  const title = valueAt(values, "title");
  return [
    Deployment(name, {
      labels,
      spec: {
        replicas: count,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec([container("web", "ghcr.io/example/guestbook:1.4.0")]) },
      },
    }),
    Service(name, {
      labels,
      spec: { selector: labels, ports: [{ name: "http", port: 80, protocol: "TCP" as const }] },
    }),
    Secret(`${name}-credentials`, {
      labels,
      type: "Opaque",
      data: { username: base64("admin"), title: base64(typeof title === "string" ? title : "") },
    }),
    Secret(`${name}-internal`, { labels, type: "Opaque", data: { key: base64("internal") } }),
    WorkloadMonitor(name, {
      labels,
      spec: { selector: labels, kind: "guestbook", type: "web", replicas: count, minReplicas: 1 },
    }),
  ];
};

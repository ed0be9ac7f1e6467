/** Which alerts go where. */
import { stringify } from "yaml";
import { Secret } from "../../contracts/core.ts";
import { VMAlertmanager } from "../../contracts/operator-victoriametrics-com.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { managedMetadata, toApiServer } from "./names.ts";
import type { Input } from "./spec.ts";

const configuration = "alertmanager";

/** Alerts of the disk importer about StorageClasses that this platform leaves without a default on purpose. */
const unwanted = "CDIDefaultStorageClassDegraded|CDINoDefaultStorageClass";

/** `key` opens Alerta: the text belongs into a Secret. */
function routes(key: string): object {
  const url = `http://alerta/api/webhooks/prometheus?api-key=${key}`;
  return {
    global: { resolve_timeout: "5m" },
    route: {
      receiver: "alerta",
      group_by: ["alertname", "namespace", "cluster"],
      group_wait: "15s",
      group_interval: "15s",
      repeat_interval: "1h",
      routes: [
        // A heartbeat is never resolved: that it stops is the alert.
        { receiver: "alerta_no_resolve", matchers: ['event="Heartbeat"'], repeat_interval: "1m" },
        { receiver: "blackhole", matchers: ['severity="none"'] },
        { receiver: "blackhole", matchers: [`alertname=~"${unwanted}"`] },
      ],
    },
    receivers: [
      { name: "blackhole" },
      { name: "alerta", webhook_configs: [{ url, send_resolved: true }] },
      { name: "alerta_no_resolve", webhook_configs: [{ url, send_resolved: false }] },
    ],
  };
}

export function alertmanager(input: Input, key: string): readonly Rendered[] {
  return [
    Secret(configuration, { stringData: { "alertmanager.yaml": stringify(routes(key)) } }),
    VMAlertmanager("alertmanager", {
      spec: {
        managedMetadata: managedMetadata(input),
        replicaCount: 3,
        configSecret: configuration,
        podMetadata: { labels: toApiServer },
      },
    }),
  ];
}

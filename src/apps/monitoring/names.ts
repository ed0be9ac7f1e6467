/**
 * Names of the monitoring's parts. They are fixed: a tenant has one monitoring, and others find its parts by these names.
 */
import { innerRelease } from "../../sdk/inner-release.ts";
import type { Input } from "./spec.ts";

export const adminSecret = "grafana-admin-password";
export const grafanaService = "grafana-service";
export const grafanaDatabase = "grafana-db";
export const alertaDatabase = "alerta-db";
export const grafanaCertificate = "grafana-ingress-tls";
export const alertaCertificate = "alerta-tls";

/** Label of the volumes. Upstream's second release, whose name it is, put it on those that exist. */
export const volumeLabel = ({ release }: Pick<Input, "release">) => ({
  "apps.cozystack.io/application.name": innerRelease(release),
});

/** Labels on what the VictoriaMetrics operator makes. */
export const managedMetadata = (input: Input) => ({
  labels: {
    "apps.cozystack.io/application.group": "apps.cozystack.io",
    "apps.cozystack.io/application.kind": "Monitoring",
    ...volumeLabel(input),
  },
});

/** DNS name of a part that people open. */
export const hostOf = ({ spec, context }: Input, part: "grafana" | "alerta"): string =>
  `${part}.${spec.host === "" ? context.namespace.host : spec.host}`;

/** A claim template whose volumes are found again by {@link volumeLabel}. */
export const claimTemplate = (input: Input, size: string, storageClass: string | undefined) => ({
  volumeClaimTemplate: {
    metadata: { labels: volumeLabel(input) },
    spec: {
      ...(storageClass === undefined || storageClass === "" ? {} : { storageClassName: storageClass }),
      resources: { requests: { storage: size } },
    },
  },
});

/** Label of pods that may reach the API server. */
export const toApiServer = { "policy.cozystack.io/allow-to-apiserver": "true" } as const;

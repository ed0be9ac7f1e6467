/**
 * A third party's chart that an application installs through Flux, as a release of its own: `<release>-system`.
 */
import { HelmRelease } from "../contracts/helm-toolkit-fluxcd-io.ts";
import type { Rendered } from "./manifest.ts";
import { releaseLimit } from "./names.ts";

const suffix = "-system";

/** Name of the inner release, and of the instance in the labels of what it makes. */
export const innerRelease = (release: string): string => `${release}${suffix}`;

/** Longest name of an application's release whose inner one Helm takes as it is. Pods are found by the inner one's name. */
export const longestInnerRelease = releaseLimit - suffix.length;

export interface InnerRelease {
  /** Name of the ExternalArtifact with the chart, in namespace `cozy-system`. */
  readonly chart: string;
  /** Values of the chart. Secrets do not belong here: everybody who may read the release reads them. */
  readonly values: object;
  /** Secrets with further values, laid under `values`, each in key `values.yaml`. */
  readonly valuesFrom?: readonly string[];
}

/** The HelmRelease. It retries for ever, and first reads the tenant's `cozystack-values`. */
export function helmRelease(release: string, { chart, values, valuesFrom = [] }: InnerRelease): Rendered {
  const forEver = { remediation: { retries: -1 } };
  return HelmRelease(innerRelease(release), {
    labels: { "sharding.fluxcd.io/key": "tenants" },
    spec: {
      chartRef: { kind: "ExternalArtifact", name: chart, namespace: "cozy-system" },
      interval: "5m",
      timeout: "10m",
      install: forEver,
      upgrade: forEver,
      valuesFrom: ["cozystack-values", ...valuesFrom].map((name) => ({ kind: "Secret", name })),
      values,
    },
  });
}

/** Label on a Secret with values: Flux takes up a change at once, not only at the next interval. */
export const watchedValues = { "reconcile.fluxcd.io/watch": "Enabled" } as const;

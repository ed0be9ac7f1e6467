/**
 * A third party's chart that an application installs through Flux, as a release of its own: `<release>-system`.
 */
import { HelmRelease } from "../contracts/helm-toolkit-fluxcd-io.ts";
import type { ImpactRules } from "../contracts/impact.ts";
import { changing, type Rendered } from "./manifest.ts";
import { releaseLimit } from "./names.ts";

const suffix = "-system";

/** Name of the inner release, and of the instance in the labels of what it makes. */
export const innerRelease = (release: string): string => `${release}${suffix}`;

/** Longest name of an application's release whose inner one Helm takes as it is. Pods are found by the inner one's name. */
export const longestInnerRelease = releaseLimit - suffix.length;

/** A value of the chart in a Secret. Default key: `values.yaml`. Without a path its content is a document of values. */
export interface SecretValue {
  readonly name: string;
  readonly valuesKey?: string;
  readonly targetPath?: string;
  /** Whether the release does without while there is no such Secret. One without the key stops it all the same. Default false. */
  readonly optional?: boolean;
}

export interface InnerRelease {
  /** Name of the ExternalArtifact with the chart, in namespace `cozy-system`. */
  readonly chart: string;
  /** Values of the chart. Secrets do not belong here: everybody who may read the release reads them. */
  readonly values: object;
  /** Secrets with further values, laid under `values`; of those given by name alone the key `values.yaml`. */
  readonly valuesFrom?: readonly (string | SecretValue)[];
  /** Default: those of what Flux applies for tenants. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Whether the tenant's `cozystack-values` are read first. Default true. */
  readonly tenantValues?: boolean;
  /** How often Flux looks for drift. Default `5m`. */
  readonly interval?: string;
  /** How long one attempt may take. Default `10m`. */
  readonly timeout?: string;
  /** Other releases of the namespace, or of another one, that must be ready first. */
  readonly dependsOn?: readonly { readonly name: string; readonly namespace?: string }[];
  /** Try again so long after a failure, without uninstalling or rolling back first. Default: undo, then try again. */
  readonly retryInterval?: string;
  /** What changes of values mean, by their path. Default: other pods, at worst. */
  readonly impacts?: Pick<ImpactRules, "at" | "fewer">;
}

const below = <T>(rules: Readonly<Record<string, T>> = {}): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(rules).map(([path, rule]) => [`spec.values.${path}`, rule]));

const tenantLabels = { "sharding.fluxcd.io/key": "tenants" };

/** The HelmRelease. It retries for ever, and first reads the tenant's `cozystack-values`. */
export function helmRelease(release: string, given: InnerRelease): Rendered {
  const { chart, values, valuesFrom = [], interval = "5m", timeout = "10m", dependsOn = [], retryInterval } = given;
  const { labels = tenantLabels, tenantValues = true, impacts = {} } = given;
  const secrets = [...(tenantValues ? ["cozystack-values"] : []), ...valuesFrom];
  const strategy = retryInterval === undefined ? {} : { strategy: { name: "RetryOnFailure" as const, retryInterval } };
  const forEver = { ...strategy, remediation: { retries: -1 } };
  const object = HelmRelease(innerRelease(release), {
    labels,
    spec: {
      chartRef: { kind: "ExternalArtifact", name: chart, namespace: "cozy-system" },
      interval,
      timeout,
      ...(dependsOn.length === 0 ? {} : { dependsOn: [...dependsOn] }),
      install: forEver,
      upgrade: forEver,
      ...(secrets.length === 0
        ? {}
        : {
            valuesFrom: secrets.map((from) => ({
              kind: "Secret",
              ...(typeof from === "string" ? { name: from } : from),
            })),
          }),
      values,
    },
  });
  return changing(object, { impacts: { at: below(impacts.at), fewer: below(impacts.fewer) } });
}

/** Label on a Secret with values: Flux takes up a change at once, not only at the next interval. */
export const watchedValues = { "reconcile.fluxcd.io/watch": "Enabled" } as const;

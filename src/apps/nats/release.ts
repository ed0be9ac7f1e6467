/** The chart that makes the servers, and its values. */
import { StatefulSet } from "../../contracts/apps.ts";
import { PersistentVolumeClaim, type PersistentVolumeClaimObject } from "../../contracts/core.ts";
import { whenLess } from "../../contracts/impact.ts";
import { growClaims, templateSize } from "../../sdk/claim-growth.ts";
import { clusterDomain } from "../../sdk/cluster.ts";
import { helmRelease, innerRelease } from "../../sdk/inner-release.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { matching, optional } from "../../sdk/needs.ts";
import { resources } from "../../sdk/resources.ts";
import { authoritySecrets, tlsEnabled } from "../../sdk/tls.ts";
import type { Input } from "./spec.ts";
import { accountValues } from "./users.ts";

const chart = "cozystack-nats-application-default-nats-system";

/** Labels of the servers' pods and claims; without the last one those of the chart's idle client, too. */
export const serverLabels = (release: string) => ({
  "app.kubernetes.io/instance": innerRelease(release),
  "app.kubernetes.io/component": "nats",
});

/** The claim template of JetStream, and the beginning of its claims' names. */
const template = (release: string): string => `${release}-js`;

/** The servers and their claims as they are, for volumes that are to grow. */
export const setNeed = ({ release }: Input) => optional(StatefulSet, release);
export const claimsNeed = ({ release }: Input) => matching(PersistentVolumeClaim, serverLabels(release));

export interface Live {
  readonly set: StatefulSet | undefined;
  readonly claims: readonly PersistentVolumeClaimObject[];
}

function jetstream(input: Input, live: Live) {
  const { enabled, size } = input.spec.jetstream;
  const { storageClass } = input.spec;
  // Never what is new: a claim template does not change, and Helm could not apply the release any more.
  const made = templateSize(live.set, template(input.release)) ?? size;
  return {
    enabled: true,
    fileStore: {
      enabled,
      // Claims have grown since they were made: the servers may fill them.
      ...(enabled && made !== size ? { maxSize: size } : {}),
      pvc: { enabled: true, size: made, ...(storageClass === "" ? {} : { storageClassName: storageClass }) },
    },
  };
}

function values(input: Input, live: Live): object {
  const { release, spec, context } = input;
  const encrypted = tlsEnabled(spec);
  const [ca, leaf] = authoritySecrets(release);
  const tls = encrypted ? { tls: { enabled: true, secretName: leaf } } : {};
  const { merge, resolver } = spec.config;
  // The chart's own setting is Delete, and the volumes would go with the servers.
  const kept = { merge: { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain" } } } };
  return {
    fullnameOverride: release,
    container: { merge: { resources: resources(spec, context) } },
    ...(encrypted ? { tlsCA: { enabled: true, secretName: ca } } : {}),
    config: {
      ...(Object.keys(merge).length === 0 ? {} : { merge }),
      ...(Object.keys(resolver).length === 0 ? {} : { resolver }),
      ...(encrypted ? { nats: tls } : {}),
      cluster: {
        enabled: true,
        replicas: spec.replicas,
        routeURLs: { k8sClusterDomain: clusterDomain(context), ...(encrypted ? { useFQDN: true } : {}) },
        ...tls,
      },
      monitor: { enabled: true },
      jetstream: jetstream(input, live),
    },
    ...(spec.reclaimPolicy === "Retain" ? { statefulSet: kept } : {}),
    ...(spec.external ? { service: { merge: { spec: { type: "LoadBalancer" } } } } : {}),
  };
}

export function release(input: Input, live: Live): readonly Rendered[] {
  const { spec } = input;
  const claims = live.claims.filter(({ metadata }) => metadata.name.startsWith(`${template(input.release)}-`));
  // By the chart's own setting, whatever becomes of volumes when the release goes. A stream may have no copy elsewhere.
  const servers = "nats.config.cluster.replicas";
  const impacts = spec.jetstream.enabled
    ? { at: { [servers]: whenLess("losesData", "rolls") }, fewer: { [servers]: "go" as const } }
    : {};
  return [
    helmRelease(input.release, {
      chart,
      values: { nats: values(input, live) },
      valuesFrom: accountValues(input),
      impacts,
    }),
    ...growClaims(claims, spec.jetstream.size, "spec.jetstream.size"),
  ];
}

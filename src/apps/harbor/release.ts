/** The chart of Harbor itself, and its values. */
import { StatefulSet } from "../../contracts/apps.ts";
import { PersistentVolumeClaim, type PersistentVolumeClaimObject, Secret } from "../../contracts/core.ts";
import { HelmRelease } from "../../contracts/helm-toolkit-fluxcd-io.ts";
import type { ClaimSpec } from "../../contracts/pod.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { growClaims, templateSize } from "../../sdk/claim-growth.ts";
import { helmRelease, innerRelease, type SecretValue } from "../../sdk/inner-release.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { optional } from "../../sdk/needs.ts";
import { resources } from "../../sdk/resources.ts";
import { databaseSecret } from "../../sdk/service-database.ts";
import {
  credentialsSecret,
  databaseName,
  hostOf,
  jobsClaim,
  redisName,
  registrySecret,
  scanner,
  scannerClaim,
  scannerTemplate,
  tokenSecret,
} from "./names.ts";
import type { Input } from "./spec.ts";
import { bucketValues } from "./storage.ts";

const chart = "cozystack-harbor-application-default-harbor-system";

/** What the chart has made already, and must not be made anew. */
export const liveNeeds = ({ release }: Input) => ({
  jobs: optional(PersistentVolumeClaim, jobsClaim(release)),
  scan: optional(PersistentVolumeClaim, scannerClaim(release)),
  scanner: optional(StatefulSet, scanner(release)),
  token: optional(Secret, tokenSecret(release)),
  release: optional(HelmRelease, innerRelease(release)),
});

type Release = ReturnType<typeof HelmRelease>;

interface Live {
  readonly jobs: PersistentVolumeClaimObject | undefined;
  readonly scan: PersistentVolumeClaimObject | undefined;
  readonly scanner: StatefulSet | undefined;
  readonly token: Secret | undefined;
  readonly release: Release | undefined;
}

/** The class of a claim that exists stays as it is; `-` is the chart's word for one that is said to have none. */
function classOf(claim: { readonly spec: Pick<ClaimSpec, "storageClassName"> } | undefined, otherwise: string): string {
  if (claim === undefined) return otherwise;
  const { storageClassName } = claim.spec;
  return storageClassName === "" ? "-" : (storageClassName ?? "");
}

/**
 * The scanner's claim template, or without one its claim: neither can change, and Helm would fail over it. A StatefulSet that
 * is away for a moment, as after somebody deleted the release, had what the release says.
 */
function scanClass({ scan, scanner: set, release: known }: Live, otherwise: string): string {
  const template = set?.spec.volumeClaimTemplates?.find(({ metadata }) => metadata.name === scannerTemplate);
  const said = valueAt(known?.spec.values, "harbor", "persistence", "persistentVolumeClaim", "trivy");
  if (template === undefined && scan !== undefined && isRecord(said)) {
    const { storageClass = "" } = said;
    if (typeof storageClass === "string") return storageClass;
  }
  return classOf(template ?? scan, otherwise);
}

function claimValues({ spec }: Input, live: Live): object {
  const jobs = classOf(live.jobs, spec.storageClass);
  const scan = scanClass(live, spec.storageClass);
  if (jobs === "" && !spec.trivy.enabled) return {};
  // Never what is new: a claim template does not change, and Helm could not apply the release any more.
  const size = templateSize(live.scanner, scannerTemplate) ?? spec.trivy.size;
  const trivy = { size, ...(scan === "" ? {} : { storageClass: scan }) };
  return {
    persistentVolumeClaim: {
      ...(jobs === "" ? {} : { jobservice: { jobLog: { storageClass: jobs } } }),
      ...(spec.trivy.enabled ? { trivy } : {}),
    },
  };
}

function values(input: Input, live: Live): object {
  const { release, spec, context } = input;
  const sized = (part: "core" | "registry" | "jobservice" | "trivy") => ({
    resources: resources(spec[part], context, `spec.${part}`),
  });
  return {
    fullnameOverride: release,
    externalURL: `https://${hostOf(input)}`,
    expose: { type: "clusterIP", clusterIP: { name: release }, tls: { enabled: false } },
    persistence: {
      enabled: true,
      resourcePolicy: "keep",
      ...claimValues(input, live),
      imageChartStorage: bucketValues(release),
    },
    portal: { resources: resources({ resourcesPreset: "t1.nano" }, context) },
    core: sized("core"),
    registry: { registry: sized("registry"), controller: sized("registry") },
    jobservice: sized("jobservice"),
    trivy: { enabled: spec.trivy.enabled, ...(spec.trivy.enabled ? sized("trivy") : {}) },
    database: {
      type: "external",
      external: {
        host: `${databaseName(release)}-rw`,
        port: "5432",
        username: "app",
        coreDatabase: "app",
        sslmode: "require",
        existingSecret: databaseSecret(databaseName(release)),
      },
    },
    redis: {
      type: "external",
      external: {
        addr: `rfs-${redisName(release)}:26379`,
        sentinelMasterSet: "mymaster",
        coreDatabaseIndex: "0",
        jobserviceDatabaseIndex: "1",
        registryDatabaseIndex: "2",
        trivyAdapterIndex: "5",
      },
    },
    metrics: { enabled: true, serviceMonitor: { enabled: true } },
  };
}

/**
 * The pair that signs tokens, in a Secret of the chart: without it each upgrade would make another one, and tokens would be
 * worth nothing. Asked for whether it is there or not, so that nothing changes when somebody deletes the Secret, or the release
 * that makes it. Only of a Secret that lacks a key nothing is asked: Flux would wait for the key, and the chart makes it anew.
 */
function signingPair(release: string, token: Secret | undefined): readonly SecretValue[] {
  const name = tokenSecret(release);
  const pair = [
    { name, valuesKey: "tls.key", targetPath: "harbor.core.tokenKey", optional: true },
    { name, valuesKey: "tls.crt", targetPath: "harbor.core.tokenCert", optional: true },
  ];
  return token === undefined || pair.every(({ valuesKey }) => (token.data?.[valuesKey] ?? "") !== "") ? pair : [];
}

/** Values that are secret, or that the release has to wait for. */
function secretValues(release: string, token: Secret | undefined): readonly SecretValue[] {
  const name = credentialsSecret(release);
  return [
    { name, valuesKey: "admin-password", targetPath: "harbor.harborAdminPassword" },
    { name, valuesKey: "redis-password", targetPath: "harbor.redis.external.password" },
    // There only when the driver has made the keys: nothing starts without them.
    {
      name: registrySecret(release),
      valuesKey: "REGISTRY_STORAGE_S3_BUCKET",
      targetPath: "harbor.persistence.imageChartStorage.s3.bucket",
    },
    ...signingPair(release, token),
  ];
}

export function release(input: Input, live: Live): readonly Rendered[] {
  const { spec } = input;
  return [
    helmRelease(input.release, {
      chart,
      timeout: "15m",
      retryInterval: "30s",
      values: { harbor: values(input, live) },
      valuesFrom: secretValues(input.release, live.token),
    }),
    ...(spec.trivy.enabled && live.scan !== undefined
      ? growClaims([live.scan], spec.trivy.size, "spec.trivy.size")
      : []),
  ];
}

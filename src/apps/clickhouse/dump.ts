/** The scheduled dump with restic, from before the platform's own backups. Kept for those who have it. */
import { readFileSync } from "node:fs";
import { CronJob } from "../../contracts/batch.ts";
import { Secret } from "../../contracts/core.ts";
import { literal } from "../../sdk/env.ts";
import { sha256hex } from "../../sdk/hash.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { checkName } from "../../sdk/names.ts";
import { serverCluster } from "./names.ts";
import { scheduledDump } from "./rules.ts";
import type { Input } from "./spec.ts";
import { backupUser, credentialsSecret } from "./users.ts";
import { dumpImage } from "./versions.ts";

export const dumpScript = readFileSync(new URL("./dump.sh", import.meta.url), "utf8");

/** Kubernetes adds eleven characters for the Job's name. */
const longestCronJob = 52;

function container({ release, spec }: Input) {
  const { backup } = spec;
  const from = (name: string, secret: string, key: string) => ({
    name,
    valueFrom: { secretKeyRef: { name: secret, key } },
  });
  const own = `${release}-backup`;
  return {
    name: "clickhouse-backup",
    image: dumpImage,
    command: ["/bin/sh", "-x", "/scripts/backup.sh"],
    env: [
      { name: "REPO_PREFIX", value: literal(backup.s3Bucket) },
      { name: "CLEANUP_STRATEGY", value: literal(backup.cleanupStrategy) },
      { name: "CLICKHOUSE_USER", value: backupUser },
      { name: "CLICKHOUSE_HOST", value: `chi-${release}-${serverCluster}-0-0` },
      from("CLICKHOUSE_PASSWORD", credentialsSecret(release), backupUser),
      from("AWS_ACCESS_KEY_ID", own, "s3AccessKey"),
      from("AWS_SECRET_ACCESS_KEY", own, "s3SecretKey"),
      { name: "AWS_DEFAULT_REGION", value: literal(backup.s3Region) },
      from("RESTIC_PASSWORD", own, "resticPassword"),
    ],
    securityContext: {
      runAsNonRoot: true,
      readOnlyRootFilesystem: true,
      privileged: false,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [
      { name: "scripts", mountPath: "/scripts" },
      { name: "tmp", mountPath: "/tmp" },
      { name: "cache", mountPath: "/.cache" },
    ],
  };
}

/** CronJob, script and credentials; nothing without a schedule. */
export function dump(input: Input): readonly Rendered[] {
  const { release, spec } = input;
  const { backup } = spec;
  if (!scheduledDump(backup)) return [];
  const name = `${release}-backup`;
  checkName(name, "DNS-1123 subdomain", "the name of the CronJob for scheduled dumps", "metadata.name", longestCronJob);
  const script = { "backup.sh": dumpScript };
  return [
    Secret(name, {
      stringData: {
        s3AccessKey: backup.s3AccessKey,
        s3SecretKey: backup.s3SecretKey,
        resticPassword: backup.resticPassword,
      },
    }),
    Secret(`${name}-script`, { stringData: script }),
    CronJob(name, {
      spec: {
        schedule: backup.schedule,
        concurrencyPolicy: "Forbid",
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 3,
        jobTemplate: {
          spec: {
            backoffLimit: 2,
            template: {
              // No checksum of the credentials: anybody who may read the object could try passwords against it.
              metadata: { annotations: { "checksum/config": sha256hex(dumpScript) } },
              spec: {
                imagePullSecrets: [{ name: `${release}-regsecret` }],
                restartPolicy: "Never",
                containers: [container(input)],
                volumes: [
                  { name: "scripts", secret: { secretName: `${name}-script` } },
                  { name: "tmp", emptyDir: {} },
                  { name: "cache", emptyDir: {} },
                ],
                securityContext: {
                  runAsUser: 9000,
                  runAsGroup: 9000,
                  runAsNonRoot: true,
                  seccompProfile: { type: "RuntimeDefault" },
                },
              },
            },
          },
        },
      },
    }),
  ];
}

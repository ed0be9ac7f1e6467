/**
 * The scheduled dump of a database with restic, from before the platform's own backups. Kept for those who have it.
 */
import { readFileSync } from "node:fs";
import { CronJob } from "../contracts/batch.ts";
import { Secret } from "../contracts/core.ts";
import type { EnvVar } from "../contracts/pod.ts";
import { literal } from "./env.ts";
import { sha256hex } from "./hash.ts";
import type { Rendered } from "./manifest.ts";
import { checkName } from "./names.ts";
import { registrySecretRef } from "./registry-secret.ts";

/** Where dumps go, and how many of them stay. */
export interface DumpTarget {
  /** Five fields of cron. */
  readonly schedule: string;
  /** Address of the S3 service, bucket and path. */
  readonly s3Bucket: string;
  readonly s3Region: string;
  readonly s3AccessKey: string;
  readonly s3SecretKey: string;
  /** Options of `restic forget`. */
  readonly cleanupStrategy: string;
  readonly resticPassword: string;
}

/** What a dump runs. */
export interface DumpProgram {
  readonly container: string;
  readonly image: string;
  /** Runs `/scripts/backup.sh`. */
  readonly command: readonly string[];
  /** Text of that, made by {@link dumpScript}. */
  readonly script: string;
  /** How the script reaches the database, after the target's REPO_PREFIX and CLEANUP_STRATEGY. */
  readonly access: readonly EnvVar[];
}

const common = readFileSync(new URL("./scheduled-dump.sh", import.meta.url), "utf8");

/** The script of a dump: what all have in common, then the program's own part. */
export function dumpScript(own: string): string {
  return `${common}${own}`;
}

/** Kubernetes adds eleven characters for the Job's name. */
const longestCronJob = 52;

/** A variable with the value of a Secret's key. */
export function fromSecret(name: string, secret: string, key: string): EnvVar {
  return { name, valueFrom: { secretKeyRef: { name: secret, key } } };
}

function container(name: string, target: DumpTarget, program: DumpProgram) {
  return {
    name: program.container,
    image: program.image,
    command: program.command,
    env: [
      { name: "REPO_PREFIX", value: literal(target.s3Bucket) },
      { name: "CLEANUP_STRATEGY", value: literal(target.cleanupStrategy) },
      ...program.access,
      fromSecret("AWS_ACCESS_KEY_ID", name, "s3AccessKey"),
      fromSecret("AWS_SECRET_ACCESS_KEY", name, "s3SecretKey"),
      { name: "AWS_DEFAULT_REGION", value: literal(target.s3Region) },
      fromSecret("RESTIC_PASSWORD", name, "resticPassword"),
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

/** CronJob `<release>-backup`, its script and its credentials. */
export function scheduledDump(release: string, target: DumpTarget, program: DumpProgram): readonly Rendered[] {
  const name = `${release}-backup`;
  checkName(name, "DNS-1123 subdomain", "the name of the CronJob for scheduled dumps", "metadata.name", longestCronJob);
  const { s3AccessKey, s3SecretKey, resticPassword } = target;
  return [
    Secret(name, { stringData: { s3AccessKey, s3SecretKey, resticPassword } }),
    Secret(`${name}-script`, { stringData: { "backup.sh": program.script } }),
    CronJob(name, {
      spec: {
        schedule: target.schedule,
        concurrencyPolicy: "Forbid",
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 3,
        jobTemplate: {
          spec: {
            backoffLimit: 2,
            template: {
              // No checksum of the credentials: anybody who may read the object could try passwords against it.
              metadata: { annotations: { "checksum/config": sha256hex(program.script) } },
              spec: {
                imagePullSecrets: registrySecretRef(release),
                restartPolicy: "Never",
                containers: [container(name, target, program)],
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

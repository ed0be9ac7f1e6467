/** Backups to an S3 bucket, and the restore of one. */
import { Secret } from "../../contracts/core.ts";
import { PerconaServerMongoDBRestore } from "../../contracts/psmdb-percona-com.ts";
import { sha256hex } from "../../sdk/hash.ts";
import { type Rendered, runOnce } from "../../sdk/manifest.ts";
import type { Input, Spec } from "./spec.ts";
import { backupImage } from "./versions.ts";

const credentialsSecret = (release: string): string => `${release}-s3-creds`;

const scheme = "s3://";
const withoutScheme = (path: string): string => (path.startsWith(scheme) ? path.slice(scheme.length) : path);

/** The bucket of a path such as `s3://bucket/folder/`. */
export const bucketOf = (path: string): string => withoutScheme(path).split("/")[0] ?? "";

/** What follows the bucket, `folder/`; empty where there is nothing. */
const prefixOf = (path: string): string => withoutScheme(path).split("/").slice(1).join("/");

function s3({ release, spec: { backup } }: Pick<Input, "release" | "spec">) {
  const prefix = prefixOf(backup.destinationPath);
  return {
    bucket: bucketOf(backup.destinationPath),
    ...(prefix === "" ? {} : { prefix }),
    endpointUrl: backup.endpointURL,
    credentialsSecret: credentialsSecret(release),
    insecureSkipTLSVerify: backup.insecureSkipTLSVerify,
    forcePathStyle: true,
  };
}

/** The number in `30d`; 0, which means all, where there is none. */
const keep = (policy: string): number => (/^-?[0-9]{1,9}d?$/.test(policy) ? Number.parseInt(policy, 10) : 0);

/** What the operator is told about backups. */
export function backups({ release, spec }: Pick<Input, "release" | "spec">) {
  const { enabled, schedule, retentionPolicy } = spec.backup;
  if (!enabled) return { enabled, image: backupImage };
  const storageName = "s3-storage";
  return {
    enabled,
    image: backupImage,
    storages: { [storageName]: { type: "s3" as const, s3: s3({ release, spec }) } },
    tasks: [
      {
        name: "daily-backup",
        enabled: true,
        schedule,
        keep: keep(retentionPolicy),
        storageName,
        type: "logical" as const,
        compressionType: "gzip",
      },
    ],
    pitr: { enabled: true },
  };
}

export function credentials({ release, spec: { backup, bootstrap } }: Input): readonly Rendered[] {
  if (!backup.enabled && !bootstrap.enabled) return [];
  const stringData = { AWS_ACCESS_KEY_ID: backup.s3AccessKey, AWS_SECRET_ACCESS_KEY: backup.s3SecretKey };
  return [Secret(credentialsSecret(release), { type: "Opaque", stringData })];
}

const backupOf = ({ backup, bootstrap }: Spec): string =>
  `${backup.destinationPath.replace(/\/$/, "")}/${bootstrap.backupName}`;

/** The restore, named by what it restores: it would otherwise run again over what was written since. */
export function restore({ release, spec }: Input): readonly Rendered[] {
  const { enabled, recoveryTime } = spec.bootstrap;
  if (!enabled) return [];
  const destination = backupOf(spec);
  const content = sha256hex(JSON.stringify([destination, recoveryTime])).slice(0, 10);
  const object = PerconaServerMongoDBRestore(`${release}-restore-${content}`, {
    spec: {
      clusterName: release,
      ...(recoveryTime === "" ? {} : { pitr: { type: "date", date: recoveryTime } }),
      backupSource: { type: "logical", destination, s3: s3({ release, spec }) },
    },
  });
  return [runOnce(object)];
}

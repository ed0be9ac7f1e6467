/**
 * Backups to a bucket that the user names, by the barman-cloud plugin. With the system bucket the platform's backup driver
 * writes these objects instead, and nothing is rendered here.
 */
import { ObjectStore } from "../../contracts/barmancloud-cnpg-io.ts";
import { Secret } from "../../contracts/core.ts";
import { ScheduledBackup } from "../../contracts/postgresql-cnpg-io.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { shownSecrets } from "../../sdk/shown-secret.ts";
import type { Input, Spec } from "./spec.ts";

export const barmanPlugin = "barman-cloud.cloudnative-pg.io";

const accessKey = "AWS_ACCESS_KEY_ID";
const secretKey = "AWS_SECRET_ACCESS_KEY";

/** The ObjectStore with the backup that a new cluster starts from. */
export const recoveryStore = (release: string): string => `${release}-recovery`;

const credentialsSecret = (release: string): string => `${release}-s3-creds`;

const inlineKeys = ({ backup }: Spec): boolean => backup.s3AccessKey !== "" && backup.s3SecretKey !== "";

/** Whether the cluster archives its write-ahead log to the user's bucket. */
export function archiveWired(spec: Spec): boolean {
  const { enabled, useSystemBucket, destinationPath, s3CredentialsSecret } = spec.backup;
  const credentials = inlineKeys(spec) || s3CredentialsSecret.name !== "";
  return enabled && !useSystemBucket && destinationPath !== "" && credentials;
}

/** The Secrets of the user's that backups read. */
export function backupNeeds(spec: Spec) {
  if (!archiveWired(spec) && !spec.bootstrap.enabled) return {};
  return shownSecrets(spec.backup.s3CredentialsSecret.name, spec.backup.endpointCA.name);
}

function s3Credentials(release: string, { backup }: Spec) {
  const { name, accessKeyIDKey, secretAccessKeyKey } = backup.s3CredentialsSecret;
  // Other key names only count for a Secret that the user made.
  if (name === "") {
    const own = credentialsSecret(release);
    return { accessKeyId: { name: own, key: accessKey }, secretAccessKey: { name: own, key: secretKey } };
  }
  return {
    accessKeyId: { name, key: accessKeyIDKey === "" ? accessKey : accessKeyIDKey },
    secretAccessKey: { name, key: secretAccessKeyKey === "" ? secretKey : secretAccessKeyKey },
  };
}

function store(name: string, { release, spec }: Input, retention: string): Rendered {
  const { destinationPath, endpointURL, endpointCA } = spec.backup;
  return ObjectStore(name, {
    spec: {
      ...(retention === "" ? {} : { retentionPolicy: retention }),
      // S3 services other than Amazon's refuse the checksum header that newer clients send by default.
      instanceSidecarConfiguration: { env: [{ name: "AWS_REQUEST_CHECKSUM_CALCULATION", value: "when_required" }] },
      configuration: {
        destinationPath,
        ...(endpointURL === "" ? {} : { endpointURL }),
        ...(endpointCA.name === ""
          ? {}
          : { endpointCA: { name: endpointCA.name, key: endpointCA.key === "" ? "ca.crt" : endpointCA.key } }),
        s3Credentials: s3Credentials(release, spec),
      },
    },
  });
}

function schedule({ release, spec }: Input): Rendered {
  return ScheduledBackup(release, {
    spec: {
      schedule: spec.backup.schedule,
      backupOwnerReference: "self",
      method: "plugin",
      pluginConfiguration: { name: barmanPlugin },
      cluster: { name: release },
    },
  });
}

export function backups(input: Input): readonly Rendered[] {
  const { release, spec } = input;
  const { backup, bootstrap } = spec;
  const ownSecret =
    (backup.enabled || bootstrap.enabled) &&
    !backup.useSystemBucket &&
    backup.s3CredentialsSecret.name === "" &&
    inlineKeys(spec);
  return [
    ...(ownSecret
      ? [
          Secret(credentialsSecret(release), {
            stringData: { [accessKey]: backup.s3AccessKey, [secretKey]: backup.s3SecretKey },
          }),
        ]
      : []),
    ...(archiveWired(spec) ? [store(release, input, backup.retentionPolicy)] : []),
    ...(bootstrap.enabled ? [store(recoveryStore(release), input, "")] : []),
    ...(backup.enabled && backup.schedule !== "" && !backup.useSystemBucket ? [schedule(input)] : []),
  ];
}

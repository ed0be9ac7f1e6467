/**
 * The backup server beside each ClickHouse, and the Secrets it reads. The platform's backup driver calls it over HTTP.
 */
import { Secret } from "../../contracts/core.ts";
import type { EnvVar } from "../../kube/kinds/pod-spec.ts";
import { literal } from "../../sdk/env.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { alphanumeric, type GeneratedSecret, generatedSecret } from "../../sdk/needs.ts";
import { shownSecrets } from "../../sdk/shown-secret.ts";
import { inlineCredentials } from "./check.ts";
import type { Input, Spec } from "./spec.ts";
import { backupUser, credentialsSecret } from "./users.ts";
import { sidecarImage } from "./versions.ts";

const apiSecret = (release: string): string => `${release}-backup-api-auth`;
const s3Secret = (release: string): string => `${release}-backup-s3`;
/** The platform's Secret in every tenant that may use its bucket. */
const systemSecret = "cozy-backups-creds";

const caVolume = "backup-s3-ca";
const caPath = "/etc/ssl/cozy-s3-ca";

/** Name and password of the sidecar's API. */
export function apiNeed({ release, spec }: Input) {
  return spec.backup.enabled ? generatedSecret(apiSecret(release), { password: alphanumeric(24) }) : undefined;
}

/** The Secrets of the user's that the sidecar reads. */
export function sidecarNeeds({ backup }: Spec) {
  if (!backup.enabled) return {};
  return shownSecrets(backup.useSystemBucket ? "" : backup.s3CredentialsSecret.name, backup.endpointCA.name);
}

export function sidecarSecrets({ release, spec }: Input, api: GeneratedSecret | undefined): readonly Rendered[] {
  const { backup } = spec;
  const password = api?.values["password"];
  return [
    ...(password === undefined
      ? []
      : [Secret(apiSecret(release), { type: "Opaque", stringData: { username: backupUser, password } })]),
    ...(inlineCredentials(backup)
      ? [
          Secret(s3Secret(release), {
            type: "Opaque",
            stringData: {
              bucketName: backup.s3Bucket,
              endpoint: backup.endpoint,
              region: backup.s3Region,
              accessKey: backup.s3AccessKey,
              secretKey: backup.s3SecretKey,
            },
          }),
        ]
      : []),
  ];
}

const from = (name: string, secret: string, key: string, optional?: true): EnvVar => ({
  name,
  valueFrom: { secretKeyRef: { name: secret, key, ...(optional === undefined ? {} : { optional }) } },
});

/** Bucket and credentials: variable and key in the Secret, in order. */
const s3Keys = [
  ["S3_BUCKET", "bucketName"],
  ["S3_ENDPOINT", "endpoint"],
  ["S3_REGION", "region"],
  ["S3_ACCESS_KEY", "accessKey"],
  ["S3_SECRET_KEY", "secretKey"],
] as const;

function s3Env(release: string, { useSystemBucket, s3CredentialsSecret: own }: Spec["backup"]): readonly EnvVar[] {
  // The platform's Secret may come later; the sidecar runs without until then.
  if (useSystemBucket) return s3Keys.map(([name, key]) => from(name, systemSecret, key, true));
  if (own.name === "") return s3Keys.map(([name, key]) => from(name, s3Secret(release), key));
  const keys = {
    bucketName: own.bucketKey,
    endpoint: own.endpointKey,
    region: own.regionKey,
    accessKey: own.accessKeyIDKey,
    secretKey: own.secretAccessKeyKey,
  };
  return s3Keys.map(([name, key]) => from(name, own.name, keys[key] === "" ? key : keys[key]));
}

function pathStyle({ useSystemBucket, s3CredentialsSecret, endpoint }: Spec["backup"]): readonly EnvVar[] {
  const name = "S3_FORCE_PATH_STYLE";
  if (useSystemBucket) return [from(name, systemSecret, "forcePathStyle", true)];
  return s3CredentialsSecret.name !== "" || endpoint !== "" ? [{ name, value: "true" }] : [];
}

function s3Path({ release, namespace, spec }: Input): string {
  if (spec.backup.useSystemBucket) return `${namespace}/${release}`;
  return spec.backup.s3PathOverride === "" ? release : literal(spec.backup.s3PathOverride);
}

function env(input: Input): readonly EnvVar[] {
  const { release, spec } = input;
  return [
    { name: "CLICKHOUSE_HOST", value: "localhost" },
    { name: "CLICKHOUSE_PORT", value: "9000" },
    { name: "CLICKHOUSE_USERNAME", value: backupUser },
    from("CLICKHOUSE_PASSWORD", credentialsSecret(release), backupUser),
    { name: "ALLOW_EMPTY_BACKUPS", value: "true" },
    { name: "REMOTE_STORAGE", value: "s3" },
    ...pathStyle(spec.backup),
    { name: "API_LISTEN", value: "0.0.0.0:7171" },
    from("API_USERNAME", apiSecret(release), "username"),
    from("API_PASSWORD", apiSecret(release), "password"),
    { name: "S3_PATH", value: s3Path(input) },
    ...s3Env(release, spec.backup),
    // Added to the system's certificates. AWS_CA_BUNDLE would replace them.
    ...(spec.backup.endpointCA.name === "" ? [] : [{ name: "SSL_CERT_DIR", value: `${caPath}:/etc/ssl/certs` }]),
  ];
}

/** The sidecar with its volumes; nothing without backups. */
export function sidecar(
  input: Input,
  dataVolume: string,
): { readonly containers: readonly object[]; readonly volumes?: readonly object[] } {
  const { enabled, endpointCA } = input.spec.backup;
  if (!enabled) return { containers: [] };
  const withCa = endpointCA.name !== "";
  const container = {
    name: "clickhouse-backup",
    image: sidecarImage,
    imagePullPolicy: "IfNotPresent",
    command: ["clickhouse-backup", "server"],
    env: env(input),
    ports: [{ name: "ch-backup-api", containerPort: 7171, protocol: "TCP" }],
    resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "500m", memory: "256Mi" } },
    // It links and owns files of the server's account.
    securityContext: {
      runAsUser: 0,
      runAsGroup: 0,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"], add: ["DAC_OVERRIDE", "CHOWN", "FOWNER", "FSETID"] },
      seccompProfile: { type: "RuntimeDefault" },
    },
    volumeMounts: [
      { name: dataVolume, mountPath: "/var/lib/clickhouse" },
      ...(withCa ? [{ name: caVolume, mountPath: caPath, readOnly: true }] : []),
    ],
  };
  if (!withCa) return { containers: [container] };
  const key = endpointCA.key === "" ? "ca.crt" : endpointCA.key;
  return {
    containers: [container],
    volumes: [{ name: caVolume, secret: { secretName: endpointCA.name, items: [{ key, path: "ca.crt" }] } }],
  };
}

/** The continuous backup to an S3 bucket. */

import { FoundationDBBackup } from "../../contracts/apps-foundationdb-org.ts";
import { Secret } from "../../contracts/core.ts";
import { base64 } from "../../kube/secret-text.ts";
import { refuse } from "../../sdk/errors.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { commonLabels, small } from "./labels.ts";
import { missing, needed } from "./rules.ts";
import type { Input, Spec } from "./spec.ts";

const credentialsSecret = (release: string): string => `${release}-s3-creds`;

export const backupName = (release: string): string => `${release}-backup`;

/** Key of the file that the agents read, and where they find it. */
const file = "credentials.json";
const directory = "/var/backup-credentials";

/** The most that the operator takes. */
const longestAccount = 100;

/** Host and port of the S3 service, and whether it is spoken to in the clear. */
function service({ endpoint, region }: Spec["backup"]["s3"]) {
  const url = new URL(endpoint === "" ? `https://s3.${region}.amazonaws.com` : withScheme(endpoint));
  const isPlain = url.protocol === "http:";
  return { host: url.hostname, port: url.port || (isPlain ? "80" : "443"), isPlain };
}

const withScheme = (endpoint: string): string => (endpoint.includes("://") ? endpoint : `https://${endpoint}`);

function setting({ bucket, credentials }: Spec["backup"]["s3"], field: (typeof needed)[number]): string {
  if (field === "bucket") return bucket;
  return field === "credentials.accessKeyId" ? credentials.accessKeyId : credentials.secretAccessKey;
}

const invalid = (field: string, message: string, remedy: string): never =>
  refuse({ code: "InvalidValue", field: `spec.backup.s3.${field}`, message, remedy });

function check(s3: Spec["backup"]["s3"]): void {
  const field = needed.find((each) => setting(s3, each) === "");
  if (field !== undefined) invalid(field, missing(field), `Set backup.s3.${field}, or switch backup off.`);
  if (s3.endpoint !== "" && !URL.canParse(withScheme(s3.endpoint)))
    invalid("endpoint", `${s3.endpoint} is no URL`, "Write it as https://s3.example.org.");
}

/** By whom and where, as the operator has it in one text. */
function accountOf(s3: Spec["backup"]["s3"]) {
  const { host, port, isPlain } = service(s3);
  const user = `${s3.credentials.accessKeyId}@${host}`;
  const name = `${user}:${port}`;
  if (name.length > longestAccount) {
    const message = `access key and host have more than ${longestAccount} characters together, which the operator does not take`;
    invalid("endpoint", message, "Reach the S3 service by a shorter name.");
  }
  return { user, name, isPlain };
}

/** Nothing without a backup. */
export function backup({ release, spec }: Input): readonly Rendered[] {
  const { enabled, s3 } = spec.backup;
  if (!enabled) return [];
  check(s3);
  const account = accountOf(s3);
  const { accessKeyId, secretAccessKey } = s3.credentials;
  const accounts = { [account.user]: { secret: secretAccessKey } };
  const labels = commonLabels(release);
  return [
    Secret(credentialsSecret(release), {
      labels,
      type: "Opaque",
      data: {
        AWS_ACCESS_KEY_ID: base64(accessKeyId),
        AWS_SECRET_ACCESS_KEY: base64(secretAccessKey),
        [file]: base64(JSON.stringify({ accounts })),
      },
    }),
    FoundationDBBackup(backupName(release), {
      labels,
      spec: {
        version: spec.cluster.version,
        clusterName: release,
        backupState: "Running",
        snapshotPeriodSeconds: 3600,
        customParameters: ["backup_agent_snapshot_mode=0"],
        podTemplateSpec: {
          spec: {
            containers: [
              {
                name: "foundationdb",
                env: [{ name: "FDB_BLOB_CREDENTIALS", value: `${directory}/${file}` }],
                resources: small,
                securityContext: { runAsUser: 0 },
                volumeMounts: [{ name: "backup-credentials", mountPath: directory, readOnly: true }],
              },
            ],
            volumes: [{ name: "backup-credentials", secret: { secretName: credentialsSecret(release) } }],
          },
        },
        blobStoreConfiguration: {
          accountName: account.name,
          bucket: s3.bucket,
          urlParameters: [
            ...(s3.region === "" ? [] : [`region=${s3.region}`]),
            ...(account.isPlain ? ["secure_connection=0"] : []),
          ],
        },
      },
    }),
  ];
}

/** What a user says about a ClickHouse. */
import type { Static } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import {
  appSpec,
  flag,
  group,
  immutable,
  integer,
  mapOf,
  open,
  replicas,
  resourcesPreset,
  sizing,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";
import { rules, userName } from "./rules.ts";

const mostUsers = 500;

/** Empty, or the name of a Secret. */
const secretName = (description: string) =>
  text({ default: "", pattern: "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$", maxLength: 253, description });
/** Empty, or a key in a Secret. */
const secretKey = (of: string, initial = "") =>
  text({
    default: initial,
    pattern: "^[-._a-zA-Z0-9]*$",
    maxLength: 253,
    description: `Key of ${of}.${initial === "" ? "" : ` Default ${initial}.`}`,
  });

const user = open({
  password: text({ maxLength: 1024, description: "Password; generated where it is absent or empty." }),
  readonly: flag({ description: "Whether the user may only read." }),
});

const backup = group(
  {
    enabled: flag({ default: false, description: "Run the backup server beside each ClickHouse." }),
    useSystemBucket: flag({ default: false, description: "Use the platform's bucket and credentials." }),
    s3Region: text({ default: "us-east-1", description: "Region of the bucket." }),
    s3Bucket: text({
      default: "s3.example.org/clickhouse-backups",
      description: "Bucket, for the dump with its host.",
    }),
    endpoint: text({ default: "", description: "Address of the S3 service." }),
    endpointCA: group(
      {
        name: secretName("Name of the Secret."),
        key: secretKey("the certificate", "ca.crt"),
      },
      { description: "Secret with the CA certificate of the S3 service." },
    ),
    s3PathOverride: text({ default: "", description: "Path in the bucket. Empty: the name of the release." }),
    s3AccessKey: text({ default: "<your-access-key>", description: "Access key, if no Secret is named." }),
    s3SecretKey: text({ default: "<your-secret-key>", description: "Secret key, if no Secret is named." }),
    s3CredentialsSecret: group(
      {
        name: secretName("Name of the Secret."),
        bucketKey: secretKey("the bucket. Empty: bucketName"),
        endpointKey: secretKey("the endpoint. Empty: endpoint"),
        regionKey: secretKey("the region. Empty: region"),
        accessKeyIDKey: secretKey("the access key. Empty: accessKey"),
        secretAccessKeyKey: secretKey("the secret key. Empty: secretKey"),
      },
      { description: "Secret with bucket and credentials, instead of the fields above." },
    ),
    schedule: text({
      default: "",
      description: "When tables are dumped with restic, in cron's five fields. Empty: never.",
    }),
    cleanupStrategy: text({
      default: "--keep-last=3 --keep-daily=3 --keep-within-weekly=1m",
      description: "Options of `restic forget`: which dumps are kept.",
    }),
    resticPassword: text({ default: "<password>", description: "Password of the restic repositories." }),
  },
  { description: "Backups to an S3 bucket." },
);

export const ClickHouseSpec = appSpec(
  {
    replicas: replicas({ default: 2, description: "Number of servers that hold each shard." }),
    shards: integer({ default: 1, minimum: 0, description: "Number of parts the data is divided into." }),
    ...sizing({
      preset: "t1.small",
      description:
        "Explicit cpu and memory of each server and each Keeper; what is left out comes from `resourcesPreset`.",
    }),
    size: volumeSize({ default: "10Gi", description: "Volume of each server; it can grow." }),
    storageClass: immutable(storageClassName()),
    logStorageSize: volumeSize({ default: "2Gi", description: "Volume for the logs of each server; it can grow." }),
    logTTL: integer({ default: 15, description: "Days for which the logs of queries are kept." }),
    users: mapOf(user, {
      maxProperties: mostUsers,
      keyPattern: userName,
      description: "Users by name. The user backup belongs to the platform: what is said of it here is ignored.",
    }),
    backup,
    clickhouseKeeper: group(
      {
        enabled: flag({ default: true, description: "Run the Keeper, which replicated tables need." }),
        size: volumeSize({ default: "1Gi", description: "Volume of each Keeper; it can grow." }),
        resourcesPreset: resourcesPreset({ default: "t1.micro" }),
        replicas: replicas({ default: 3, description: "Number of Keepers: an odd number keeps a majority." }),
      },
      { description: "ClickHouse Keeper." },
    ),
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof ClickHouseSpec.schema>;
export type Input = AppInput<Spec>;

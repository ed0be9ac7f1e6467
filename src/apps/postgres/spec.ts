/** What a user says about a Postgres. */
import { type Static, Type } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { registrySecretField } from "../../sdk/registry-secret.ts";
import { roleMembers } from "../../sdk/role-members.ts";
import {
  appSpec,
  flag,
  group,
  immutable,
  integer,
  intOrStringField,
  listOf,
  mapOf,
  oneOf,
  open,
  replicas,
  sizing,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";
import { tlsField } from "../../sdk/tls.ts";
import { databaseName, parameterName, rules, userName } from "./rules.ts";
import { versions } from "./versions.ts";

// Bounds that the rules' cost needs; far above what one server sensibly has.
const mostUsers = 500;
const mostDatabases = 500;
const mostParameters = 400;

/** No character that could end the line a value is written to. */
const oneLine = "^[^\\x00-\\x1f\\x7f]*$";
/** PostgreSQL and JSON documents in it cannot hold the character zero. */
const noZero = "^[^\\x00]*$";

const user = open({
  password: text({ pattern: noZero, maxLength: 1024, description: "Password; generated where it is absent or empty." }),
  replication: flag({ description: "Whether the user may replicate." }),
});

const database = open({
  roles: Type.Optional(
    roleMembers({
      admin: "Users with all privileges.",
      readonly: "Users that may read.",
      description: "Who may use the database. Names that are not among `users` are ignored.",
    }),
  ),
  extensions: listOf(Type.String({ pattern: noZero, maxLength: 63 }), {
    optional: true,
    description: "Extensions that are created in the database.",
  }),
});

const backup = group(
  {
    enabled: flag({ default: false, description: "Archive the write-ahead log and, with a schedule, make backups." }),
    useSystemBucket: flag({
      default: false,
      description: "Leave backups to the platform's BackupClass; everything below is then ignored.",
    }),
    schedule: text({ default: "", description: "When backups are made: cron with six fields, seconds first." }),
    retentionPolicy: text({
      default: "30d",
      pattern: "^([1-9][0-9]*[dwm])?$",
      description: "How long backups are kept, such as 30d, 4w or 6m. Empty: for ever.",
    }),
    destinationPath: text({ default: "s3://bucket/path/to/folder/", description: "Where backups are written." }),
    endpointURL: text({ default: "http://minio-gateway-service:9000", description: "Address of the S3 service." }),
    endpointCA: group(
      {
        name: text({ default: "", description: "Name of the Secret." }),
        key: text({ default: "", description: "Key in the Secret. Empty: ca.crt." }),
      },
      { description: "Secret with the CA certificate of the S3 service." },
    ),
    s3AccessKey: text({ default: "", description: "Access key, if no Secret is named." }),
    s3SecretKey: text({ default: "", description: "Secret key, if no Secret is named." }),
    s3CredentialsSecret: group(
      {
        name: text({ default: "", description: "Name of the Secret." }),
        accessKeyIDKey: text({ default: "", description: "Key of the access key. Empty: AWS_ACCESS_KEY_ID." }),
        secretAccessKeyKey: text({ default: "", description: "Key of the secret key. Empty: AWS_SECRET_ACCESS_KEY." }),
      },
      { description: "Secret with the credentials, instead of the two keys above." },
    ),
  },
  { description: "Backups to an S3 bucket." },
);

const bootstrap = group(
  {
    enabled: flag({ default: false, description: "Make this cluster from the backup of another one." }),
    oldName: text({ default: "", description: "Name of the old cluster." }),
    serverName: text({ default: "", description: "Name of the old server in the bucket. Empty: oldName." }),
    recoveryTime: text({ default: "", description: "Point in time to restore. Empty: the latest." }),
  },
  { description: "Restore from a backup in the bucket that `backup` describes." },
);

export const PostgresSpec = appSpec(
  {
    replicas: replicas({ default: 2, description: "Number of servers: one primary, the others its copies." }),
    ...sizing({ preset: "t1.micro" }),
    size: volumeSize({ default: "10Gi", description: "Volume of each server; it can grow." }),
    storageClass: immutable(storageClassName()),
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    version: oneOf(versions, { default: "v18", description: "Major version of the server." }),
    tls: tlsField("Put the external host name into the server's certificate. Absent: as `external`."),
    postgresql: group(
      {
        parameters: mapOf(intOrStringField({ required: true, pattern: oneLine }), {
          default: { max_connections: "100" },
          maxProperties: mostParameters,
          keyPattern: parameterName,
          description: "Parameters of the server.",
        }),
      },
      { description: "The server itself." },
    ),
    quorum: group(
      {
        minSyncReplicas: integer({ default: 0, description: "Fewest copies that must confirm a transaction." }),
        maxSyncReplicas: integer({ default: 0, description: "Most copies that confirm a transaction." }),
      },
      { description: "Synchronous replication." },
    ),
    users: mapOf(user, { maxProperties: mostUsers, keyPattern: userName, description: "Users by name." }),
    databases: mapOf(database, {
      maxProperties: mostDatabases,
      keyPattern: databaseName,
      description: "Databases by name. One that is removed here is dropped.",
    }),
    backup,
    bootstrap,
    registrySecret: registrySecretField(),
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof PostgresSpec.schema>;
export type Input = AppInput<Spec>;

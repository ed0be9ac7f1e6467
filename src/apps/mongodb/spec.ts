/** What a user says about a MongoDB. */
import { type Static, Type } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { ownSecretName } from "../../sdk/passwords.ts";
import { roleMembers } from "../../sdk/role-members.ts";
import {
  appSpec,
  flag,
  group,
  immutable,
  integer,
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
import { backupName, databaseName, rules, shardName } from "./rules.ts";
import { versions } from "./versions.ts";

// Bounds that the rules' cost needs; far above what one cluster sensibly has.
const most = 500;
const mostShards = 64;

const database = open({
  roles: Type.Optional(
    roleMembers({
      name: { maxLength: 128 },
      maxItems: most,
      admin: "Users that read and write everything, and manage indexes and collections.",
      readonly: "Users that may read.",
      description: "Who may use the database. Names that are no users are ignored.",
    }),
  ),
});

const shard = open({
  name: text({ required: true, pattern: shardName, maxLength: 40, description: "Name of the shard." }),
  replicas: integer({ required: true, minimum: 0, description: "Number of servers of the shard." }),
  // Its rules are in check.ts: in a list the API server counts their cost as too high.
  size: volumeSize({ required: true, description: "Volume of each of its servers; it can grow." }),
});

const shardingConfig = group(
  {
    configServers: replicas({ default: 3, description: "Number of config servers." }),
    configServerSize: volumeSize({ default: "3Gi", description: "Volume of each config server; it can grow." }),
    mongos: replicas({ default: 2, description: "Number of routers." }),
    shards: listOf(shard, {
      key: "name",
      maxItems: mostShards,
      default: [{ name: "rs0", replicas: 3, size: "10Gi" }],
      description: "The shards. The operator removes none that has data.",
    }),
  },
  { description: "Sizes of a sharded cluster; `replicas` and `size` do not count for one." },
);

const backup = group(
  {
    enabled: flag({ default: false, description: "Whether backups are made." }),
    schedule: text({ default: "0 2 * * *", description: "When backups are made: cron with five fields." }),
    retentionPolicy: text({ default: "30d", description: "How many backups stay, as one a day: `30d`." }),
    destinationPath: text({
      default: "s3://bucket/path/to/folder/",
      maxLength: 1024,
      description: "Where backups are: `s3://bucket/folder`.",
    }),
    endpointURL: text({
      default: "http://minio-gateway-service:9000",
      maxLength: 1024,
      description: "URL of the S3 service.",
    }),
    insecureSkipTLSVerify: flag({ default: false, description: "Do not check the S3 service's certificate." }),
    s3AccessKey: text({ default: "", maxLength: 1024, description: "Access key of the S3 service." }),
    s3SecretKey: text({ default: "", maxLength: 1024, description: "Secret key of the S3 service." }),
  },
  { description: "Scheduled backups to an S3 bucket, with the log of what happens between them." },
);

const bootstrap = group(
  {
    enabled: flag({ default: false, description: "Whether a backup is restored." }),
    backupName: text({
      default: "",
      maxLength: 1024,
      pattern: backupName,
      description: "Name of the backup in `backup.destinationPath`. Another name restores another backup.",
    }),
    recoveryTime: text({
      default: "",
      maxLength: 64,
      description: "Moment to restore, as 2025-05-01 10:00:00. Empty: that of the backup.",
    }),
  },
  {
    description:
      "A backup to begin with, read by the access that `backup` has. It is restored once; what was there before is lost.",
  },
);

export const MongoDBSpec = appSpec(
  {
    replicas: replicas({ default: 3, description: "Number of servers: one primary, the others its copies." }),
    ...sizing({ preset: "t1.small" }),
    size: volumeSize({ default: "10Gi", description: "Volume of each server; it can grow." }),
    storageClass: immutable(storageClassName()),
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    version: oneOf(versions, { default: "v8", description: "Version of the servers." }),
    sharding: flag({ default: false, description: "Spread data over shards, reached through routers." }),
    shardingConfig,
    users: mapOf(
      open({
        password: text({ maxLength: 1024, description: "Password; generated where it is absent or empty." }),
      }),
      {
        maxProperties: most,
        keyPattern: ownSecretName,
        description: "Users by name. Each needs a role in at least one of `databases`.",
      },
    ),
    databases: mapOf(database, {
      maxProperties: most,
      keyPattern: databaseName,
      description: "Databases by name, and who may use them.",
    }),
    backup,
    bootstrap,
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof MongoDBSpec.schema>;
export type Input = AppInput<Spec>;

/** What a user says about a MariaDB. */
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
  mapOf,
  oneOf,
  open,
  replicas,
  sizing,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";
import { entryName, rules } from "./rules.ts";
import { versions } from "./versions.ts";

// Bounds that the rules' cost needs; far above what one server sensibly has.
const most = 500;

const user = open({
  password: text({ required: true, maxLength: 1024, description: "Password; generated where it is empty." }),
  maxUserConnections: integer({
    required: true,
    maximum: 2_147_483_647,
    description: "Most connections of the user at a time; 0: as many as the server has.",
  }),
});

const database = open({
  roles: Type.Optional(
    roleMembers({
      name: { pattern: entryName, maxLength: 80 },
      admin: "Users with all privileges.",
      readonly: "Users that may read.",
      description: "Who may use the database.",
    }),
  ),
});

const backup = group(
  {
    enabled: flag({ default: false, description: "Whether dumps are made." }),
    s3Region: text({ default: "us-east-1", description: "Region of the S3 service." }),
    s3Bucket: text({
      default: "s3.example.org/mariadb-backups",
      description: "Address of the S3 service, bucket and path, without a scheme.",
    }),
    schedule: text({ default: "0 2 * * *", description: "When dumps are made: cron with five fields." }),
    cleanupStrategy: text({
      default: "--keep-last=3 --keep-daily=3 --keep-within-weekly=1m",
      description: "Which dumps stay: options of `restic forget`.",
    }),
    s3AccessKey: text({ default: "<your-access-key>", description: "Access key of the S3 service." }),
    s3SecretKey: text({ default: "<your-secret-key>", description: "Secret key of the S3 service." }),
    resticPassword: text({ default: "<password>", description: "Password that dumps are encrypted with." }),
  },
  { description: "Scheduled dumps to an S3 bucket, from before the platform's BackupClass, which needs none of this." },
);

export const MariaDBSpec = appSpec(
  {
    replicas: replicas({ default: 2, description: "Number of servers: one primary, the others its copies." }),
    ...sizing({ preset: "t1.nano" }),
    size: volumeSize({ default: "10Gi", description: "Volume of each server; it can grow." }),
    storageClass: immutable(storageClassName()),
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    version: oneOf(versions, { default: "v11.8", description: "Version of the servers." }),
    users: mapOf(user, {
      maxProperties: most,
      keyPattern: entryName,
      description: "Users by name. `root` sets the password of the superuser, which is otherwise generated.",
    }),
    databases: mapOf(database, {
      maxProperties: most,
      keyPattern: entryName,
      description: "Databases by name. One that is removed here is dropped.",
    }),
    backup,
    registrySecret: registrySecretField(),
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof MariaDBSpec.schema>;
export type Input = AppInput<Spec>;

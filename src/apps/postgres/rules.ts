/**
 * What is refused beyond the types of fields: once as CEL, so that the API server refuses it on writing, and once for
 * documents that no API server has seen (`render` offline, a preview, objects from before a rule).
 */
import { refuse } from "../../sdk/errors.ts";
import { checkName } from "../../sdk/names.ts";
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";
import type { Input, Spec } from "./spec.ts";

/** Parameters with which a tenant could load code into the server or run commands beside it. Compared in lower case. */
export const blockedParameters = [
  "archive_command",
  "restore_command",
  "ssl_passphrase_command",
  "archive_cleanup_command",
  "recovery_end_command",
  "dynamic_library_path",
  "local_preload_libraries",
  "session_preload_libraries",
  "shared_preload_libraries",
] as const;

/** The name of a server parameter, an extension's included. Anything else could end the line it is written to. */
export const parameterName = "^[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_$]*)*$";

/** Users are keys of a Secret as well; PostgreSQL cuts names at 63 bytes. */
export const userName = "^([.][-_a-zA-Z0-9]|[-_a-zA-Z0-9]{1,2})[-._a-zA-Z0-9]{0,61}$";

/** Everything but control characters. */
export const databaseName = "^[^\\x00-\\x1f\\x7f]+$";

/** `<database>_readonly` must fit into the 63 bytes of a name. */
export const longestDatabaseName = 54;

/** Roles that belong to PostgreSQL or to the operator. `postgres` is refused by a rule of its own. */
const reservedUsers = ["public", "none", "streaming_replica"] as const;
const templates = ["template0", "template1"] as const;

/** The operator's limit on the name of a cluster. */
export const longestRelease = 50;

const cel = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(", ")}]`;

const messages = {
  parameter: `SECURITY: a parameter that can load code or run commands cannot be set; remove ${blockedParameters.join(", ")}`,
  user: `users cannot be named ${reservedUsers.join(", ")}, or begin with pg_: PostgreSQL and its operator use these`,
  database: `databases cannot be named ${templates.join(", ")}, or begin with pg_: PostgreSQL uses these`,
  databaseLength: `the name of a database can have ${longestDatabaseName} bytes, because its roles are named after it`,
  superuser: "the user postgres is the operator's superuser; choose another name",
  systemBucket:
    "bootstrap cannot be combined with backup.useSystemBucket; restore with a RestoreJob of a backup of BackupClass cozy-default",
  credentials: "bootstrap needs backup.s3CredentialsSecret.name, or both backup.s3AccessKey and backup.s3SecretKey",
  source: "bootstrap needs oldName, the name of the cluster whose backup is restored",
};

export const rules: readonly PlacedRule[] = [
  growOnly("size"),
  rule({
    path: "postgresql.parameters",
    rule: `!self.exists(name, name.lowerAscii() in ${cel(blockedParameters)})`,
    message: messages.parameter,
  }),
  rule({
    path: "users",
    rule: `self.all(name, !name.startsWith('pg_') && !(name in ${cel(reservedUsers)}))`,
    message: messages.user,
  }),
  rule({
    path: "databases",
    rule: `self.all(name, !name.startsWith('pg_') && !(name in ${cel(templates)}))`,
    message: messages.database,
  }),
  rule({
    path: "databases",
    rule: `self.all(name, bytes(name).size() <= ${longestDatabaseName})`,
    message: messages.databaseLength,
  }),
  rule({ rule: "self.bootstrap.enabled || !('postgres' in self.users)", message: messages.superuser }),
  rule({ rule: "!self.bootstrap.enabled || !self.backup.useSystemBucket", message: messages.systemBucket }),
  rule({
    rule: "!self.bootstrap.enabled || self.backup.s3CredentialsSecret.name != '' || (self.backup.s3AccessKey != '' && self.backup.s3SecretKey != '')",
    message: messages.credentials,
  }),
  rule({ path: "bootstrap", rule: "!self.enabled || self.oldName != ''", message: messages.source }),
];

function invalid(field: string, message: string, remedy: string): never {
  return refuse({ code: "InvalidValue", field: `spec.${field}`, message, remedy });
}

function checkParameters(parameters: Spec["postgresql"]["parameters"]): void {
  for (const name of Object.keys(parameters)) {
    if (!blockedParameters.some((blocked) => blocked === name.toLowerCase())) continue;
    const message = `SECURITY: the parameter ${name} can load code or run commands and cannot be set`;
    invalid(`postgresql.parameters.${name}`, message, "Remove the parameter.");
  }
}

function checkNames({ users, databases, bootstrap }: Spec): void {
  for (const name of Object.keys(users)) {
    const reserved = name.startsWith("pg_") || reservedUsers.some((one) => one === name);
    if (reserved) invalid(`users.${name}`, messages.user, "Choose another name for the user.");
    if (name === "postgres" && !bootstrap.enabled) {
      invalid("users.postgres", messages.superuser, "Choose another name for the user.");
    }
  }
  for (const name of Object.keys(databases)) {
    const field = `databases[${JSON.stringify(name)}]`;
    const reserved = name.startsWith("pg_") || templates.some((one) => one === name);
    if (reserved) invalid(field, messages.database, "Choose another name for the database.");
    const bytes = Buffer.byteLength(name);
    if (bytes <= longestDatabaseName) continue;
    const remedy = `Choose a name that is ${bytes - longestDatabaseName} bytes shorter.`;
    refuse({
      code: "NameTooLong",
      field: `spec.${field}`,
      message: `${messages.databaseLength}, not ${bytes}`,
      remedy,
    });
  }
}

function checkBootstrap({ bootstrap, backup }: Spec): void {
  if (!bootstrap.enabled) return;
  if (backup.useSystemBucket) {
    invalid("bootstrap.enabled", messages.systemBucket, "Set bootstrap.enabled to false and make a RestoreJob.");
  }
  if (backup.s3CredentialsSecret.name === "" && (backup.s3AccessKey === "" || backup.s3SecretKey === "")) {
    invalid(
      "backup.s3CredentialsSecret.name",
      messages.credentials,
      "Give the credentials of the bucket with the backup.",
    );
  }
  if (bootstrap.oldName === "") invalid("bootstrap.oldName", messages.source, "Give the name of the old cluster.");
}

/** Refuses what {@link rules} refuse, and names that the operator would refuse. */
export function check({ release, spec }: Input): void {
  checkName(release, "DNS-1035 label", "the name of the database cluster", "metadata.name", longestRelease);
  checkParameters(spec.postgresql.parameters);
  checkNames(spec);
  checkBootstrap(spec);
}

/**
 * What is refused beyond the types of fields, as CEL: the API server refuses it on writing. check.ts refuses the same.
 */
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";

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
export const reservedUsers = ["public", "none", "streaming_replica"] as const;
export const templates = ["template0", "template1"] as const;

/** The operator's limit on the name of a cluster. */
export const longestRelease = 50;

const cel = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(", ")}]`;

export const messages = {
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
  rule({
    field: "users.postgres",
    rule: "self.bootstrap.enabled || !('postgres' in self.users)",
    message: messages.superuser,
  }),
  rule({
    field: "bootstrap.enabled",
    rule: "!self.bootstrap.enabled || !self.backup.useSystemBucket",
    message: messages.systemBucket,
  }),
  rule({
    field: "backup.s3CredentialsSecret.name",
    rule: "!self.bootstrap.enabled || self.backup.s3CredentialsSecret.name != '' || (self.backup.s3AccessKey != '' && self.backup.s3SecretKey != '')",
    message: messages.credentials,
  }),
  rule({ path: "bootstrap", field: "oldName", rule: "!self.enabled || self.oldName != ''", message: messages.source }),
];

/**
 * What is refused beyond the types of fields, as CEL for the API server. check.ts refuses the same.
 */
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";

/** Names of users and databases, from which the name of a Kubernetes object can be made. */
export const entryName = "^[-_a-z0-9]*[a-z0-9]([.][a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$";

/** The operator's StatefulSet is named as the release, and pods of one with more than 52 characters cannot be made. */
export const longestRelease = 52;

/** Databases of the server itself. Removing one from the specification would drop it. */
export const ownDatabases = ["mysql", "sys", "information_schema", "performance_schema"] as const;

/** The operator has a user of its own under this name, for the exporter. */
export const operatorUser = "metrics";

/** Longest names, as the server has them. */
export const longestUser = 80;
export const longestDatabase = 64;

export const messages = {
  user: `a user cannot be named ${operatorUser}: the operator has one of that name`,
  database: `databases cannot be named ${ownDatabases.join(", ")}: the server has these itself`,
  length: `names of users can have ${longestUser} characters, names of databases ${longestDatabase}`,
};

export const missing = (field: string): string => `backup.${field} must be set`;

/** What a scheduled dump cannot do without. */
export const needed = [
  "s3Bucket",
  "schedule",
  "cleanupStrategy",
  "s3AccessKey",
  "s3SecretKey",
  "resticPassword",
] as const;

export const rules: readonly PlacedRule[] = [
  growOnly("size"),
  rule({ path: "users", rule: `!('${operatorUser}' in self)`, message: messages.user }),
  rule({ path: "users", rule: `self.all(name, name.size() <= ${longestUser})`, message: messages.length }),
  rule({
    path: "databases",
    rule: `self.all(name, !(name in [${ownDatabases.map((name) => `'${name}'`).join(", ")}]))`,
    message: messages.database,
  }),
  rule({ path: "databases", rule: `self.all(name, name.size() <= ${longestDatabase})`, message: messages.length }),
  ...needed.map((field) =>
    rule({ path: "backup", field, rule: `!self.enabled || self.${field} != ''`, message: missing(field) }),
  ),
];

/**
 * What is refused beyond the types of fields, as CEL for the API server. check.ts refuses the same, and more.
 */
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";

/** Names of databases, as the server has them: nothing that its file systems or commands would read otherwise. */
export const databaseName = '^[^/\\\\. "$*<>:|?\\x00-\\x1f]{1,63}$';

/** Names of backups: the end of a path. */
export const backupName = "^[^\\x00-\\x1f\\x7f]*$";

/** Names of shards, each of which is part of a StatefulSet's name. */
export const shardName = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

/** Pods of a StatefulSet with more characters cannot be made. */
export const longestSet = 52;

/** The replica set of what is not sharded. */
export const onlyShard = "rs0";

export const longestRelease = longestSet - `-${onlyShard}`.length;

/** Parts of a sharded cluster beside its shards, and our own Service, whose names shards cannot have. */
export const otherParts = ["cfg", "mongos", "external"] as const;

/** The operator has a user of its own of this name. */
export const operatorUser = "backup";

/** The bucket's name, by which the rest of a path begins. */
export const bucket = "^[A-Za-z0-9][-A-Za-z0-9._]*(/|$)";

/** What backups cannot be written or read without, and what a restore cannot besides. In the order in which it is said. */
export const keys = ["s3AccessKey", "s3SecretKey"] as const;
export const source = ["destinationPath", "endpointURL", ...keys] as const;

/** As the operator takes it. */
export const recoveryTime =
  "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$";

export const messages = {
  user: `a user cannot be named ${operatorUser}: the operator has one of that name`,
  shard: `shards cannot be named ${otherParts.join(", ")}: other parts of the cluster have these names`,
  shards: "sharding needs at least one shard",
  backupName: "bootstrap.backupName must be set",
  shardSize: "the volume of a shard can grow but not shrink",
  recoveryTime: "bootstrap.recoveryTime must be a date and a time such as 2025-05-01 10:00:00, or empty",
  bucket: "backup.destinationPath must name a bucket, as s3://bucket/folder does",
};

export const missing = (field: string, by: string): string => `${by} needs backup.${field}`;

export const rules: readonly PlacedRule[] = [
  growOnly("size"),
  growOnly("shardingConfig.configServerSize"),
  rule({ path: "users", rule: `!('${operatorUser}' in self)`, message: messages.user }),
  rule({
    path: "shardingConfig.shards",
    rule: `self.all(shard, !(shard.name in [${otherParts.map((name) => `'${name}'`).join(", ")}]))`,
    message: messages.shard,
  }),
  rule({
    field: "shardingConfig.shards",
    rule: "!self.sharding || self.shardingConfig.shards.size() > 0",
    message: messages.shards,
  }),
  ...keys.map((field) =>
    rule({ path: "backup", field, rule: `!self.enabled || self.${field} != ''`, message: missing(field, "backup") }),
  ),
  rule({
    path: "backup",
    field: "destinationPath",
    rule: `!self.enabled || (self.destinationPath.startsWith('s3://') ? self.destinationPath.substring(5) : self.destinationPath).matches('${bucket}')`,
    message: messages.bucket,
  }),
  rule({
    path: "bootstrap",
    field: "backupName",
    rule: "!self.enabled || self.backupName != ''",
    message: messages.backupName,
  }),
  rule({
    path: "bootstrap",
    field: "recoveryTime",
    rule: `!self.enabled || self.recoveryTime == '' || self.recoveryTime.matches('${recoveryTime}')`,
    message: messages.recoveryTime,
  }),
  ...source.map((field) =>
    rule({
      field: `backup.${field}`,
      rule: `!self.bootstrap.enabled || self.backup.${field} != ''`,
      message: missing(field, "bootstrap"),
    }),
  ),
];

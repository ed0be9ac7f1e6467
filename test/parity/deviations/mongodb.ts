/**
 * Where mongodb differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { fixedStorageClass } from "../fixed-storage-class.ts";

const cluster = "psmdb.percona.com/v1/PerconaServerMongoDB/{release}";
const restore = "psmdb.percona.com/v1/PerconaServerMongoDBRestore/{release}-restore";

const keysOf = (values: unknown, field: string): readonly string[] => {
  const map = valueAt(values, field);
  return isRecord(map) ? Object.keys(map) : [];
};

const shardsOf = (values: unknown): readonly unknown[] | undefined => {
  const list = valueAt(values, "shardingConfig", "shards");
  return Array.isArray(list) ? list : undefined;
};

const userName = /^[-a-z0-9]*[a-z0-9]([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const databaseName = /^[^/\\. "$*<>:|?]{1,63}$/;

const isBadUser = (name: string) => !userName.test(name) || name === "backup";
const badNames = (values: unknown): boolean =>
  keysOf(values, "users").some(isBadUser) || keysOf(values, "databases").some((name) => !databaseName.test(name));

function badShards(values: unknown): boolean {
  const names = (shardsOf(values) ?? []).map((shard) => String(valueAt(shard, "name")));
  const isBad = (name: string) => !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) || name.length > 40;
  return (
    (valueAt(values, "sharding") === true && shardsOf(values)?.length === 0) ||
    names.some((name) => isBad(name) || ["cfg", "mongos", "external"].includes(name)) ||
    new Set(names).size < names.length
  );
}

const isOn = (values: unknown, field: string): boolean => valueAt(values, field, "enabled") === true;

/** Backups that nobody could write or read, and a moment that is none. */
function badBackup(values: unknown): boolean {
  const path = valueAt(values, "backup", "destinationPath");
  const time = String(valueAt(values, "bootstrap", "recoveryTime") ?? "");
  const noBucket = typeof path === "string" && !/^[A-Za-z0-9][-A-Za-z0-9._]*(\/|$)/.test(path.replace(/^s3:\/\//, ""));
  const noTime = time !== "" && !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time);
  const either = isOn(values, "backup") || isOn(values, "bootstrap");
  return (either && noBucket) || (isOn(values, "bootstrap") && noTime);
}

function isNegative(values: unknown): boolean {
  const counts = [
    valueAt(values, "replicas"),
    valueAt(values, "shardingConfig", "configServers"),
    valueAt(values, "shardingConfig", "mongos"),
    ...(shardsOf(values) ?? []).map((shard) => valueAt(shard, "replicas")),
  ];
  return counts.some((count) => Number(count) < 0);
}

const lacksRoles = (values: unknown): boolean =>
  keysOf(values, "users").length > 0 &&
  keysOf(values, "databases").some((name) => valueAt(values, "databases", name, "roles") === undefined);

const shrinks =
  "A volume that shrinks is refused. One that grows does, by the operator; upstream's chart did not let the operator change volumes at all.";

export const mongodb: readonly Deviation[] = [
  {
    class: "fault",
    cases: "all",
    object: cluster,
    at: "/spec/storageScaling",
    only: "extra",
    reason: "The operator is allowed to enlarge volumes; without it another size changed nothing.",
  },
  {
    class: "fault",
    cases: "all",
    object: cluster,
    at: "/spec/unsafeFlags",
    only: "extra",
    reason:
      "The operator is told that few servers are meant for shards, config servers and routers as well; upstream looked at `replicas` alone, and the operator refused a cluster with a shard of two.",
  },
  {
    class: "contentJob",
    cases: "all",
    object: restore,
    renamed: `${restore}-*`,
    reason:
      "A restore is named by the backup and the moment, and runs once for them; upstream ran it again over newer data whenever its object was missing, and never ran it for another backup.",
  },
  {
    class: "fault",
    cases: "all",
    object: restore,
    at: "/spec/backupSource/s3",
    only: "extra",
    reason: "A restore names the bucket and the folder in it; upstream's was refused by the API server for want of it.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "accepts",
    when: lacksRoles,
    test: "a database without roles is one that nobody was given",
    reason: "A database without `roles` made upstream's template fail; it is one that nobody was given.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: badNames,
    test: "refuses a user named as the operator's",
    reason:
      "Users and databases are refused whose names no Secret or server takes, or that the operator has itself; upstream's release failed, or the user never came.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: badShards,
    test: "refuses a shard named as the config servers",
    reason:
      "Shards are refused that have no proper name, a name twice, or that of another part, and sharding without any; upstream handed them to the operator, which could not make them.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: badBackup,
    test: "refuses backups into no bucket",
    reason:
      "Backups into no bucket, and a restore to a moment that is none, are refused; upstream's were refused by the API server or failed.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: isNegative,
    test: "refuses a negative number of replicas",
    reason: "Negative numbers of servers are refused; upstream handed them to the operator.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["size", "shardingConfig.configServerSize", "shardingConfig.shards.*.size"],
    test: "refuses a shard's volume that shrinks, wherever it is in the list",
    reason: shrinks,
  },
  fixedStorageClass,
];

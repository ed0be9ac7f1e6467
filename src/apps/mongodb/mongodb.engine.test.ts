import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { mongodb } from "./index.ts";

const keys = { s3AccessKey: "AK", s3SecretKey: "SK" };
const bootstrap = { enabled: true, backupName: "b" };
const shard = (name: string, size = "1Gi", replicas = 3) => ({ name, size, replicas });
const sharded = (...shards: readonly object[]) => ({ sharding: true, shardingConfig: { shards } });

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  {
    why: "users and databases",
    spec: { users: { "a.b-c": {} }, databases: { Db_1: { roles: { admin: ["a.b-c"] } } } },
  },
  { why: "a database without roles", spec: { databases: { d: {} } } },
  { why: "a version that does not exist", spec: { version: "v5" }, refused: /spec\.version.*"v8"/ },
  { why: "a user's name in capitals", spec: { users: { App: {} } }, refused: /spec\.users/ },
  {
    why: "a user named as the operator's",
    spec: { users: { backup: {} } },
    refused: /the operator has one of that name/,
  },
  { why: "a database's name with a dot", spec: { databases: { "a.b": {} } }, refused: /spec\.databases/ },
  { why: "shards", spec: sharded(shard("rs0"), shard("rs1", "2Gi", 2)) },
  { why: "a shard without a size", spec: sharded({ name: "a", replicas: 1 }), refused: /size: Required/ },
  { why: "a shard twice", spec: sharded(shard("a"), shard("a")), refused: /shards\[1\]: Duplicate/ },
  { why: "a shard named as the routers", spec: sharded(shard("mongos")), refused: /other parts of the cluster/ },
  { why: "a shard's name in capitals", spec: sharded(shard("RS")), refused: /shards\[0\]\.name/ },
  { why: "sharding without shards", spec: sharded(), refused: /sharding needs at least one shard/ },
  { why: "no shards where none are needed", spec: { shardingConfig: { shards: [] } } },
  { why: "backups", spec: { backup: { enabled: true, ...keys } } },
  { why: "backups without keys", spec: { backup: { enabled: true } }, refused: /backup needs backup\.s3AccessKey/ },
  {
    why: "backups into no bucket",
    spec: { backup: { enabled: true, ...keys, destinationPath: "s3:///folder" } },
    refused: /must name a bucket/,
  },
  {
    why: "backups into a folder above",
    spec: { backup: { enabled: true, ...keys, destinationPath: "../../b" } },
    refused: /must name a bucket/,
  },
  {
    why: "backups into a bucket without a scheme",
    spec: { backup: { enabled: true, ...keys, destinationPath: "b/c" } },
  },
  { why: "a restore", spec: { bootstrap: { ...bootstrap, recoveryTime: "2025-05-01 10:00:00" }, backup: keys } },
  {
    why: "a restore of nothing",
    spec: { bootstrap: { enabled: true }, backup: keys },
    refused: /backupName must be set/,
  },
  {
    why: "a restore from nowhere",
    spec: { bootstrap, backup: { ...keys, endpointURL: "" } },
    refused: /bootstrap needs backup\.endpointURL/,
  },
  {
    why: "a restore to a moment that is none",
    spec: { bootstrap: { ...bootstrap, recoveryTime: "yesterday" }, backup: keys },
    refused: /must be a date and a time/,
  },
  { why: "a volume that grows", before: { size: "1Gi" }, spec: { size: "2Gi" } },
  {
    why: "a volume that shrinks",
    before: { size: "2Gi" },
    spec: { size: "1Gi" },
    refused: /size can grow but not shrink/,
  },
  {
    why: "a config server's volume that shrinks",
    before: { shardingConfig: { configServerSize: "2Gi" } },
    spec: { shardingConfig: { configServerSize: "1Gi" } },
    refused: /configServerSize can grow but not shrink/,
  },
  {
    why: "a shard more, before the others",
    before: sharded(shard("b", "2Gi")),
    spec: sharded(shard("a"), shard("b", "2Gi")),
  },
  {
    why: "another storage class",
    before: { storageClass: "a" },
    spec: { storageClass: "b" },
    refused: /storageClass is immutable/,
  },
];

const check = await ruleChecker(mongodb);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { clickhouse } from "./index.ts";

const schedule = "0 1 * * *";
const on = (backup: object) => ({ backup: { enabled: true, ...backup } });

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "users", spec: { users: { app: { password: "'\"$\n<" }, "r.o-1": { readonly: true }, backup: {} } } },
  { why: "a user that is no element", spec: { users: { "1st": {} } }, refused: /every name must match/ },
  { why: "backups with placeholders", spec: on({ schedule }) },
  { why: "backups without a key", spec: on({ s3AccessKey: "" }), refused: /s3AccessKey must be set/ },
  { why: "backups without a region", spec: on({ s3Region: "" }), refused: /s3Region must be set/ },
  { why: "one's own Secret and no keys", spec: on({ s3AccessKey: "", s3CredentialsSecret: { name: "mine" } }) },
  {
    why: "a dump without a password",
    spec: on({ schedule, resticPassword: "" }),
    refused: /resticPassword must be set/,
  },
  {
    why: "a dump without keys, whatever Secret there is",
    spec: on({ schedule, s3AccessKey: "", s3CredentialsSecret: { name: "mine" } }),
    refused: /s3AccessKey must be set/,
  },
  {
    why: "a path in the system bucket",
    spec: on({ useSystemBucket: true, s3PathOverride: "x" }),
    refused: /RestoreJob/,
  },
  { why: "a path with backups off", spec: { backup: { useSystemBucket: true, s3PathOverride: "x" } } },
  { why: "limits in resources", spec: { resources: { requests: {} } }, refused: /write the amounts directly/ },
  { why: "volumes that grow", before: { size: "1Gi" }, spec: { size: "2Gi", clickhouseKeeper: { size: "2Gi" } } },
  {
    why: "a volume that shrinks",
    before: { size: "2Gi" },
    spec: { size: "1Gi" },
    refused: /size can grow but not shrink/,
  },
  {
    why: "a volume for logs that shrinks",
    before: { logStorageSize: "2Gi" },
    spec: { logStorageSize: "1Gi" },
    refused: /logStorageSize can grow/,
  },
  {
    why: "a Keeper's volume that shrinks",
    before: { clickhouseKeeper: { size: "2Gi" } },
    spec: { clickhouseKeeper: { size: "1Gi" } },
    refused: /clickhouseKeeper.size can grow/,
  },
  {
    why: "another storage class",
    before: { storageClass: "a" },
    spec: { storageClass: "b" },
    refused: /storageClass is immutable/,
  },
];

const check = await ruleChecker(clickhouse);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

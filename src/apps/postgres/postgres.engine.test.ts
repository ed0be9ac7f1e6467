import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { postgres } from "./index.ts";

const bootstrap = { enabled: true, oldName: "old" };
const keys = { s3AccessKey: "AK", s3SecretKey: "SK" };

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  {
    why: "users and databases",
    spec: {
      users: { ann: { password: "'\"$\n" }, "b.c_d-e": {} },
      databases: { "my db": { roles: { admin: ["ann"] }, extensions: ["hstore"] }, ünï: {} },
    },
  },
  {
    why: "parameters as numbers and texts",
    spec: { postgresql: { parameters: { work_mem: "4MB", "pgaudit.log": 1 } } },
  },
  {
    why: "a parameter that loads code, in other letters",
    spec: { postgresql: { parameters: { Shared_Preload_Libraries: "evil" } } },
    refused: /SECURITY/,
  },
  {
    why: "a parameter's name with another line in it",
    spec: { postgresql: { parameters: { "a\nshared_preload_libraries": "evil" } } },
    refused: /every name must match/,
  },
  { why: "limits in resources", spec: { resources: { limits: { cpu: "1" } } }, refused: /write the amounts directly/ },
  { why: "an empty size", spec: { size: "" }, refused: /spec\.size/ },
  { why: "the superuser as a user", spec: { users: { postgres: {} } }, refused: /superuser/ },
  { why: "the superuser in a restore", spec: { users: { postgres: {} }, bootstrap, backup: keys } },
  { why: "a reserved user", spec: { users: { pg_x: {} } }, refused: /begin with pg_/ },
  { why: "a user that is no key of a Secret", spec: { users: { "..a": {} } }, refused: /every name must match/ },
  { why: "a template as a database", spec: { databases: { template0: {} } }, refused: /template0/ },
  { why: "a database of 54 bytes", spec: { databases: { ["ü".repeat(27)]: {} } } },
  { why: "a database of 55 bytes", spec: { databases: { [`${"ü".repeat(27)}d`]: {} } }, refused: /54 bytes/ },
  { why: "a restore", spec: { bootstrap, backup: keys } },
  {
    why: "a restore from the system bucket",
    spec: { bootstrap, backup: { useSystemBucket: true, ...keys } },
    refused: /RestoreJob/,
  },
  { why: "a restore without credentials", spec: { bootstrap }, refused: /s3CredentialsSecret/ },
  { why: "a restore of nothing", spec: { bootstrap: { enabled: true }, backup: keys }, refused: /oldName/ },
  { why: "a retention that is none", spec: { backup: { retentionPolicy: "soon" } }, refused: /retentionPolicy/ },
  { why: "a volume that grows", before: { size: "1Gi" }, spec: { size: "2Gi" } },
  { why: "a volume that shrinks", before: { size: "2Gi" }, spec: { size: "1Gi" }, refused: /grow but not shrink/ },
  {
    why: "another storage class",
    before: { storageClass: "a" },
    spec: { storageClass: "b" },
    refused: /storageClass is immutable/,
  },
];

const check = await ruleChecker(postgres);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

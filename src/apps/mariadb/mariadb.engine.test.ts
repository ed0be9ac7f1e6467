import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { mariadb } from "./index.ts";

const ann = { password: "", maxUserConnections: 10 };
const dumps = (backup: object) => ({ backup: { enabled: true, ...backup } });

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  {
    why: "users and databases",
    spec: { users: { ann, root: ann }, databases: { a_b: { roles: { admin: ["ann"] } } } },
  },
  { why: "a database without roles", spec: { databases: { d: {} } } },
  {
    why: "a user without a password",
    spec: { users: { a: { maxUserConnections: 1 } } },
    refused: /password: Required/,
  },
  { why: "a user without a limit", spec: { users: { a: { password: "" } } }, refused: /maxUserConnections: Required/ },
  { why: "a user in capitals", spec: { users: { Ann: ann } }, refused: /spec\.users/ },
  { why: "the operator's own user", spec: { users: { metrics: ann } }, refused: /cannot be named metrics/ },
  { why: "a long user's name", spec: { users: { ["x".repeat(81)]: ann } }, refused: /80 characters/ },
  { why: "a database of the server", spec: { databases: { sys: {} } }, refused: /databases cannot be named mysql/ },
  { why: "a long database's name", spec: { databases: { ["x".repeat(65)]: {} } }, refused: /databases 64/ },
  { why: "dumps as they come", spec: dumps({}) },
  { why: "no dumps, and nothing for them", spec: { backup: { s3Bucket: "" } } },
  ...["s3Bucket", "schedule", "cleanupStrategy", "s3AccessKey", "s3SecretKey", "resticPassword"].map((field) => ({
    why: `dumps without ${field}`,
    spec: dumps({ [field]: "" }),
    refused: new RegExp(`backup\\.${field} must be set`),
  })),
  { why: "a version that does not exist", spec: { version: "v5" }, refused: /spec\.version.*"v11\.8"/ },
  { why: "fewer servers", before: { replicas: 3 }, spec: { replicas: 1 } },
  { why: "a volume that grows", before: { size: "1Gi" }, spec: { size: "2Gi" } },
  {
    why: "a volume that shrinks",
    before: { size: "2Gi" },
    spec: { size: "1Gi" },
    refused: /size can grow but not shrink/,
  },
  {
    why: "another storage class",
    before: { storageClass: "a" },
    spec: { storageClass: "b" },
    refused: /storageClass is immutable/,
  },
];

const check = await ruleChecker(mariadb);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

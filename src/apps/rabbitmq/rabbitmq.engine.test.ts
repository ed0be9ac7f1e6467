import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { rabbitmq } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "users and virtual hosts", spec: { users: { user1: {} }, vhosts: { v: { roles: { admin: ["user1"] } } } } },
  { why: "names with separators", spec: { users: { "My user_1.a": {} } } },
  { why: "a size as a number", spec: { size: 1073741824 } },
  { why: "a version that does not exist", spec: { version: "v9" }, refused: /spec\.version.*"v4\.2"/ },
  { why: "a virtual host without roles", spec: { vhosts: { v: {} } }, refused: /spec\.vhosts\.v\.roles: Required/ },
  { why: "a user's name with a slash", spec: { users: { "a/b": {} } }, refused: /spec\.users/ },
  { why: "a user's name that ends in a dash", spec: { users: { "a-": {} } }, refused: /spec\.users/ },
  {
    why: "a member's name of two lines",
    spec: { vhosts: { v: { roles: { readonly: ["a\nb"] } } } },
    refused: /spec\.vhosts\.v\.roles\.readonly/,
  },
  { why: "users a and a-user", spec: { users: { a: {}, "a-user": {} } }, refused: /x and x-user cannot both exist/ },
  { why: "more servers", before: { replicas: 1 }, spec: { replicas: 3 } },
  { why: "fewer servers", before: { replicas: 3 }, spec: { replicas: 1 }, refused: /replicas can grow but not shrink/ },
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

const check = await ruleChecker(rabbitmq);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

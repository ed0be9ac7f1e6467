import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { redis } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "data in memory", spec: { size: null } },
  { why: "a size as a number", spec: { size: 1073741824 } },
  { why: "a size that is none", spec: { size: "much" }, refused: /spec\.size/ },
  { why: "a version that does not exist", spec: { version: "v5" }, refused: /spec\.version.*"v8", "v7"/ },
  { why: "a volume that grows", before: { size: "1Gi" }, spec: { size: "2Gi" } },
  { why: "a volume that grows to a number", before: { size: "1Gi" }, spec: { size: 2147483648 } },
  {
    why: "a volume that shrinks",
    before: { size: "2Gi" },
    spec: { size: "1Gi" },
    refused: /size can grow but not shrink/,
  },
  {
    why: "a volume that shrinks to a number",
    before: { size: "2Gi" },
    spec: { size: 1 },
    refused: /grow but not shrink/,
  },
  { why: "a volume after memory", before: { size: null }, spec: { size: "1Gi" } },
  { why: "another change beside data in memory", before: { size: null }, spec: { replicas: 3 } },
  {
    why: "another storage class",
    before: { storageClass: "a" },
    spec: { storageClass: "b" },
    refused: /storageClass is immutable/,
  },
  {
    why: "a storage class taken away",
    before: { storageClass: "a" },
    spec: { storageClass: null },
    refused: /immutable/,
  },
];

const check = await ruleChecker(redis);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

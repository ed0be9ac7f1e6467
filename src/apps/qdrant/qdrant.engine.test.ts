import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { qdrant } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "a size as a number", spec: { size: 1073741824, tls: { enabled: true } } },
  { why: "a size that is none", spec: { size: "much" }, refused: /spec\.size/ },
  { why: "a negative number of servers", spec: { replicas: -1 }, refused: /spec\.replicas/ },
  { why: "a preset that does not exist", spec: { resourcesPreset: "x9.huge" }, refused: /spec\.resourcesPreset/ },
  { why: "an empty choice of encryption", spec: { tls: { enabled: null } } },
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

const check = await ruleChecker(qdrant);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

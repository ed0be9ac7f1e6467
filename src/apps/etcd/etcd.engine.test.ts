import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { etcd } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "fields of the former operator", spec: { backup: { enabled: true, schedule: "0 1 * * *" } } },
  { why: "resources taken away", spec: { resources: { cpu: null, memory: null } } },
  { why: "a version that is none", spec: { version: "v3.6.11" }, refused: /spec\.version/ },
  { why: "a size in Mi", spec: { size: "512Mi" } },
  { why: "a size in G", spec: { size: "4G" }, refused: /Ki, Mi or Gi/ },
  { why: "a size in Ti", spec: { size: "1Ti" }, refused: /Ki, Mi or Gi/ },
  { why: "a size without a unit", spec: { size: 4294967296 }, refused: /Ki, Mi or Gi/ },
  { why: "a negative number of members", spec: { replicas: -1 }, refused: /spec\.replicas/ },
  { why: "a parked cluster", before: { replicas: 3 }, spec: { replicas: 0 } },
  { why: "a volume that grows", before: { size: "4Gi" }, spec: { size: "8Gi" } },
  { why: "a volume that shrinks", before: { size: "4Gi" }, spec: { size: "2Gi" }, refused: /size can grow/ },
  {
    why: "another storage class",
    before: { storageClass: "a" },
    spec: { storageClass: "b" },
    refused: /storageClass is immutable/,
  },
  { why: "another version", before: { version: "3.5.21" }, spec: { version: "3.6.11" } },
];

const check = await ruleChecker(etcd);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { openbao } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "a negative number of replicas", spec: { replicas: -1 }, refused: /spec\.replicas/ },
  { why: "a volume of nothing", spec: { size: "0" }, refused: /spec\.size/ },
  { why: "a storage class that is none", spec: { storageClass: "a b" }, refused: /storageClass/ },
  { why: "more of several servers", before: { replicas: 3 }, spec: { replicas: 5 } },
  { why: "no server for a while", before: { replicas: 1 }, spec: { replicas: 0 } },
  {
    why: "several servers instead of one",
    before: {},
    spec: { replicas: 3 },
    refused: /order a second OpenBAO and move the secrets/,
  },
  {
    why: "one server instead of several",
    before: { replicas: 3 },
    spec: { replicas: 1 },
    refused: /order a second OpenBAO and move the secrets/,
  },
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

const check = await ruleChecker(openbao);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

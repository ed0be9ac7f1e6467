import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { harbor } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "a host", spec: { host: "registry.example.org" } },
  { why: "a host that is none", spec: { host: "a b" }, refused: /spec\.host/ },
  { why: "a database without servers", spec: { database: { replicas: 0 } }, refused: /database\.replicas/ },
  { why: "a negative number of replicas", spec: { redis: { replicas: -1 } }, refused: /redis\.replicas/ },
  { why: "a preset that is none", spec: { core: { resourcesPreset: "huge" } }, refused: /core\.resourcesPreset/ },
  { why: "a volume of nothing", spec: { trivy: { size: "0" } }, refused: /trivy\.size/ },
  { why: "no scanner", before: {}, spec: { trivy: { enabled: false } } },
  { why: "a volume that grows", before: { trivy: { size: "1Gi" } }, spec: { trivy: { size: "2Gi" } } },
  {
    why: "a volume that shrinks",
    before: { database: { size: "2Gi" } },
    spec: { database: { size: "1Gi" } },
    refused: /database\.size can grow but not shrink/,
  },
  {
    why: "another storage class",
    before: { storageClass: "a" },
    spec: { storageClass: "b" },
    refused: /storageClass is immutable/,
  },
];

const check = await ruleChecker(harbor);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

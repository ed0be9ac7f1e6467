import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { httpCache } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "hosts with and without ports", spec: { endpoints: ["10.0.0.1:80", "a.example.org", "[2001:db8::1]:80"] } },
  { why: "a size as a number", spec: { size: 1073741824 } },
  { why: "an endpoint of two directives", spec: { endpoints: ["a; b"] }, refused: /endpoints/ },
  { why: "brackets around something else", spec: { endpoints: ["[1:2]"] }, refused: /no IPv6 address/ },
  {
    why: "an address that does not exist",
    spec: { whitelist: ["1.2.3.4/40"] },
    refused: /whitelist: an entry is no address/,
  },
  { why: "too many servers", spec: { nginx: { replicas: 101 } }, refused: /100/ },
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

const check = await ruleChecker(httpCache);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

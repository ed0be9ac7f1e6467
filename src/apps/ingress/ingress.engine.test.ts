import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { ingress } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "a whitelist", spec: { whitelist: ["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"] } },
  { why: "a whitelist of what is no address", spec: { whitelist: ["10.0.0.0/8, all"] }, refused: /spec\.whitelist/ },
  { why: "a negative number of controllers", spec: { replicas: -1 }, refused: /spec\.replicas/ },
  { why: "Cloudflare in front", spec: { cloudflareProxy: true } },
  {
    why: "Cloudflare and the PROXY protocol",
    spec: { cloudflareProxy: true, proxyProtocol: true },
    refused: /exclude each other/,
  },
  { why: "limits where amounts belong", spec: { resources: { limits: { cpu: "1" } } }, refused: /computed/ },
];

const check = await ruleChecker(ingress);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

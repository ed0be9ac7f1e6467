import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { externalDns } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "no provider yet", spec: {} },
  { why: "a provider and fields that nobody knows", spec: { provider: "aws", aws: { profile: "x" } } },
  { why: "an unknown provider", spec: { provider: "gandi" }, refused: /spec\.provider/ },
  { why: "an unknown policy", spec: { policy: "all" }, refused: /spec\.policy/ },
  { why: "a token that is a number", spec: { linode: { token: 5 } }, refused: /spec\.linode\.token/ },
  { why: "another provider later", before: { provider: "aws" }, spec: { provider: "inmemory" } },
];

const check = await ruleChecker(externalDns);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

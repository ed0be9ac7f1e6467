import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { monitoring } from "./index.ts";

const users = [{ email: "ada@example.org", role: "Admin" }];
const oidc = (customConfig: object, more: object = {}) => ({ oidc: { mode: "CustomConfig", customConfig, ...more } });

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "a section of one's own", spec: oidc({ config: { enabled: "true" } }) },
  { why: "a section in a Secret", spec: oidc({ secretRef: { name: "own" } }) },
  { why: "a section with users", spec: oidc({ config: { enabled: "true" } }, { users }) },
  {
    why: "a section in a Secret with users: the refusal names both ways out (feature 112)",
    spec: oidc({ secretRef: { name: "own" } }, { users }),
    refused: /spec\.oidc.*customConfig\.secretRef and users exclude each other.*customConfig\.config/,
  },
  {
    why: "both sections",
    spec: oidc({ config: { enabled: "true" }, secretRef: { name: "own" } }),
    refused: /exactly one of customConfig\.config and customConfig\.secretRef/,
  },
  { why: "neither section", spec: oidc({}), refused: /exactly one of customConfig\.config and/ },
  { why: "no store of logs", spec: { logsStorages: [] }, refused: /spec\.logsStorages.*at least one storage/ },
  {
    why: "a volume that shrinks",
    before: { grafana: { db: { size: "10Gi" } } },
    spec: { grafana: { db: { size: "5Gi" } } },
    refused: /spec\.grafana\.db\.size.*can grow but not shrink/,
  },
];

const check = await ruleChecker(monitoring);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

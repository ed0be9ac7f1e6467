import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { opensearch } from "./index.ts";

const none = { master: false, data: false, ingest: false, ml: false };

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "users", spec: { users: { "a.b-c": { roles: ["all_access"] }, other: {} } } },
  { why: "a user's name in capitals", spec: { users: { App: {} } }, refused: /spec\.users/ },
  { why: "a version that does not exist", spec: { version: "v9" }, refused: /spec\.version.*"v2"/ },
  { why: "an empty version", spec: { version: "" }, refused: /spec\.version/ },
  { why: "a policy that does not exist", spec: { topologySpreadPolicy: "some" }, refused: /topologySpreadPolicy/ },
  { why: "machine learning alone", spec: { nodeRoles: { ...none, ml: true } } },
  { why: "no role at all", spec: { nodeRoles: none }, refused: /at least one of nodeRoles/ },
  { why: "a negative number of Dashboards", spec: { dashboards: { replicas: -1 } }, refused: /dashboards\.replicas/ },
  { why: "the next version", before: { version: "v2" }, spec: { version: "v3" } },
  {
    why: "an older version",
    before: { version: "v2" },
    spec: { version: "v1" },
    refused: /version can only go up, by one/,
  },
  { why: "the version after next", before: { version: "v1" }, spec: { version: "v3" }, refused: /by one/ },
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

const check = await ruleChecker(opensearch);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

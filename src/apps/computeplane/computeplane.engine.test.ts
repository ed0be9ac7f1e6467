import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { computePlane } from "./index.ts";

const role = { roles: ["ingress-nginx"] };
const groups = (nodeGroups: object) => ({ nodeGroups });

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "a group that takes in requests", spec: groups({ md0: { ...role, maxReplicas: 1, maxUnhealthy: 2 } }) },
  { why: "two groups", spec: groups({ md0: role, "a-b": { gpus: [{ name: "x" }] } }) },
  { why: "a group that takes in none", spec: groups({ md0: {} }), refused: /must have the role ingress-nginx/ },
  {
    why: "a group without nodes",
    spec: groups({ md0: { ...role, maxReplicas: 0 } }),
    refused: /maxReplicas of at least 1/,
  },
  { why: "a group whose name no object can have", spec: groups({ "a b": role }), refused: /every name must match/ },
  { why: "a disk that is none", spec: groups({ md0: { ...role, diskSize: "much" } }), refused: /diskSize/ },
];

const check = await ruleChecker(computePlane);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

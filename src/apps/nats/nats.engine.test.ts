import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { nats } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "users and settings", spec: { users: { "a.b": {} }, config: { merge: { max_payload: "1MB", x: [1, "a"] } } } },
  { why: "a user's name with a space", spec: { users: { "a b": {} } }, refused: /spec\.users/ },
  { why: "one half of what the chart does not quote", spec: { users: { a: { password: "<< x" } } } },
  {
    why: "a password that the chart would not quote",
    spec: { users: { a: { password: "<< $HOME >>" } } },
    refused: /would not quote it/,
  },
  { why: "a size that is none", spec: { jetstream: { size: "much" } }, refused: /spec\.jetstream\.size/ },
  { why: "a volume that grows", before: { jetstream: { size: "1Gi" } }, spec: { jetstream: { size: "2Gi" } } },
  {
    why: "a volume that shrinks",
    before: { jetstream: { size: "2Gi" } },
    spec: { jetstream: { size: "1Gi" } },
    refused: /jetstream\.size can grow but not shrink/,
  },
  {
    why: "JetStream switched off later",
    before: { jetstream: { enabled: true } },
    spec: { jetstream: { enabled: false } },
    refused: /enabled is immutable/,
  },
  {
    why: "another storage class",
    before: { storageClass: "a" },
    spec: { storageClass: "b" },
    refused: /storageClass is immutable/,
  },
];

const check = await ruleChecker(nats);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

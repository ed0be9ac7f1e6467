import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { bucket } from "./index.ts";

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`user-${index}`, {}]));

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "users with and without rights", spec: { users: { alice: {}, bob: { readonly: true } } } },
  { why: "as many users as there may be", spec: { users: many(100) } },
  { why: "more users", spec: { users: many(101) }, refused: /spec\.users.*100/ },
  { why: "a user in upper case", spec: { users: { Alice: {} } }, refused: /spec\.users/ },
  { why: "a user with a line break", spec: { users: { "a\nb": {} } }, refused: /spec\.users/ },
  {
    why: "users whose Secrets would have one name",
    spec: { users: { a: {}, "a-credentials": {} } },
    refused: /rename one of them/,
  },
  { why: "a lock that is no boolean", spec: { locking: "yes please" }, refused: /locking.*boolean/ },
  {
    why: "another pool",
    before: { storagePool: "a" },
    spec: { storagePool: "b" },
    refused: /storagePool is immutable/,
  },
  { why: "a lock put on later", before: {}, spec: { locking: true }, refused: /locking is immutable/ },
  { why: "a lock taken away", before: { locking: true }, spec: { locking: null }, refused: /locking is immutable/ },
  { why: "another user later", before: { users: { a: {} } }, spec: { users: { b: {} } } },
];

const check = await ruleChecker(bucket);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));

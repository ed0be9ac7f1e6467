/** What a spec that does not fit is told: the field, the limit and the way out, without a value that could be a secret. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readSpec } from "./check.ts";
import { Refusal } from "./errors.ts";
import { flag, group, integer, listOf, mapOf, oneOf, open, quantity, text } from "./fields.ts";
import { appSpec } from "./spec.ts";

const { schema } = appSpec({
  size: quantity({ default: "1Gi" }),
  copies: integer({ default: 1, minimum: 0, maximum: 9 }),
  version: oneOf(["v1", "v2"], { default: "v2" }),
  backup: group({ enabled: flag({ default: false }) }),
  users: mapOf(open({ password: text() })),
  sizes: listOf(quantity({ required: true })),
});

const rows: { readonly why: string; readonly spec: unknown; readonly code?: string; readonly says: string }[] = [
  { why: "no quantity", spec: { size: "10GiB" }, code: "InvalidQuantity", says: 'spec.size: "10GiB" is no quantity' },
  {
    why: "less than nothing",
    spec: { size: "-1Gi" },
    code: "InvalidQuantity",
    says: 'spec.size: "-1Gi" is no quantity',
  },
  { why: "less than nothing as a number", spec: { size: -5 }, says: "spec.size: must be >= 0" },
  { why: "neither number nor text", spec: { size: true }, says: "spec.size: must be integer or string, not boolean" },
  { why: "within a list", spec: { sizes: ["1", []] }, says: "spec.sizes[1]: must be integer or string, not array" },
  { why: "a word for a number", spec: { copies: "two" }, says: "spec.copies: must be integer, not string" },
  { why: "a broken number", spec: { copies: 1.5 }, says: "spec.copies: must be integer, not number" },
  { why: "beyond a bound", spec: { copies: 10 }, says: "spec.copies: must be <= 9" },
  { why: "none of the choices", spec: { version: "v3" }, says: "spec.version: must be one of v1, v2" },
  { why: "no object", spec: { backup: "on" }, says: "spec.backup: must be object, not string" },
  { why: "no spec", spec: "text", says: "spec: must be object, not string" },
  {
    why: "several fields at once",
    spec: { copies: -1, users: { a: { password: 5 } } },
    says: "spec.copies: must be >= 0; spec.users.a.password: must be string, not integer",
  },
  {
    why: "more fields than anybody reads",
    spec: { users: Object.fromEntries([..."abcdefg"].map((name) => [name, { password: 5 }])) },
    says: [
      ...[..."abcde"].map((name) => `spec.users.${name}.password: must be string, not integer`),
      "and 2 more",
    ].join("; "),
  },
];

for (const { why, spec, code = "InvalidSpec", says } of rows) {
  test(`a spec is refused: ${why}`, () => {
    assert.throws(
      () => readSpec(schema, spec),
      (error) => {
        assert.ok(error instanceof Refusal);
        assert.deepEqual([error.code, error.message], [code, says]);
        assert.match(error.remedy, /^[A-Z].*\.$/);
        return true;
      },
    );
  });
}

test("an amount of nothing is one", () => {
  for (const size of ["0", 0, "+1Gi", "0.5", "1e3", ".5"]) assert.equal(readSpec(schema, { size }).size, size);
});

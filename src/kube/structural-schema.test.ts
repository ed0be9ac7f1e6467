import assert from "node:assert/strict";
import test from "node:test";
import Type, { type TSchema } from "typebox";
import { re2Problem } from "./re2.ts";
import { StructuralSchemaError, structuralSchema } from "./structural-schema.ts";

const intOrString = Type.Unsafe<number | string>({ "x-kubernetes-int-or-string": true, pattern: "^[0-9]+$" });

const accepted: readonly { why: string; schema: TSchema; gives: unknown }[] = [
  {
    why: "scalars keep their bounds, closed objects lose the keyword that says so",
    schema: Type.Object(
      { name: Type.String({ maxLength: 5, pattern: "^a+$" }), count: Type.Optional(Type.Integer({ minimum: 1 })) },
      { additionalProperties: false },
    ),
    gives: {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string", maxLength: 5, pattern: "^a+$" },
        count: { type: "integer", minimum: 1 },
      },
    },
  },
  {
    why: "a field with a default is not required",
    schema: Type.Object({ on: Type.Boolean({ default: false }) }),
    gives: { type: "object", properties: { on: { type: "boolean", default: false } } },
  },
  {
    why: "an enum gets the type of its values",
    schema: Type.Enum(["a", "b"]),
    gives: { type: "string", enum: ["a", "b"] },
  },
  {
    why: "a record is a map",
    schema: Type.Record(Type.String(), Type.Array(Type.String()), { maxProperties: 3 }),
    gives: {
      type: "object",
      maxProperties: 3,
      additionalProperties: { type: "array", items: { type: "string" } },
    },
  },
  {
    why: "int-or-string goes on as it is",
    schema: intOrString,
    gives: { "x-kubernetes-int-or-string": true, pattern: "^[0-9]+$" },
  },
  {
    why: "int-or-string may carry the union that says the same",
    schema: Type.Union([Type.Integer(), Type.String()], { "x-kubernetes-int-or-string": true }),
    gives: { "x-kubernetes-int-or-string": true },
  },
  {
    why: "an open object keeps unknown fields, form hints go nowhere",
    schema: Type.Object({}, { "x-kubernetes-preserve-unknown-fields": true, "x-cozystack-hint": "x" }),
    gives: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: {} },
  },
  {
    why: "an exclusive bound takes the boolean form",
    schema: Type.Integer({ exclusiveMinimum: 0 }),
    gives: { type: "integer", minimum: 0, exclusiveMinimum: true },
  },
  {
    why: "rules and keyed lists pass",
    schema: Type.Array(Type.Object({ name: Type.String() }), {
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-validations": [{ rule: "self.size() < 3", message: "few" }],
    }),
    gives: {
      type: "array",
      items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-validations": [{ rule: "self.size() < 3", message: "few" }],
    },
  },
];

for (const { why, schema, gives } of accepted) {
  test(`accepted: ${why}`, () => assert.deepEqual(structuralSchema(schema), gives));
}

const refused: readonly { why: string; schema: TSchema; path: string; says: RegExp }[] = [
  { why: "a union", schema: Type.Union([Type.String(), Type.Integer()]), path: "spec", says: /union/ },
  { why: "a constant", schema: Type.Literal("x"), path: "spec", says: /const/ },
  {
    why: "a union inside, with its path",
    schema: Type.Object({ a: Type.Array(Type.Record(Type.String(), Type.Union([Type.Null(), Type.String()]))) }),
    path: "spec.a[*]{*}",
    says: /union/,
  },
  { why: "null as a type", schema: Type.Object({ a: Type.Null() }), path: "spec.a", says: /type is "null"/ },
  { why: "anything at all", schema: Type.Unknown(), path: "spec", says: /without a type/ },
  { why: "an intersection", schema: Type.Unsafe({ allOf: [] }), path: "spec", says: /allOf/ },
  { why: "a reference", schema: Type.Ref("x"), path: "spec", says: /\$ref/ },
  { why: "a tuple", schema: Type.Tuple([Type.String()]), path: "spec", says: /./ },
  {
    why: "values beside properties",
    schema: Type.Object({ a: Type.String() }, { additionalProperties: Type.String() }),
    path: "spec",
    says: /beside properties/,
  },
  {
    why: "an open object said the JSON Schema way",
    schema: Type.Object({}, { additionalProperties: true }),
    path: "spec",
    says: /true/,
  },
  { why: "unique items", schema: Type.Array(Type.String(), { uniqueItems: true }), path: "spec", says: /uniqueItems/ },
  {
    why: "a keyword nobody knows",
    schema: Type.String({ examples: ["x"] }),
    path: "spec",
    says: /unknown keyword examples/,
  },
  { why: "lookahead", schema: Type.String({ pattern: "^(?!x)" }), path: "spec", says: /lookahead/ },
  {
    why: "a record with pattern keys",
    schema: Type.Record(Type.String({ pattern: "^a$" }), Type.String()),
    path: "spec",
    says: /pattern/,
  },
  {
    why: "a keyed list whose key may be missing",
    schema: Type.Array(Type.Object({ name: Type.Optional(Type.String()) }), {
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    }),
    path: "spec",
    says: /optional/,
  },
  { why: "a flag that is no flag", schema: Type.String({ nullable: "yes" }), path: "spec", says: /nullable/ },
];

for (const { why, schema, path, says } of refused) {
  test(`refused: ${why}`, () => {
    assert.throws(
      () => structuralSchema(schema, "spec"),
      (error) =>
        error instanceof StructuralSchemaError &&
        error.path === path &&
        says.test(error.message) &&
        error.code === "SchemaNotStructural" &&
        error.remedy !== "",
    );
  });
}

const quantity =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

const patterns: readonly { why: string; pattern: string; ok: boolean }[] = [
  { why: "the quantity pattern", pattern: quantity, ok: true },
  { why: "a DNS label", pattern: "^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$", ok: true },
  { why: "a group that does not capture", pattern: "^(?:a|b)$", ok: true },
  { why: "brackets and signs inside a class", pattern: "^[(?=)\\]]+$", ok: true },
  { why: "an escaped parenthesis", pattern: "\\(?=", ok: true },
  { why: "a repeat of 1000", pattern: "^a{1000}$", ok: true },
  { why: "a repeat of 1001", pattern: "^a{1,1001}$", ok: false },
  { why: "lookbehind", pattern: "(?<!a)b", ok: false },
  { why: "a back reference", pattern: "(a)\\1", ok: false },
  { why: "an escape by code", pattern: "^[\\u0041]$", ok: false },
  { why: "a class of nothing", pattern: "a[]", ok: false },
  { why: "no expression at all", pattern: "(a", ok: false },
  { why: "Go's flags, which JavaScript does not know", pattern: "(?i)a", ok: false },
];

for (const { why, pattern, ok } of patterns) {
  test(`pattern: ${why}`, () => assert.equal(re2Problem(pattern) === undefined, ok, re2Problem(pattern)));
}

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anySchema } from "../../../test/external/schemas.ts";
import { isRecord } from "../../kube/json.ts";
import { structuralSchema } from "../../kube/structural-schema.ts";
import { withRules } from "../structural-rules.ts";
import { LARGEST_SCHEMA, SchemaProblem, valuesSchema } from "./schema.ts";

const served = (text: string) => {
  const schema = valuesSchema(text);
  return withRules(schema, structuralSchema(schema), []);
};
const field = (schema: unknown) =>
  served(JSON.stringify({ type: "object", properties: { a: schema } })).properties?.["a"];
const open = { "x-kubernetes-preserve-unknown-fields": true };

const cases: readonly { readonly why: string; readonly given: unknown; readonly is: unknown }[] = [
  {
    why: "a plain field",
    given: { type: "integer", minimum: 1, default: 2 },
    is: { type: "integer", minimum: 1, default: 2 },
  },
  {
    why: "no type, guessed by the fields",
    given: { properties: {}, additionalProperties: { type: "string" } },
    is: { type: "object", additionalProperties: { type: "string" } },
  },
  { why: "no type at all", given: {}, is: open },
  { why: "a boolean schema", given: true, is: open },
  { why: "null beside a type", given: { type: ["string", "null"] }, is: { type: "string", nullable: true } },
  {
    why: "a quantity",
    given: {
      anyOf: [{ type: "integer" }, { type: "string" }],
      pattern: "^[0-9]+$",
      "x-kubernetes-int-or-string": true,
    },
    is: { "x-kubernetes-int-or-string": true, pattern: "^[0-9]+$" },
  },
  {
    why: "a quantity as a list of types",
    given: { type: ["integer", "string"], default: "1Gi" },
    is: { "x-kubernetes-int-or-string": true, default: "1Gi" },
  },
  { why: "a union that cannot be said", given: { oneOf: [{ type: "object" }, { type: "string" }] }, is: open },
  {
    why: "the same type in every branch",
    given: {
      oneOf: [
        { type: "string", minLength: 1 },
        { type: "string", pattern: "a" },
      ],
    },
    is: { type: "string" },
  },
  { why: "a constant", given: { const: "x" }, is: { type: "string", enum: ["x"] } },
  {
    why: "a choice with null",
    given: { type: ["string", "null"], enum: ["a", null] },
    is: { type: "string", nullable: true, enum: ["a", null] },
  },
  { why: "a choice of mixed types is not narrowed", given: { type: "string", enum: ["a", 1] }, is: { type: "string" } },
  { why: "the same choice twice", given: { type: "string", enum: ["a", "a"] }, is: { type: "string", enum: ["a"] } },
  { why: "a default of the wrong type", given: { type: "integer", default: "two" }, is: { type: "integer" } },
  {
    why: "a default outside the bounds",
    given: { type: "integer", minimum: 3, default: 2 },
    is: { type: "integer", minimum: 3 },
  },
  {
    why: "a default that lacks a required field",
    given: { type: "object", required: ["x"], properties: { x: { type: "string" } }, default: {} },
    is: { type: "object", ...open, required: ["x"], properties: { x: { type: "string" } } },
  },
  {
    why: "a default that nested ones complete",
    given: { type: "object", required: ["x"], properties: { x: { type: "string", default: "y" } }, default: {} },
    is: { type: "object", ...open, properties: { x: { type: "string", default: "y" } }, default: { x: "y" } },
  },
  { why: "a pattern that RE2 does not know", given: { type: "string", pattern: "(?=a)" }, is: { type: "string" } },
  { why: "a broken pattern", given: { type: "string", pattern: "(" }, is: { type: "string" } },
  {
    why: "an exclusive bound of today's form",
    given: { type: "integer", exclusiveMinimum: 0 },
    is: { type: "integer", minimum: 0, exclusiveMinimum: true },
  },
  {
    why: "an exclusive bound of the older form",
    given: { type: "integer", minimum: 0, exclusiveMinimum: true },
    is: { type: "integer", minimum: 0, exclusiveMinimum: true },
  },
  { why: "a list without items", given: { type: "array" }, is: { type: "array", items: open } },
  { why: "a tuple", given: { type: "array", items: [{ type: "string" }] }, is: { type: "array", items: open } },
  {
    why: "a set of objects",
    given: { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "set" },
    is: { type: "array", items: { type: "object", ...open } },
  },
  {
    why: "fields and values at once",
    given: { type: "object", properties: { x: { type: "string" } }, additionalProperties: { type: "integer" } },
    is: { type: "object", ...open, properties: { x: { type: "string" } } },
  },
  {
    why: "no other fields",
    given: { type: "object", properties: { x: { type: "string" } }, additionalProperties: false },
    is: { type: "object", ...open, properties: { x: { type: "string" } } },
  },
  {
    why: "keys of a form",
    given: { type: "object", patternProperties: { "^[a-z]+$": { type: "string" } } },
    is: { type: "object", additionalProperties: { type: "string" } },
  },
  {
    why: "a rule",
    given: { type: "string", maxLength: 9, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    is: { type: "string", maxLength: 9, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
  },
  {
    why: "a format that means nothing to Kubernetes",
    given: { type: "string", format: "regex" },
    is: { type: "string" },
  },
];
for (const { why, given, is } of cases) {
  test(`a value's schema becomes structural: ${why}`, () => assert.deepEqual(field(given), is));
}

test("references are followed, also in circles", () => {
  const schema = served(
    JSON.stringify({
      type: "object",
      properties: { a: { $ref: "#/$defs/size" }, tree: { $ref: "#/$defs/tree" }, lost: { $ref: "#/$defs/none" } },
      $defs: {
        size: { type: "string", default: "1Gi" },
        tree: { type: "object", properties: { tree: { $ref: "#/$defs/tree" } } },
      },
    }),
  );
  assert.deepEqual(schema.properties?.["a"], { type: "string", default: "1Gi" });
  assert.equal(schema.properties?.["tree"]?.properties?.["tree"]?.type, "object");
  assert.deepEqual(schema.properties?.["lost"], open);
});

test("an empty text takes any values; the platform's own keys are no fields", () => {
  assert.deepEqual(served(" "), { type: "object", ...open, properties: {}, default: {} });
  const fields = served(
    JSON.stringify({ properties: { _cluster: { type: "string" }, b: { type: "string" } } }),
  ).properties;
  assert.deepEqual(Object.keys(fields ?? {}), ["b"]);
});

test("a spec that must have fields has no default", () => {
  const schema = served(JSON.stringify({ type: "object", required: ["a"], properties: { a: { type: "string" } } }));
  assert.equal(schema.default, undefined);
  assert.deepEqual(schema.required, ["a"]);
});

for (const [why, text] of [
  ["no JSON", "{"],
  ["no object", "[]"],
  ["a list", JSON.stringify({ type: "array", items: {} })],
  ["too large", " ".repeat(LARGEST_SCHEMA + 1)],
] as const) {
  test(`a schema is refused: ${why}`, () => assert.throws(() => valuesSchema(text), SchemaProblem));
}

test("whatever a schema says, the result is structural and its defaults fit", () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      const text = JSON.stringify(schema);
      try {
        assert.ok(isRecord(served(text)));
      } catch (error) {
        // Only what is no schema of an object at all.
        assert.ok(error instanceof SchemaProblem, String(error));
      }
    }),
    { numRuns: 150 },
  );
});

/**
 * Schemas as chart authors write them, and as nobody should: for tests of what becomes of them.
 */
import fc from "fast-check";

const name = fc.constantFrom("a", "b", "size", "x-y", "a.b", "_cluster", "kind", "metadata", "__proto__", "1", "");
const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    1.5,
    -3,
    2 ** 40,
    "",
    "a",
    "1Gi",
    "10",
    [],
    ["a"],
    {},
    { a: 1 },
    { b: { c: [] } },
  ),
  fc.json().map((text): unknown => JSON.parse(text)),
);
const type = fc.constantFrom("object", "array", "string", "integer", "number", "boolean", "null", "any", "strnig");

/** A keyword and any value for it, mostly of the right sort. */
function keywords(node: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const nodes = fc.dictionary(name, node, { maxKeys: 3 });
  const some = (values: fc.Arbitrary<unknown>) =>
    fc.oneof({ arbitrary: values, weight: 6 }, { arbitrary: value, weight: 1 });
  const count = some(fc.constantFrom(0, 1, 2, 7, -1, 1.5, 1e300));
  return fc.record(
    {
      type: some(fc.oneof(type, fc.array(type, { maxLength: 3 }))),
      title: some(fc.string()),
      description: some(fc.string()),
      default: value,
      nullable: some(fc.boolean()),
      enum: some(fc.array(value, { maxLength: 4 })),
      const: value,
      pattern: some(fc.constantFrom("^[a-z]+$", "(?=a)", "(", "\\d{2,}", "[", "a{1001}", "^(a|b)*$")),
      format: some(fc.constantFrom("int32", "date-time", "regex", "float", "uri")),
      minLength: count,
      maxLength: count,
      minimum: count,
      maximum: count,
      exclusiveMinimum: some(fc.oneof(count, fc.boolean())),
      exclusiveMaximum: some(fc.oneof(count, fc.boolean())),
      multipleOf: count,
      minItems: count,
      maxItems: count,
      minProperties: count,
      maxProperties: count,
      uniqueItems: some(fc.boolean()),
      required: some(fc.array(name, { maxLength: 3 })),
      properties: some(nodes),
      additionalProperties: some(fc.oneof(node, fc.boolean())),
      patternProperties: some(nodes),
      items: some(fc.oneof(node, fc.array(node, { maxLength: 2 }))),
      allOf: some(fc.array(node, { maxLength: 2 })),
      anyOf: some(fc.array(node, { maxLength: 2 })),
      oneOf: some(fc.array(node, { maxLength: 2 })),
      not: node,
      $ref: some(fc.constantFrom("#", "#/properties/a", "#/$defs/b", "https://example.org/schema")),
      "x-kubernetes-int-or-string": some(fc.boolean()),
      "x-kubernetes-preserve-unknown-fields": some(fc.boolean()),
      "x-kubernetes-embedded-resource": some(fc.boolean()),
      "x-kubernetes-list-type": some(fc.constantFrom("atomic", "set", "map")),
      "x-kubernetes-list-map-keys": some(fc.array(name, { maxLength: 2 })),
      "x-kubernetes-map-type": some(fc.constantFrom("atomic", "granular")),
    },
    { requiredKeys: [] },
  );
}

const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof({ depthSize: "small", withCrossShrink: true }, fc.boolean(), keywords(tie("node"))),
}));

/** The schema of a chart's values; most are objects. */
export const anySchema = fc.tuple(keywords(node), fc.boolean()).map(([schema, isPlain]) => ({
  ...schema,
  ...(isPlain ? {} : { type: "object" }),
  $defs: { b: schema["properties"] },
}));

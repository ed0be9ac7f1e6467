/**
 * What a schema says of a value, in words: for the reference pages and for `cozystack explain`.
 */
import type { StructuralSchema } from "../kube/structural-schema.ts";

function range(what: string, least: number | undefined, most: number | undefined): readonly string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${what}`];
  if (most !== undefined) return [`At most ${most}${what}`];
  return least === undefined ? [] : [`At least ${least}${what}`];
}

/** The bounds of a value, one a text. `quote` marks a pattern as what it is. A quantity's say nothing to people. */
export function boundsOf(schema: StructuralSchema, quote: (pattern: string) => string): readonly string[] {
  const isQuantity = schema["x-kubernetes-int-or-string"] === true;
  return [
    ...(isQuantity ? [] : range("", schema.minimum, schema.maximum)),
    ...range(" characters", schema.minLength, schema.maxLength),
    ...range(" items", schema.minItems, schema.maxItems),
    ...range(" entries", schema.minProperties, schema.maxProperties),
    ...(schema.pattern === undefined || isQuantity ? [] : [`Matches ${quote(schema.pattern)}`]),
  ];
}

/**
 * How long configuration texts are compared: by content where both parse, else without what does not matter.
 */
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { isRecord } from "../../src/kube/json.ts";

function mapping(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // Not YAML: it is some other configuration language.
    return undefined;
  }
}

/** Lines without comments (`#`, `;`, `//` at their start), blank ones and trailing space. */
function essence(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !/^\s*(#|;|\/\/)/.test(line))
    .join("\n");
}

/** Whether two configuration texts say the same. */
export function sameText(expected: string, actual: string): boolean {
  if (expected === actual) return true;
  const [one, other] = [mapping(expected), mapping(actual)];
  if (one !== undefined && other !== undefined) return isDeepStrictEqual(one, other);
  return essence(expected) === essence(actual);
}

/** No number in a spec makes a controller, which all tenants share, list more than there is memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { apps } from "../../src/apps/index.ts";
import { isRecord } from "../../src/kube/json.ts";
import { objectsOf } from "./corpus.ts";

/** More than anybody has servers, and few enough to be told apart from a hang where they are listed. */
const many = 1_000_000;

type Path = readonly string[];

/** The places of numbers in a spec; `0` is one in a list. */
function* numbers(schema: unknown, path: Path): Generator<{ readonly path: Path; readonly most: number }> {
  if (!isRecord(schema)) return;
  const options = [schema, ...(Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [])].filter(isRecord);
  const number = options.find(({ type }) => type === "integer" || type === "number");
  if (number !== undefined) yield { path, most: typeof number["maximum"] === "number" ? number["maximum"] : many };
  const { properties, patternProperties, items } = schema;
  for (const [key, value] of Object.entries(isRecord(properties) ? properties : {}))
    yield* numbers(value, [...path, key]);
  for (const value of Object.values(isRecord(patternProperties) ? patternProperties : {}))
    yield* numbers(value, [...path, "k"]);
  yield* numbers(items, [...path, "0"]);
}

const put = ([key, ...rest]: Path, value: unknown): unknown =>
  key === undefined ? value : key === "0" ? [put(rest, value)] : { [key]: put(rest, value) };

for (const app of apps) {
  test(`whatever number is written, a ${app.kind} is of a size that can be stored`, () => {
    const large: string[] = [];
    for (const { path, most } of numbers(app.schema, [])) {
      let objects: readonly unknown[] = [];
      try {
        objects = objectsOf(app, put(path, Math.min(most, many)));
      } catch {
        // Something that is required besides is missing, or the rest does not go with it: refused is well.
      }
      if (objects.some((object) => JSON.stringify(object).length > 1_000_000)) large.push(path.join("."));
    }
    assert.deepEqual(large, []);
  });
}

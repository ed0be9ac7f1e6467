import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { apps } from "../../src/apps/index.ts";
import { droppedFields, fieldsOf, type ReleasedFields } from "../../src/sdk/released-fields.ts";

const file = resolve(import.meta.dirname, "../../docs/released-fields.json");
const released: ReleasedFields = JSON.parse(readFileSync(file, "utf8"));
const definitions = new Map(apps.map((app) => [app.crd().metadata.name, app.crd()] as const));

test("kinds were released at all", () => assert.ok(Object.keys(released).length > 5));

for (const [name, fields] of Object.entries(released)) {
  test(`${name} still has every field that it was released with, of the same type`, () => {
    const definition = definitions.get(name);
    assert.ok(definition, "the kind is gone");
    assert.deepEqual(droppedFields(fields, fieldsOf(definition)), []);
  });
}

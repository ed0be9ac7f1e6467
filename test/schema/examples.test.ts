/** The examples are what they say: orders of kinds that exist, without a field that nobody reads. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { valueAt } from "../../src/kube/json.ts";
import { readSpec } from "../../src/sdk/check.ts";
import { allApps } from "./apps.ts";

const directory = resolve(import.meta.dirname, "../../examples");
const apps = new Map((await allApps()).map(({ app }) => [app.kind, app]));

for (const file of readdirSync(directory).filter((name) => name.endsWith(".yaml"))) {
  test(`examples/${file} orders applications, and every field of it is read`, () => {
    for (const document of parseAllDocuments(readFileSync(join(directory, file), "utf8"))) {
      const object: unknown = document.toJS();
      const app = apps.get(String(valueAt(object, "kind")));
      assert.ok(app !== undefined, `kind ${String(valueAt(object, "kind"))}`);
      assert.equal(valueAt(object, "apiVersion"), `${app.group}/v1alpha1`);
      const spec = valueAt(object, "spec") ?? {};
      assert.partialDeepStrictEqual(readSpec(app.schema, spec), spec);
    }
  });
}

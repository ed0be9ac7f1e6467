/** `kubectl explain` says something of every kind and of every field of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { StructuralSchema } from "../../src/kube/structural-schema.ts";
import { isForbidden } from "../../src/sdk/released-fields.ts";
import { allApps } from "./apps.ts";

/** Paths of fields without a description; of those that are served only to be refused none is wanted. */
function silent(schema: StructuralSchema, path: string): readonly string[] {
  const fields = Object.entries(schema.properties ?? {}).filter(([, child]) => !isForbidden(child));
  return [
    ...fields.flatMap(([name, child]) => [
      ...(child.description === undefined ? [`${path}.${name}`] : []),
      ...silent(child, `${path}.${name}`),
    ]),
    ...(schema.items === undefined ? [] : silent(schema.items, `${path}[]`)),
    ...(schema.additionalProperties === undefined ? [] : silent(schema.additionalProperties, `${path}.*`)),
  ];
}

for (const { app } of await allApps()) {
  test(`${app.kind}: the kind and all its fields are described`, () => {
    const root = app.crd().spec.versions[0]?.schema?.openAPIV3Schema ?? {};
    assert.ok(root.description);
    const { spec = {}, status } = root.properties ?? {};
    assert.ok(spec.description && status?.description);
    assert.deepEqual(silent(spec, "spec"), []);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import Type, { type TProperties } from "typebox";
import { defineApp } from "./define-app.ts";
import type { PlacedRule } from "./rules.ts";
import { appSpec, flag, group, growOnly, immutable, listOf, mapOf, open, quantity, rule, text } from "./spec.ts";

const made =
  (fields: TProperties, rules: readonly PlacedRule[] = []) =>
  () =>
    defineApp({
      kind: "Thing",
      plural: "things",
      release: "thing-",
      catalog: { title: "Thing", category: "PaaS", summary: "A thing" },
      spec: appSpec(fields, rules),
      render: () => [],
    }).crd();

const field = immutable(text({ maxLength: 5 }));
const rows: readonly { why: string; make: () => unknown; path?: string }[] = [
  { why: "a rule on a field", make: made({ size: quantity() }, [growOnly("size")]) },
  { why: "a rule on a field that is not there", make: made({ size: quantity() }, [growOnly("siez")]), path: "spec" },
  {
    why: "a rule on items of a list",
    make: made({ disks: listOf(open({ size: quantity() })) }, [
      rule({ path: "disks.*.size", rule: "true", message: "" }),
    ]),
  },
  {
    why: "a rule below a field without fields",
    make: made({ size: quantity() }, [rule({ path: "size.more", rule: "true", message: "" })]),
    path: "spec.size",
  },
  { why: "immutable in a group", make: made({ nested: group({ field }) }) },
  { why: "immutable in a value of a map", make: made({ users: mapOf(open({ field })) }) },
  {
    why: "immutable below an object that can be removed",
    make: made({ nested: Type.Optional(open({ field })) }),
    path: "spec.nested.field",
  },
  { why: "immutable in an atomic list", make: made({ disks: listOf(open({ field })) }), path: "spec.disks.*.field" },
];
for (const { why, make, path } of rows) {
  test(`definition: ${why}`, () => {
    if (path === undefined) return void make();
    assert.throws(make, { code: "SchemaNotStructural", path });
  });
}

test("defaults are complete at every level", () => {
  const [version] = made({ nested: group({ deep: group({ on: flag({ default: true }) }) }) })().spec.versions;
  const spec = version?.schema?.openAPIV3Schema?.properties?.["spec"];
  assert.deepEqual(spec?.default, { nested: { deep: { on: true } } });
  assert.deepEqual(spec?.properties?.["nested"]?.default, { deep: { on: true } });
});

test("marking a field immutable leaves the schema it was made from alone", () => {
  const plain = text({ default: "" });
  assert.notDeepEqual(immutable(plain), plain);
  assert.equal(JSON.stringify(plain).includes("immutable"), false);
});

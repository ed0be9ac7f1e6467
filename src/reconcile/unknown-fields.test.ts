import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { nearest, unknownFields } from "./unknown-fields.ts";

const schema = Type.Object({
  replicas: Type.Integer(),
  users: Type.Record(Type.String(), Type.Object({ password: Type.String() })),
  disks: Type.Array(Type.Object({ name: Type.String() })),
  open: Type.Object({}, { additionalProperties: true }),
  values: Type.Object({ a: Type.Object({ b: Type.String() }) }, { "x-cozystack-unknown": "passed" }),
});

const rows: readonly { readonly why: string; readonly spec: unknown; readonly found: readonly string[] }[] = [
  { why: "all known", spec: { replicas: 1, users: { ann: { password: "x" } }, disks: [{ name: "a" }] }, found: [] },
  { why: "a slip of the pen", spec: { replica: 1 }, found: ["spec.replica (did you mean replicas?)"] },
  { why: "another case", spec: { Replicas: 1 }, found: ["spec.Replicas (did you mean replicas?)"] },
  { why: "nothing near", spec: { colour: "red" }, found: ["spec.colour"] },
  {
    why: "in a map's value",
    spec: { users: { ann: { pasword: "x" } } },
    found: ["spec.users.ann.pasword (did you mean password?)"],
  },
  {
    why: "in a list's item",
    spec: { disks: [{ name: "a" }, { nam: "b" }] },
    found: ["spec.disks[1].nam (did you mean name?)"],
  },
  { why: "where everything is allowed", spec: { open: { anything: { at: "all" } } }, found: [] },
  { why: "what goes on to somebody else", spec: { values: { x: 1, a: { y: 1 } } }, found: [] },
  { why: "a key that is no plain word", spec: { "a.b": 1 }, found: ['spec["a.b"]'] },
];

for (const { why, spec, found } of rows) {
  test(`unknown fields: ${why}`, () => assert.deepEqual(unknownFields(schema, spec), found));
}

test("the nearest name is near", () => {
  assert.equal(nearest("storageclas", ["storageClass", "size"]), "storageClass");
  assert.equal(nearest("x", ["storageClass", "size"]), undefined);
});

test("no more than the limit", () => {
  const spec = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, 1]));
  assert.equal(unknownFields(schema, spec, 50).length, 50);
});

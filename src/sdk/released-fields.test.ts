import assert from "node:assert/strict";
import { test } from "node:test";
import { defineApp } from "./define-app.ts";
import { droppedFields, fieldsOf, withFields } from "./released-fields.ts";
import { appSpec, flag, integer, listOf, mapOf, open, quantity, text } from "./spec.ts";

function definition(fields: Parameters<typeof appSpec>[0]) {
  return defineApp({
    kind: "Thing",
    plural: "things",
    release: "thing-",
    catalog: { title: "Thing", category: "PaaS", summary: "A thing" },
    spec: appSpec(fields),
    render: () => [],
  }).crd();
}

const first = fieldsOf(
  definition({ size: quantity(), users: mapOf(open({ admin: flag() })), tags: listOf(text({ required: true })) }),
);

test("fields are found at every depth", () => {
  assert.deepEqual(first, {
    spec: "object",
    "spec.size": "int-or-string",
    "spec.tags": "array",
    "spec.tags.*": "string",
    "spec.users": "object",
    "spec.users.*": "object",
    "spec.users.*.admin": "boolean",
  });
});

const rows = [
  { why: "nothing changed", next: first, found: [] },
  { why: "a field more", next: { ...first, "spec.more": "string" }, found: [] },
  {
    why: "a field less",
    next: fieldsOf(definition({ size: quantity(), users: mapOf(open({})), tags: listOf(text({ required: true })) })),
    found: ["spec.users.*.admin (boolean) is gone"],
  },
  {
    why: "another type",
    next: { ...first, "spec.size": "string" },
    found: ["spec.size was int-or-string and is string"],
  },
];
for (const { why, next, found } of rows)
  test(`released fields: ${why}`, () => assert.deepEqual(droppedFields(first, next), found));

test("the list only grows", () => {
  const next = fieldsOf(definition({ count: integer() }));
  assert.deepEqual(withFields(first, next), { ...first, "spec.count": "integer" });
});

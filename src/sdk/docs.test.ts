import assert from "node:assert/strict";
import { test } from "node:test";
import { defineApp } from "./define-app.ts";
import { referenceIndex, referencePage } from "./docs.ts";
import { appSpec, group, growOnly, integer, mapOf, oneOf, open, quantity, text } from "./spec.ts";

const app = defineApp({
  kind: "Thing",
  plural: "things",
  release: "thing-",
  catalog: { title: "Thing", category: "PaaS", summary: "A thing | to have", fieldOrder: ["size"] },
  spec: appSpec(
    {
      mode: oneOf(["a", "b"], { default: "a", description: "How it works." }),
      size: quantity({ default: "1Gi", description: "How large it is." }),
      users: mapOf(open({ name: text({ required: true, maxLength: 5 }) }), { maxProperties: 3 }),
      nested: group({ count: integer({ minimum: 1, maximum: 9 }) }),
    },
    [growOnly("size")],
  ),
  render: () => [],
});

test("the page says every field with type, default, bounds and rules, in the form's order", () => {
  const page = referencePage(app);
  const fields = page.split("\n").filter((line) => line.startsWith("| `"));
  assert.deepEqual(fields.slice(0, 6), [
    '| `size` | quantity | `"1Gi"` | How large it is. size can grow but not shrink; to make it smaller, move the data to a new application. |',
    '| `mode` | `"a"`, `"b"` | `"a"` | How it works. |',
    "| `users` | map to object | `{}` | At most 3 entries. |",
    "| `users.<name>.name` | string | required | At most 5 characters. |",
    "| `nested` | object |  |  |",
    "| `nested.count` | integer |  | 1 to 9. |",
  ]);
  assert.match(page, /Names have at most 47 characters\. Its objects are named `thing-<name>`\./);
});

test("the index links to pages that exist", () => {
  assert.match(
    referenceIndex([app], () => "things.md"),
    /\| \[Thing\]\(things\.md\) \| `things` \| PaaS \| A thing \\\| to have \|/,
  );
});

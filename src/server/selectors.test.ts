import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldRequirements, labelSelector, selection } from "./selectors.ts";
import { StatusError } from "./status.ts";

const labels = { app: "db", tier: "back", size: "7", "example.com/x": "" };

const matching = [
  "",
  "app=db",
  "app==db",
  "app",
  "!gone",
  "! gone",
  "app!=web",
  "gone!=web",
  "app in (db,web)",
  "app in (db, web),tier=back",
  "gone notin (x)",
  "app notin (x,y)",
  "size>6",
  "size < 8",
  "example.com/x=",
  "example.com/x",
  " app = db , tier ",
];
for (const selector of matching)
  test(`selects: ${JSON.stringify(selector)}`, () => assert.ok(labelSelector(selector)(labels)));

const others = [
  "app=web",
  "!app",
  "gone",
  "app!=db",
  "app in (web)",
  "app notin (db)",
  "size>7",
  "gone>1",
  "app=db,tier=front",
  "gone=",
];
for (const selector of others) test(`does not select: ${selector}`, () => assert.ok(!labelSelector(selector)(labels)));

for (const selector of ["app in db", "a b", "=x", "app=db=x", "app in (a", "-a=b", "app=-x-", "a/b/c=d"]) {
  test(`is no selector: ${selector}`, () => assert.throws(() => labelSelector(selector), StatusError));
}

test("fields: name and namespace only", () => {
  assert.deepEqual(fieldRequirements("metadata.name=a,metadata.namespace!=b", "things"), [
    { field: "metadata.name", equal: true, value: "a" },
    { field: "metadata.namespace", equal: false, value: "b" },
  ]);
  assert.throws(() => fieldRequirements("status.phase=x", "things"), /not supported for things/);
  const selects = selection("app", "metadata.namespace==n", "things");
  const object = (namespace: string) => ({
    apiVersion: "v1",
    kind: "Thing",
    metadata: { name: "a", namespace, labels },
  });
  assert.ok(selects(object("n")));
  assert.ok(!selects(object("m")));
});

test("a selector as long as a request may be holds nobody up", () => {
  const labels = `app${",".repeat(4_000_000)}`;
  assert.ok(labelSelector(labels)({ app: "db" }));
  assert.deepEqual(fieldRequirements(",".repeat(4_000_000), "things"), []);
});

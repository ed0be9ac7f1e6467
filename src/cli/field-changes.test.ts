import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../kube/object.ts";
import { documentChanges } from "./field-changes.ts";

const object = (fields: object, kind = "Postgres"): KubeObject => ({
  apiVersion: kind === "Secret" ? "v1" : "apps.cozystack.io/v1alpha1",
  kind,
  metadata: { name: "a", resourceVersion: String(Math.random()) },
  ...fields,
});

const rows: { readonly why: string; readonly before: object; readonly after: object; readonly fields: object[] }[] = [
  { why: "equal specs", before: { spec: { a: 1 } }, after: { spec: { a: 1 } }, fields: [] },
  { why: "status is nobody's order", before: { status: { a: 1 } }, after: { status: { a: 2 } }, fields: [] },
  {
    why: "a value that differs",
    before: { spec: { replicas: 2 } },
    after: { spec: { replicas: 3 } },
    fields: [{ path: "spec.replicas", from: 2, to: 3, impact: "none" }],
  },
  {
    why: "a field that goes and one that comes",
    before: { spec: { users: { a: {} } } },
    after: { spec: { users: { b: {} } } },
    fields: [
      { path: "spec.users.a", from: {}, impact: "none" },
      { path: "spec.users.b", to: {}, impact: "none" },
    ],
  },
  {
    why: "a list of another length is shown whole",
    before: { spec: { ports: [1] } },
    after: { spec: { ports: [1, 2] } },
    fields: [{ path: "spec.ports", from: [1], to: [1, 2], impact: "none" }],
  },
  {
    why: "a password is masked, wherever it stands",
    before: { spec: { users: {} } },
    after: { spec: { users: { a: { password: "geheim" } }, backup: { s3SecretKey: "geheim" } } },
    fields: [
      { path: "spec.users.a", to: { password: "(secret)" }, impact: "none" },
      { path: "spec.backup", to: { s3SecretKey: "(secret)" }, impact: "none" },
    ],
  },
];

for (const { why, before, after, fields } of rows) {
  test(`changes of a document: ${why}`, () => {
    assert.deepEqual(documentChanges(object(before), object(after)), fields);
  });
}

test("values of a Secret are never shown", () => {
  const changes = documentChanges(object({ data: { a: "b" } }, "Secret"), object({ data: { a: "c" } }, "Secret"));
  assert.deepEqual(changes, [{ path: "data.a", from: "(secret)", to: "(secret)", impact: "none" }]);
});

/** Answers as API servers give them, and what people read of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, type ApiErrorCode, CozystackError, type ErrorCause } from "../kube/errors.ts";
import { Refusal } from "../sdk/errors.ts";
import { quantityPattern } from "../sdk/quantity.ts";
import { volumePattern } from "../sdk/volume-size.ts";
import { parseDocuments } from "./documents.ts";
import { refusedObject } from "./refused.ts";

const [document] = parseDocuments([
  {
    name: "db.yaml",
    text: "apiVersion: apps.cozystack.io/v1alpha1\nkind: Redis\nmetadata:\n  name: q\n  namespace: tenant-a\nspec:\n  replicas: 1\n  size: much\n",
  },
]);
if (document === undefined) throw new Error("no document");

const api = (code: ApiErrorCode, message: string, causes: readonly ErrorCause[] = []) =>
  new ApiError(code, `apply Redis.apps.cozystack.io tenant-a/q: ${message}`, { causes });
const denied = "ValidatingAdmissionPolicy 'cozystack-x' with binding 'cozystack-x' denied request: ";

const rows: { readonly why: string; readonly error: unknown; readonly says: string; readonly remedy?: RegExp }[] = [
  {
    why: "no quantity, instead of the pattern",
    error: api("Invalid", "x", [
      {
        field: "spec.size",
        message: `Invalid value: "much": spec.size in body should match '${quantityPattern}'`,
      },
    ]),
    says: 'db.yaml, document 1, line 8: Redis tenant-a/q: spec.size: "much" is no quantity',
    remedy: /10Gi/,
  },
  ...[
    { size: "0Gi", says: '"0Gi": the size of a volume must be more than 0' },
    { size: "much", says: '"much" is no quantity' },
  ].map(({ size, says }) => ({
    why: `no size of a volume in a list, instead of the pattern: ${size}`,
    error: api("Invalid", "x", [
      {
        field: "spec.zones[0].size",
        message: `Invalid value: "${size}": spec.zones[0].size in body should match '${volumePattern}'`,
      },
    ]),
    says: `db.yaml, document 1, line 7: Redis tenant-a/q: spec.zones[0].size: ${says}`,
  })),
  {
    why: "every field, without the note that some rules were not tried",
    error: api("Invalid", "x", [
      { field: "spec.version", message: 'Unsupported value: "v99": supported values: "v8", "v7"' },
      {
        field: "spec.replicas",
        message: "Invalid value: -1: spec.replicas in body should be greater than or equal to 0",
      },
      { field: "<nil>", message: "Invalid value: null: some validation rules were not checked because ..." },
    ]),
    says: 'db.yaml, document 1, line 7: Redis tenant-a/q: spec.version: Unsupported value: "v99": supported values: "v8", "v7"; spec.replicas: -1 should be greater than or equal to 0',
  },
  {
    why: "a wrong type",
    error: api("Invalid", "x", [
      {
        field: "spec.replicas",
        message: 'Invalid value: "string": spec.replicas in body must be of type integer: "string"',
      },
    ]),
    says: "db.yaml, document 1, line 7: Redis tenant-a/q: spec.replicas: must be of type integer, not string",
  },
  {
    why: "a rule over a field",
    error: api("Invalid", "x", [
      { field: "spec.size", message: 'Invalid value: "4Gi": size can grow but not shrink; move the data' },
    ]),
    says: 'db.yaml, document 1, line 8: Redis tenant-a/q: spec.size: "4Gi": size can grow but not shrink; move the data',
  },
  {
    why: "a rule over several fields",
    error: api("Invalid", "x", [{ field: "spec", message: 'Invalid value: "object": choose another name' }]),
    says: "db.yaml, document 1, line 7: Redis tenant-a/q: spec: choose another name",
  },
  {
    why: "a policy that answers Invalid, naming the field itself",
    error: api("Invalid", "x", [{ message: `${denied}metadata.name: q has 60 characters, at most 41 are possible` }]),
    says: "db.yaml, document 1, line 4: Redis tenant-a/q: metadata.name: q has 60 characters, at most 41 are possible",
  },
  {
    why: "a policy that answers Forbidden",
    error: api("Forbidden", `redises.apps.cozystack.io "q" is forbidden: ${denied}remove the label first`),
    says: "db.yaml, document 1: Redis tenant-a/q: remove the label first",
  },
  {
    why: "a webhook",
    error: api("Forbidden", 'admission webhook "a.b.c" denied the request: not today'),
    says: "db.yaml, document 1: Redis tenant-a/q: not today",
  },
  {
    why: "a namespace that does not exist",
    error: api("NotFound", 'namespaces "tenant-a" not found'),
    says: "db.yaml, document 1, line 5: Redis tenant-a/q: metadata.namespace: there is no namespace tenant-a",
    remedy: /kind Tenant/,
  },
  {
    why: "a quota",
    error: api(
      "QuotaExceeded",
      'redises.apps.cozystack.io "q" is forbidden: exceeded quota: x, requested: a=2, used: a=1',
    ),
    says: "db.yaml, document 1: Redis tenant-a/q: exceeded quota: x, requested: a=2, used: a=1",
    remedy: /quota/,
  },
  {
    why: "an application's own refusal",
    error: new Refusal({ code: "NameTooLong", field: "metadata.name", message: "too long", remedy: "Shorten it." }),
    says: "db.yaml, document 1, line 4: Redis tenant-a/q: metadata.name: too long",
    remedy: /^Shorten it\.$/,
  },
];

for (const { why, error, says, remedy = /^[A-Z].*\.$/ } of rows) {
  test(`a refused document is told: ${why}`, () => {
    const told = refusedObject(document.object, error, document);
    assert.ok(told instanceof CozystackError && error instanceof CozystackError);
    assert.deepEqual([told.message, told.code], [says, error.code]);
    assert.match(told.remedy, remedy);
  });
}

test("without a document the object is named alone; what is not about it stays as it is", () => {
  const told = refusedObject(document.object, api("Forbidden", `x "q" is forbidden: ${denied}no`));
  assert.ok(told instanceof CozystackError);
  assert.equal(told.message, "Redis tenant-a/q: no");
  for (const error of [api("Network", "connect ECONNREFUSED"), api("Timeout", "late"), new Error("odd")]) {
    assert.equal(refusedObject(document.object, error, document), error);
  }
});

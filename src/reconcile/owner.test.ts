import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, ManagedFieldsEntry, ObjectRef } from "../kube/object.ts";
import { isProven, OWNER_ANNOTATION, ownershipOf, ownerToken, RETAINED_ANNOTATION, retainedToken } from "./owner.ts";

const instance = { group: "apps.cozystack.io", kind: "Redis", namespace: "a", name: "db", uid: "u1" };
const ref: ObjectRef = { group: "", kind: "Secret", namespace: "a", name: "s" };
const manager = "cozystack";

const object = (
  annotations: Record<string, string>,
  managedFields: readonly ManagedFieldsEntry[] = [{ manager, operation: "Apply" }],
): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "s", namespace: "a", annotations, managedFields },
});
const marked = object({ [OWNER_ANNOTATION]: ownerToken("u1", ref) });

const rows: readonly {
  readonly why: string;
  readonly object: KubeObject;
  readonly is: string;
  readonly proven: boolean;
}[] = [
  { why: "our mark and our manager", object: marked, is: "ours", proven: true },
  { why: "no mark", object: object({}), is: "unowned", proven: false },
  {
    why: "the mark of another instance",
    object: object({ [OWNER_ANNOTATION]: ownerToken("u2", ref) }),
    is: "foreign",
    proven: false,
  },
  {
    why: "our mark, copied from another object",
    object: object({ [OWNER_ANNOTATION]: ownerToken("u1", { ...ref, name: "other" }) }),
    is: "foreign",
    proven: false,
  },
  {
    why: "our mark, but we never wrote it",
    object: { ...marked, metadata: { ...marked.metadata, managedFields: [] } },
    is: "ours",
    proven: false,
  },
  {
    why: "our mark, and we wrote its status alone",
    object: {
      ...marked,
      metadata: { ...marked.metadata, managedFields: [{ manager, operation: "Update", subresource: "status" }] },
    },
    is: "ours",
    proven: false,
  },
  {
    why: "kept by an earlier application of this name",
    object: object({ [RETAINED_ANNOTATION]: retainedToken({ ...instance, uid: "u0" }, ref) }),
    is: "retained",
    proven: false,
  },
  {
    why: "kept for another name",
    object: object({ [RETAINED_ANNOTATION]: retainedToken({ ...instance, name: "other" }, ref) }),
    is: "unowned",
    proven: false,
  },
];

for (const { why, object: live, is, proven } of rows) {
  test(`ownership: ${why}`, () => {
    assert.equal(ownershipOf(live, ref, instance), is);
    assert.equal(isProven(live, ref, instance, manager), proven);
  });
}

test("an object of another kind with our mark of this one is not proven", () => {
  assert.equal(isProven({ ...marked, kind: "ConfigMap" }, ref, instance, manager), false);
});

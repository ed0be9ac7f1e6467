import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../kube/object.ts";
import { checkObjects, withLabels } from "./lineage.ts";
import { manifestOf } from "./manifest.ts";

const object = (apiVersion: string, kind: string, name: string, namespace?: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});

const rows: readonly { why: string; objects: readonly KubeObject[]; code?: string; message?: RegExp }[] = [
  { why: "different kinds may share a name", objects: [object("v1", "Secret", "a"), object("v1", "ConfigMap", "a")] },
  { why: "other namespaces too", objects: [object("v1", "Secret", "a"), object("v1", "Secret", "a", "other")] },
  {
    why: "the same object twice",
    objects: [object("v1", "Secret", "a"), object("v1", "Secret", "a")],
    code: "DuplicateObject",
    message: /Secret a would be rendered twice/,
  },
  {
    why: "once with its namespace written out",
    objects: [object("v1", "Secret", "a"), object("v1", "Secret", "a", "here")],
    code: "DuplicateObject",
  },
  {
    why: "two versions of a kind are one kind",
    objects: [object("x.org/v1", "Thing", "a"), object("x.org/v2", "Thing", "a")],
    code: "DuplicateObject",
  },
  { why: "a Service of 63 characters", objects: [object("v1", "Service", "a".repeat(63))] },
  {
    why: "a Service of 64",
    objects: [object("v1", "Service", "a".repeat(64))],
    code: "NameTooLong",
    message: /Service.*64 characters, at most 63/,
  },
  { why: "a Service with a leading digit", objects: [object("v1", "Service", "1a")], code: "InvalidName" },
  {
    why: "a CronJob of 53",
    objects: [object("batch/v1", "CronJob", "a".repeat(53))],
    code: "NameTooLong",
    message: /at most 52/,
  },
  { why: "a StatefulSet of 52", objects: [object("apps/v1", "StatefulSet", "a".repeat(52))] },
  { why: "a Secret of 200", objects: [object("v1", "Secret", "a".repeat(200))] },
  { why: "a Secret with a quote", objects: [object("v1", "Secret", "a'b")], code: "InvalidName" },
  {
    why: "roles may have colons",
    objects: [object("rbac.authorization.k8s.io/v1", "RoleBinding", "cozy:tenant:view")],
  },
];
for (const { why, objects, code, message } of rows) {
  test(`rendered objects: ${why}`, () => {
    const check = () => checkObjects(objects.map(manifestOf), "here");
    if (code === undefined) return check();
    assert.throws(check, { code, ...(message === undefined ? {} : { message }) });
  });
}

test("labels go on the object itself, and its own win", () => {
  const before = { apiVersion: "v1", kind: "Secret", metadata: { name: "a", labels: { own: "1", both: "1" } } };
  const after = withLabels(before, { both: "2", added: "2" });
  assert.deepEqual(after.metadata.labels, { own: "1", both: "1", added: "2" });
  assert.deepEqual(before.metadata.labels, { own: "1", both: "1" });
});

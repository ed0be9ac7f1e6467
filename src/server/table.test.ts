import assert from "node:assert/strict";
import { test } from "node:test";
import { age } from "./duration.ts";
import { mediaOf } from "./media.ts";
import { StatusError } from "./status.ts";
import { ageColumn, nameColumn, table } from "./table.ts";

const now = Date.parse("2026-11-30T12:00:00Z");
const ages = [
  [0, "0s"],
  [119, "119s"],
  [120, "2m"],
  [599, "9m59s"],
  [600, "10m"],
  [3 * 3600 - 1, "179m"],
  [3 * 3600 + 60, "3h1m"],
  [8 * 3600, "8h"],
  [47 * 3600, "47h"],
  [2 * 86400 + 3600, "2d1h"],
  [8 * 86400, "8d"],
  [729 * 86400, "729d"],
  [2 * 365 * 86400 + 86400, "2y1d"],
  [9 * 365 * 86400, "9y"],
] as const;
for (const [seconds, text] of ages) {
  test(`an age of ${seconds} s is ${text}`, () =>
    assert.equal(age(new Date(now - seconds * 1000).toISOString(), now), text));
}

test("ages that are none", () => {
  assert.equal(age(undefined, now), "<unknown>");
  assert.equal(age("soon", now), "<unknown>");
  assert.equal(age(new Date(now + 5000).toISOString(), now), "<invalid>");
  assert.equal(age(new Date(now + 500).toISOString(), now), "0s", "clocks differ a little");
});

const query = (text = "") => new URLSearchParams(text);
const kubectl =
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
const media = [
  { why: "none given", accept: undefined, form: "object", yaml: false },
  { why: "kubectl get", accept: kubectl, form: "table", yaml: false },
  {
    why: "a metadata client",
    accept:
      "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
    form: "metadata",
    yaml: false,
  },
  {
    why: "protobuf if there is any",
    accept: "application/vnd.kubernetes.protobuf, application/json",
    form: "object",
    yaml: false,
  },
  { why: "YAML", accept: "application/yaml", form: "object", yaml: true },
  { why: "weights", accept: "application/json;q=0.1,application/yaml;q=0.9", form: "object", yaml: true },
  {
    why: "an old table only, else plain",
    accept: "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
    form: "object",
    yaml: false,
  },
] as const;
for (const { why, accept, form, yaml } of media) {
  test(`the answer's form: ${why}`, () => {
    const found = mediaOf(accept, query());
    assert.deepEqual([found.form, found.yaml], [form, yaml]);
  });
}

test("a form that cannot be given is refused", () => {
  for (const accept of ["application/vnd.kubernetes.protobuf", "text/html", "application/json;as=constructor;v=v1"]) {
    assert.throws(
      () => mediaOf(accept, query()),
      (error) => error instanceof StatusError && error.status === 406,
    );
  }
  assert.throws(() => mediaOf(undefined, query("includeObject=Everything")), StatusError);
});

test("rows carry as much of the object as was asked for", () => {
  const object = {
    apiVersion: "g/v1",
    kind: "Thing",
    metadata: { name: "a", creationTimestamp: new Date(now).toISOString() },
    spec: 1,
  };
  const rows = (include: "None" | "Metadata" | "Object") =>
    table([nameColumn, ageColumn], [object], { now, include, headers: true, metadata: {} }).rows;
  assert.deepEqual(rows("None"), [{ cells: ["a", "0s"] }]);
  assert.deepEqual(rows("Object"), [{ cells: ["a", "0s"], object }]);
  assert.deepEqual(rows("Metadata")[0]?.object, {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: object.metadata,
  });
});

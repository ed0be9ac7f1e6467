import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { KubeObject } from "../kube/object.ts";
import { differences, formatPath, projectOn } from "./diff.ts";
import { canonical, digestOf } from "./digest.ts";
import { sameQuantity } from "./impact.ts";
import { removedFields } from "./owned-fields.ts";

const object = (spec: unknown, apiVersion = "apps/v1"): KubeObject =>
  Object.assign({ apiVersion, kind: "Thing", metadata: { name: "a" } }, { spec });

const rows: readonly {
  readonly why: string;
  readonly want: unknown;
  readonly have: unknown;
  readonly apiVersion?: string;
  readonly differ: readonly string[];
}[] = [
  { why: "defaults of the server are not ours", want: { a: 1 }, have: { a: 1, b: 2 }, differ: [] },
  { why: "a changed scalar", want: { a: 1 }, have: { a: 2 }, differ: ["spec.a"] },
  { why: "a missing field", want: { a: { b: 1 } }, have: {}, differ: ["spec.a"] },
  { why: "another notation of the same quantity", want: { cpu: "0.5" }, have: { cpu: "500m" }, differ: [] },
  { why: "an empty map that the server drops", want: { a: {} }, have: {}, differ: [] },
  {
    why: "containers are told apart by name, extra ones are a sidecar injector's",
    want: { containers: [{ name: "b", image: "1" }] },
    have: { containers: [{ name: "a" }, { name: "b", image: "1", imagePullPolicy: "Always" }] },
    differ: [],
  },
  {
    why: "the path of a keyed item is its place in what we want",
    want: { containers: [{ name: "b", image: "1" }] },
    have: { containers: [{ name: "a" }, { name: "b", image: "2" }] },
    differ: ["spec.containers[0].image"],
  },
  {
    why: "ports default to TCP",
    want: { ports: [{ port: 80 }] },
    have: { ports: [{ port: 80, protocol: "TCP", targetPort: 80 }] },
    differ: [],
  },
  {
    why: "lists of custom resources are taken whole",
    want: { containers: [{ name: "b" }] },
    have: { containers: [{ name: "b" }, { name: "c" }] },
    apiVersion: "example.com/v1",
    differ: ["spec.containers[1]"],
  },
  { why: "a shorter list", want: { args: ["a", "b"] }, have: { args: ["a"] }, differ: ["spec.args[1]"] },
  { why: "a key with dots", want: { "a.b": 1 }, have: {}, differ: ['spec["a.b"]'] },
];

for (const { why, want, have, apiVersion, differ } of rows) {
  test(`differences: ${why}`, () => {
    const found = differences(object(want, apiVersion), object(have, apiVersion), sameQuantity);
    assert.deepEqual(
      found.map(({ path }) => formatPath(path)),
      differ,
    );
  });
}

test("projection: equal for an object with foreign fields, different for a changed owned one", () => {
  const desired = object({ a: 1, list: [{ x: 1 }] }, "example.com/v1");
  const accepted = digestOf(projectOn(desired, object({ a: 1, list: [{ x: 1, y: 2 }], z: 1 }, "example.com/v1")));
  assert.equal(digestOf(projectOn(desired, object({ a: 1, list: [{ x: 1 }] }, "example.com/v1"))), accepted);
  assert.notEqual(digestOf(projectOn(desired, object({ a: 2, list: [{ x: 1 }] }, "example.com/v1"))), accepted);
  assert.notEqual(digestOf(projectOn(desired, object({ a: 1, list: [] }, "example.com/v1"))), accepted);
});

test("property: an object does not differ from itself, and projects onto itself", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (spec) => {
      const one = object(spec);
      assert.deepEqual(differences(one, one), []);
      assert.equal(canonical(projectOn(one, one)), canonical(one));
    }),
  );
});

test("property: canonical JSON does not depend on the order of keys", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
      const reversed = Object.fromEntries(Object.entries(record).reverse());
      assert.equal(canonical(record), canonical(reversed));
      assert.deepEqual(JSON.parse(canonical(record)), JSON.parse(JSON.stringify(record)));
    }),
  );
});

test("removed fields: those our Apply entry holds and the body no longer has", () => {
  const fieldsV1 = {
    "f:spec": {
      "f:replicas": {},
      "f:gone": {},
      "f:containers": { 'k:{"name":"a"}': { ".": {}, "f:image": {} }, 'k:{"name":"b"}': { ".": {}, "f:name": {} } },
      "f:set": { 'v:"x"': {} },
    },
  };
  const spec = { replicas: 1, gone: 5, containers: [{ name: "a", image: "i" }, { name: "b" }], set: ["x"] };
  const base = object(spec);
  const live = {
    ...base,
    metadata: { name: "a", managedFields: [{ manager: "me", operation: "Apply" as const, fieldsV1 }] },
  };
  const found = removedFields(object({ replicas: 1, containers: [{ name: "a" }], set: [] }), live, "me");
  assert.deepEqual(found.map(({ path }) => formatPath(path)).sort(), [
    "spec.containers[0].image",
    "spec.containers[1]",
    "spec.gone",
    "spec.set[0]",
  ]);
  assert.deepEqual(removedFields(object({}), live, "other"), []);
});

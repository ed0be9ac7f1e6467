/**
 * The comparison must find every kind of difference, and nothing where there is none.
 */
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { compareCase } from "./compare.ts";
import { base, object, testRows } from "./compare-rows.ts";

testRows([
  {
    why: "the same object",
    expected: [object({ data: { a: "1" } })],
    actual: [object({ data: { a: "1" } })],
    finds: [],
  },
  { why: "an object that is not rendered", expected: [object({})], actual: [], finds: ["missing "] },
  { why: "an object that only we render", expected: [], actual: [object({})], finds: ["extra "] },
  { why: "another name", expected: [object({})], actual: [object({}, { name: "b" })], finds: ["missing ", "extra "] },
  {
    why: "another apiVersion",
    expected: [object({})],
    actual: [{ ...object({}), apiVersion: "v2" }],
    finds: ["missing ", "extra "],
  },
  {
    why: "the release's namespace, written or not",
    expected: [object({}, { namespace: "tenant-foo" })],
    actual: [object({})],
    finds: [],
  },
  {
    why: "another namespace",
    expected: [object({}, { namespace: "cozy-public" })],
    actual: [object({})],
    finds: ["missing ", "extra "],
  },
  {
    why: "no namespace in a cluster-scoped kind",
    expected: [object({}, { namespace: "tenant-foo" }, "Namespace")],
    actual: [object({}, {}, "Namespace")],
    finds: [],
  },
  {
    why: "another value",
    expected: [object({ data: { a: "1" } })],
    actual: [object({ data: { a: "2" } })],
    finds: ["differs /data/a"],
  },
  {
    why: "a field left out",
    expected: [object({ data: { a: "1" } })],
    actual: [object({ data: {} })],
    finds: ["missing /data/a"],
  },
  {
    why: "a field too many",
    expected: [object({ data: {} })],
    actual: [object({ data: { a: "1" } })],
    finds: ["extra /data/a"],
  },
  { why: "a number for a text", expected: [object({ x: "1" })], actual: [object({ x: 1 })], finds: ["differs /x"] },
  {
    why: "a text for a flag",
    expected: [object({ x: false })],
    actual: [object({ x: "false" })],
    finds: ["differs /x"],
  },
  { why: "a list for a map", expected: [object({ x: {} })], actual: [object({ x: [] })], finds: ["differs /x"] },
  { why: "numbers of the same value", expected: [object({ x: 1 })], actual: [object({ x: 1.0 })], finds: [] },
  {
    why: "another order in a list",
    expected: [object({ x: [1, 2] })],
    actual: [object({ x: [2, 1] })],
    finds: ["differs /x/0", "differs /x/1"],
  },
  { why: "a shorter list", expected: [object({ x: [1, 2] })], actual: [object({ x: [1] })], finds: ["differs /x"] },
  {
    why: "another order in a map",
    expected: [object({ x: { a: 1, b: 2 } })],
    actual: [object({ x: { b: 2, a: 1 } })],
    finds: [],
  },
  { why: "null for absent", expected: [object({ x: null })], actual: [object({})], finds: [] },
  { why: "null for a value", expected: [object({ x: 1 })], actual: [object({ x: null })], finds: ["missing /x"] },
  { why: "null in a list", expected: [object({ x: [null] })], actual: [object({ x: [1] })], finds: ["differs /x/0"] },
  {
    why: "null below a HelmRelease's values",
    expected: [object({ spec: { values: { x: null } } }, {}, "HelmRelease")],
    actual: [object({ spec: { values: {} } }, {}, "HelmRelease")],
    finds: ["missing /spec/values/x"],
  },
  {
    why: "null elsewhere in a HelmRelease",
    expected: [object({ spec: { timeout: null } }, {}, "HelmRelease")],
    actual: [object({ spec: {} }, {}, "HelmRelease")],
    finds: [],
  },
  { why: "an empty map for absent", expected: [object({ x: {} })], actual: [object({})], finds: ["missing /x"] },
  {
    why: "a key with a slash",
    expected: [object({ data: { "a/b": "1" } })],
    actual: [object({ data: { "a/b": "2" } })],
    finds: ["differs /data/a~1b"],
  },
  {
    why: "lineage labels and the owner annotation",
    expected: [object({})],
    actual: [
      object(
        {},
        {
          labels: {
            "apps.cozystack.io/application.group": "apps.cozystack.io",
            "apps.cozystack.io/application.kind": "Demo",
            "apps.cozystack.io/application.name": "a",
            "internal.cozystack.io/managed-by-cozystack": "true",
            "app.kubernetes.io/managed-by": "cozystack",
          },
          annotations: { "internal.cozystack.io/owner": "x" },
        },
      ),
    ],
    finds: [],
  },
  {
    why: "another label",
    expected: [object({}, { labels: { a: "1" } })],
    actual: [object({}, { labels: { a: "2" } })],
    finds: ["differs /metadata/labels/a"],
  },
  {
    why: "a label like a lineage label",
    expected: [object({})],
    actual: [object({}, { labels: { "apps.cozystack.io/application.other": "x" } })],
    finds: ["extra /metadata/labels"],
  },
  {
    why: "a lineage label in a pod template",
    expected: [object({ spec: { template: { metadata: { labels: {} } } } })],
    actual: [object({ spec: { template: { metadata: { labels: { "app.kubernetes.io/managed-by": "x" } } } } })],
    finds: ["extra /spec/template/metadata/labels/app.kubernetes.io~1managed-by"],
  },
  {
    why: "an owner reference",
    expected: [object({})],
    actual: [object({}, { ownerReferences: [{ kind: "Demo" }] })],
    finds: ["extra /metadata/ownerReferences"],
  },
  {
    why: "Helm's bookkeeping on metadata",
    expected: [object({}, { labels: { a: "1", "helm.sh/chart": "demo-1" } })],
    actual: [object({}, { labels: { a: "1" } })],
    rules: { helmOnly: ["/objects/0/metadata/labels/helm.sh~1chart"] },
    finds: [],
  },
  {
    why: "Helm's bookkeeping in a pod template",
    expected: [object({ spec: { template: { metadata: { labels: { "helm.sh/chart": "demo-1" } } } } })],
    actual: [object({ spec: { template: { metadata: { labels: { "helm.sh/chart": "demo-2" } } } } })],
    rules: { helmOnly: ["/objects/0/spec/template/metadata/labels/helm.sh~1chart"] },
    finds: ["differs /spec/template/metadata/labels/helm.sh~1chart"],
  },
]);

test("an object that is rendered twice is no comparison", () => {
  assert.throws(() => compareCase(base, [object({}), object({ data: {} })]), /rendered twice/);
});

/** Changes one leaf of a JSON value, chosen by `pick`. */
function changeLeaf(value: unknown, pick: number): unknown {
  if (Array.isArray(value) && value.length > 0) {
    const at = pick % value.length;
    return value.map((item: unknown, index) => (index === at ? changeLeaf(item, pick >>> 1) : item));
  }
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    const keys = Object.keys(value);
    const at = keys[pick % keys.length];
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, key === at ? changeLeaf(item, pick >>> 1) : item]),
    );
  }
  return "changed beyond doubt";
}

test("any one changed value is found, and an unchanged object has no difference", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (spec, pick) => {
      const expected = object({ spec });
      assert.deepEqual(compareCase({ ...base, objects: [expected] }, [expected]), []);
      const changed = changeLeaf(spec, pick);
      fc.pre(JSON.stringify(changed) !== JSON.stringify(spec));
      assert.ok(compareCase({ ...base, objects: [expected] }, [object({ spec: changed })]).length > 0);
    }),
  );
});

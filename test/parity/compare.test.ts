/**
 * The comparison must find every kind of difference, and nothing where the rules say that there is none.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import fc from "fast-check";
import type { UnknownObject } from "../../src/kube/object.ts";
import type { ParityCase } from "./case.ts";
import { compareCase } from "./compare.ts";

const base: ParityCase = {
  app: "demo",
  kind: "Demo",
  case: "x",
  chart: { name: "demo", version: "1" },
  release: { name: "demo-a", namespace: "tenant-foo" },
  apis: [],
  values: {},
  cluster: {},
  namespace: {},
  existing: [],
  objects: [],
  volatile: [],
  volatileShape: {},
  volatileRelations: [],
  textHash: [],
  longText: [],
  helmOnly: [],
};

function object(
  fields: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>> = {},
  kind = "ConfigMap",
): UnknownObject {
  const apiVersion = kind === "HelmRelease" ? "helm.toolkit.fluxcd.io/v2" : "v1";
  return { apiVersion, kind, metadata: { name: "a", ...metadata }, ...fields };
}

const sha = (text: string) => createHash("sha256").update(text).digest("hex");

interface Row {
  readonly why: string;
  readonly expected: readonly UnknownObject[];
  readonly actual: readonly UnknownObject[];
  readonly rules?: Partial<ParityCase>;
  /** `kind pointer` of each difference. */
  readonly finds: readonly string[];
}

const rows: readonly Row[] = [
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
  {
    why: "a random value of the right shape",
    expected: [object({ stringData: { p: "abcd" } })],
    actual: [object({ stringData: { p: "WXYZ" } })],
    rules: { volatile: ["/objects/0/stringData/p"], volatileShape: { "/objects/0/stringData/p": "^[A-Za-z]{4}$" } },
    finds: [],
  },
  {
    why: "a random value that is too short",
    expected: [object({ stringData: { p: "abcd" } })],
    actual: [object({ stringData: { p: "abc" } })],
    rules: { volatile: ["/objects/0/stringData/p"], volatileShape: { "/objects/0/stringData/p": "^[A-Za-z]{4}$" } },
    finds: ["differs /stringData/p"],
  },
  {
    why: "a random value in base64",
    expected: [object({ data: { p: "YWJj" } })],
    actual: [object({ data: { p: Buffer.from("xyz").toString("base64") } })],
    rules: { volatile: ["/objects/0/data/p"], volatileShape: { "/objects/0/data/p": "base64 of ^[a-z]{3}$" } },
    finds: [],
  },
  {
    why: "a random value not in base64",
    expected: [object({ data: { p: "YWJj" } })],
    actual: [object({ data: { p: "xyz" } })],
    rules: { volatile: ["/objects/0/data/p"], volatileShape: { "/objects/0/data/p": "base64 of ^[a-z]{3}$" } },
    finds: ["differs /data/p"],
  },
  {
    why: "a certificate where a key belongs",
    expected: [object({ data: { k: "$volatile: base64 of a PEM block: RSA PRIVATE KEY" } })],
    actual: [
      object({
        data: { k: Buffer.from("-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n").toString("base64") },
      }),
    ],
    rules: {
      volatile: ["/objects/0/data/k"],
      volatileShape: { "/objects/0/data/k": "base64 of a PEM block: RSA PRIVATE KEY" },
    },
    finds: ["differs /data/k"],
  },
  {
    why: "a random value that is absent",
    expected: [object({ stringData: { p: "abcd" } })],
    actual: [object({ stringData: {} })],
    rules: { volatile: ["/objects/0/stringData/p"] },
    finds: ["missing /stringData/p"],
  },
  {
    why: "a random value of another type",
    expected: [object({ x: "abcd" })],
    actual: [object({ x: 1 })],
    rules: { volatile: ["/objects/0/x"] },
    finds: ["differs /x"],
  },
  {
    why: "a hash that belongs to its password",
    expected: [object({ h: "x", p: "y" })],
    actual: [object({ h: sha("secret"), p: "secret" })],
    rules: {
      volatile: ["/objects/0/h", "/objects/0/p"],
      volatileRelations: [{ path: "/objects/0/h", sha256hexOf: "/objects/0/p" }],
    },
    finds: [],
  },
  {
    why: "a hash of another password",
    expected: [object({ h: "x", p: "y" })],
    actual: [object({ h: sha("other"), p: "secret" })],
    rules: {
      volatile: ["/objects/0/h", "/objects/0/p"],
      volatileRelations: [{ path: "/objects/0/h", sha256hexOf: "/objects/0/p" }],
    },
    finds: ["differs /h"],
  },
  {
    why: "two values that must be equal",
    expected: [object({ a: "x", b: "x" })],
    actual: [object({ a: "1", b: "2" })],
    rules: {
      volatile: ["/objects/0/a", "/objects/0/b"],
      volatileRelations: [{ path: "/objects/0/a", equals: "/objects/0/b" }],
    },
    finds: ["differs /a"],
  },
  {
    why: "a token without its id",
    expected: [object({ t: "x", i: "x" })],
    actual: [object({ t: "abc.def", i: "xyz" })],
    rules: {
      volatile: ["/objects/0/t", "/objects/0/i"],
      volatileRelations: [{ path: "/objects/0/t", contains: "/objects/0/i" }],
    },
    finds: ["differs /t"],
  },
  {
    why: "a checksum of our own text",
    expected: [object({ sum: "0".repeat(64) })],
    actual: [object({ sum: "a".repeat(64) })],
    rules: { textHash: [{ path: "/objects/0/sum", pattern: "^[0-9a-f]{64}$" }] },
    finds: [],
  },
  {
    why: "a checksum of another form",
    expected: [object({ sum: "0".repeat(64) })],
    actual: [object({ sum: "a" })],
    rules: { textHash: [{ path: "/objects/0/sum", pattern: "^[0-9a-f]{64}$" }] },
    finds: ["differs /sum"],
  },
  {
    why: "a name with another hash, and the reference to it",
    expected: [object({}, { name: "m-111111" }), object({ ref: "m-111111" }, { name: "b" })],
    actual: [object({}, { name: "m-222222" }), object({ ref: "m-222222" }, { name: "b" })],
    rules: {
      textHash: [
        { path: "/objects/0/metadata/name", pattern: "^m-[0-9a-f]{6}$" },
        { path: "/objects/1/ref", pattern: "^m-[0-9a-f]{6}$" },
      ],
    },
    finds: [],
  },
  {
    why: "a reference to another name",
    expected: [object({}, { name: "m-111111" }), object({ ref: "m-111111" }, { name: "b" })],
    actual: [object({}, { name: "m-222222" }), object({ ref: "m-333333" }, { name: "b" })],
    rules: {
      textHash: [
        { path: "/objects/0/metadata/name", pattern: "^m-[0-9a-f]{6}$" },
        { path: "/objects/1/ref", pattern: "^m-[0-9a-f]{6}$" },
      ],
    },
    finds: ["differs /ref"],
  },
  {
    why: "a script of our own",
    expected: [object({ run: { $opaque: "0", purpose: "makes users" } })],
    actual: [object({ run: "echo" })],
    finds: [],
  },
  {
    why: "a script that is missing",
    expected: [object({ run: { $opaque: "0", purpose: "makes users" } })],
    actual: [object({})],
    finds: ["missing /run"],
  },
  {
    why: "a script that is no text",
    expected: [object({ run: { $opaque: "0", purpose: "makes users" } })],
    actual: [object({ run: ["echo"] })],
    finds: ["differs /run"],
  },
  {
    why: "a configuration with the same content",
    expected: [object({ t: "a: 1\nb: [x, y]\n" })],
    actual: [object({ t: "b:\n- x\n- y\na: 1\n" })],
    rules: { longText: ["/objects/0/t"] },
    finds: [],
  },
  {
    why: "a configuration with other content",
    expected: [object({ t: "a: 1\nb: [x, y]\n" })],
    actual: [object({ t: "a: 1\nb: [y, x]\n" })],
    rules: { longText: ["/objects/0/t"] },
    finds: ["differs /t"],
  },
  {
    why: "another text without what does not matter",
    expected: [object({ t: "# one\nlisten 80;\n\n  root /a; \n" })],
    actual: [object({ t: "listen 80;\n# two\n  root /a;" })],
    rules: { longText: ["/objects/0/t"] },
    finds: [],
  },
  {
    why: "another text with another line",
    expected: [object({ t: "listen 80;\n" })],
    actual: [object({ t: "listen 81;\n" })],
    rules: { longText: ["/objects/0/t"] },
    finds: ["differs /t"],
  },
  {
    why: "a text that no rule frees",
    expected: [object({ t: "a: 1\n" })],
    actual: [object({ t: "a: 1" })],
    finds: ["differs /t"],
  },
];

for (const { why, expected, actual, rules, finds } of rows) {
  test(`compare: ${why}`, () => {
    const found = compareCase({ ...base, ...rules, objects: expected }, actual);
    assert.deepEqual(
      found.map((difference) => `${difference.kind} ${difference.pointer}`),
      finds,
    );
  });
}

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

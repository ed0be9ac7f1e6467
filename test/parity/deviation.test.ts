/**
 * A declared deviation accounts for what it names and for nothing else, and is missed when it no longer occurs.
 */
import assert from "node:assert/strict";
import test from "node:test";
import type { Difference } from "./compare-objects.ts";
import { type Deviation, explain, moduleDeviation } from "./deviation.ts";
import { stale, type Verdict } from "./judge.ts";

const names = { case: "one", release: { name: "demo-a", namespace: "tenant-foo" } };
const declared = { class: "design", cases: "all", reason: "because" } as const;

const job: Difference = { object: "batch/v1/Job/tenant-foo/demo-a-init", pointer: "", kind: "missing" };
const image: Difference = {
  object: "apps/v1/Deployment/tenant-foo/demo-a",
  pointer: "/spec/template/spec/containers/0/image",
  kind: "differs",
  actual: "b",
};
const release: Difference = {
  object: "helm.toolkit.fluxcd.io/v2/HelmRelease/tenant-foo/etcd",
  pointer: "",
  kind: "missing",
};
const child: Difference = { object: "apps.cozystack.io/v1alpha1/Etcd/tenant-foo/etcd", pointer: "", kind: "extra" };

interface Row {
  readonly why: string;
  readonly deviation: Deviation;
  readonly differences: readonly Difference[];
  readonly left: readonly Difference[];
}

const rows: readonly Row[] = [
  {
    why: "a whole object",
    deviation: { ...declared, object: "batch/v1/Job/{release}-init", only: "missing" },
    differences: [job, image],
    left: [image],
  },
  {
    why: "a whole object does not account for its fields",
    deviation: { ...declared, object: "apps/v1/Deployment/{release}" },
    differences: [image],
    left: [image],
  },
  {
    why: "a field, any index",
    deviation: { ...declared, object: "apps/v1/Deployment/*", at: "/spec/template/spec/containers/*/image" },
    differences: [image, job],
    left: [job],
  },
  {
    why: "everything below a field",
    deviation: { ...declared, object: "apps/v1/Deployment/*", at: "/spec/template" },
    differences: [image],
    left: [],
  },
  {
    why: "a field does not account for the whole object",
    deviation: { ...declared, object: "batch/v1/Job/*", at: "/spec" },
    differences: [job],
    left: [job],
  },
  {
    why: "a field with its new value",
    deviation: { ...declared, object: "apps/v1/Deployment/*", at: "/spec/template", becomes: "b" },
    differences: [image],
    left: [],
  },
  {
    why: "a field with another value than declared",
    deviation: { ...declared, object: "apps/v1/Deployment/*", at: "/spec/template", becomes: "c" },
    differences: [image],
    left: [image],
  },
  {
    why: "only extra ones",
    deviation: { ...declared, object: "batch/v1/Job/*", only: "extra" },
    differences: [job],
    left: [job],
  },
  {
    why: "another kind of the same name",
    deviation: { ...declared, object: "v1/Job/{release}-init" },
    differences: [job],
    left: [job],
  },
  {
    why: "a star ends at the name",
    deviation: { ...declared, object: "batch/v1/*" },
    differences: [job],
    left: [job],
  },
  {
    why: "another case",
    deviation: { ...declared, cases: ["two"], object: "batch/v1/Job/*" },
    differences: [job],
    left: [job],
  },
  {
    why: "a module and the child that stands for it",
    deviation: moduleDeviation("etcd", "Etcd"),
    differences: [release, child],
    left: [],
  },
  {
    why: "a module without the child",
    deviation: moduleDeviation("etcd", "Etcd"),
    differences: [release],
    left: [release],
  },
  {
    why: "a child without the module",
    deviation: moduleDeviation("etcd", "Etcd"),
    differences: [child],
    left: [child],
  },
  {
    why: "a child of another name",
    deviation: moduleDeviation("info", "Etcd"),
    differences: [release, child],
    left: [release, child],
  },
];

for (const { why, deviation, differences, left } of rows) {
  test(`a declared deviation: ${why}`, () => {
    const explained = explain(differences, [deviation], names);
    assert.deepEqual(explained.left, left);
    assert.equal(explained.used.has(deviation), left.length < differences.length);
  });
}

function verdict(name: string, ...used: readonly Deviation[]): Verdict {
  const empty = { apis: [], values: {}, cluster: {}, namespace: {}, existing: [], objects: [] };
  const none = { volatile: [], volatileShape: {}, volatileRelations: [], textHash: [], longText: [], helmOnly: [] };
  const testCase = {
    app: "demo",
    kind: "Demo",
    chart: { name: "demo", version: "1" },
    release: names.release,
    case: name,
  };
  return { case: { ...testCase, ...empty, ...none }, passed: true, differences: [], used: new Set(used) };
}

const everywhere: Deviation = { ...declared, object: "a/b/c" };
const listed: Deviation = { ...declared, cases: ["one", "two"], object: "a/b/c" };

test("a deviation of all cases must occur in one, when all have run", () => {
  assert.deepEqual(stale([everywhere], [verdict("one", everywhere), verdict("two")], true), []);
  assert.equal(stale([everywhere], [verdict("one"), verdict("two")], true).length, 1);
  assert.deepEqual(stale([everywhere], [verdict("one")], false), []);
});

test("a deviation of listed cases must occur in each that ran", () => {
  assert.deepEqual(stale([listed], [verdict("one", listed), verdict("two", listed)], true), []);
  assert.deepEqual(stale([listed], [verdict("one", listed), verdict("two")], false), ["because (in two)"]);
  assert.deepEqual(stale([listed], [verdict("one", listed)], false), []);
  assert.deepEqual(stale([listed], [verdict("one", listed)], true), ["because (in two)"]);
});

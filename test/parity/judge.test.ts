/**
 * How a case is rendered and judged, with small applications made for it.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { Type } from "typebox";
import { ConfigMap, Secret } from "../../src/kube/kinds/core.ts";
import type { UnknownObject } from "../../src/kube/object.ts";
import { defineApp } from "../../src/sdk/define-app.ts";
import { refuse } from "../../src/sdk/errors.ts";
import { alphanumeric, generatedSecret, required } from "../../src/sdk/needs.ts";
import { appSpec } from "../../src/sdk/spec.ts";
import { parseCase } from "./case.ts";
import type { Deviation } from "./deviation.ts";
import { judge } from "./judge.ts";
import { ancestorsOf } from "./render-case.ts";

const catalog = { title: "Demo", category: "PaaS", summary: "For tests." };

const demo = defineApp({
  kind: "Demo",
  plural: "demos",
  release: "demo-",
  catalog,
  spec: appSpec({ text: Type.String({ default: "a" }) }),
  render: ({ release, spec }) => {
    if (spec.text === "bad")
      refuse({ code: "InvalidValue", field: "spec.text", message: "is bad", remedy: "Be good." });
    if (spec.text === "throw") throw new Error("a fault");
    return [ConfigMap(release, { data: { text: spec.text } })];
  },
});

const keeper = defineApp({
  kind: "Demo",
  plural: "demos",
  release: "demo-",
  catalog,
  spec: appSpec({}),
  needs: ({ release }) => ({
    secret: generatedSecret(`${release}-auth`, { old: alphanumeric(8), fresh: alphanumeric(8) }),
    base: required(ConfigMap, "base"),
  }),
  render: ({ release, needs }) => [Secret(`${release}-auth`, { stringData: { ...needs.secret.values } })],
});

function caseOf(fields: Readonly<Record<string, unknown>>) {
  const file = {
    app: "demo",
    kind: "Demo",
    case: "x",
    chart: { name: "demo", version: "1.2.3" },
    release: { name: "demo-a", namespace: "tenant-foo" },
    capabilities: { apiVersions: [] },
    values: {},
    cluster: {},
    namespace: {},
    existing: [],
    objects: [],
    ...fields,
  };
  return parseCase(JSON.stringify(file), "x.json");
}

const map = (text: string): UnknownObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "demo-a" },
  data: { text },
});
const outcome = (kind: "accepts" | "refuses" | "waits"): Deviation => ({
  class: "design",
  cases: ["x"],
  outcome: kind,
  reason: "because it is so",
});

interface Row {
  readonly why: string;
  readonly app?: typeof demo;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly deviations?: readonly Deviation[];
  readonly server?: boolean;
  readonly passes: boolean;
  readonly problem?: RegExp;
}

const rows: readonly Row[] = [
  { why: "what the case has", fields: { objects: [map("a")] }, passes: true },
  { why: "a value of the case's", fields: { values: { text: "b" }, objects: [map("b")] }, passes: true },
  { why: "something else", fields: { objects: [map("b")] }, passes: false },
  { why: "a refusal that is expected", fields: { values: { text: "bad" }, expectError: "no bad text" }, passes: true },
  { why: "a refusal by the schema", fields: { values: { text: 1 }, expectError: "a text" }, passes: true },
  {
    why: "a refusal that is not expected",
    fields: { values: { text: "bad" }, objects: [map("bad")] },
    passes: false,
    problem: /InvalidValue/,
  },
  {
    why: "a refusal that is declared",
    fields: { values: { text: "bad" }, objects: [map("bad")] },
    deviations: [outcome("refuses")],
    passes: true,
  },
  {
    why: "no refusal where one is expected",
    fields: { expectError: "no text" },
    passes: false,
    problem: /must be refused: no text/,
  },
  { why: "a refusal of the API server's", fields: { expectError: "no text" }, server: true, passes: true },
  { why: "an API server that takes it too", fields: { expectError: "no text" }, server: false, passes: false },
  {
    why: "an acceptance that is declared",
    fields: { expectError: "no text" },
    deviations: [outcome("accepts")],
    passes: true,
  },
  {
    why: "a fault where a refusal is expected",
    fields: { values: { text: "throw" }, expectError: "x" },
    passes: false,
    problem: /a fault/,
  },
  {
    why: "a required object that is not there",
    app: keeper,
    fields: {},
    passes: false,
    problem: /waits for ConfigMap base/,
  },
  {
    why: "waiting that is declared for the case",
    app: keeper,
    fields: {},
    deviations: [outcome("waits")],
    passes: true,
  },
  {
    why: "waiting that is declared for all cases, where upstream renders",
    app: keeper,
    fields: {},
    deviations: [{ ...outcome("waits"), cases: "all" }],
    passes: false,
  },
  {
    why: "waiting that is declared for all cases, where upstream fails",
    app: keeper,
    fields: { expectError: "no base" },
    deviations: [{ ...outcome("waits"), cases: "all" }],
    passes: true,
  },
];

for (const { why, app = demo, fields, deviations = [], server, passes, problem } of rows) {
  test(`the verdict on ${why}`, async () => {
    const verdict = await judge(caseOf(fields), app, deviations, async () => server);
    assert.equal(verdict?.passed, passes, JSON.stringify(verdict?.differences));
    if (problem !== undefined) assert.match(verdict?.problem ?? "", problem);
  });
}

test("a Secret that exists keeps its values; what it lacks is made, the same in every run", async () => {
  const base = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "base", namespace: "tenant-foo" } };
  const live = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "demo-a-auth", namespace: "tenant-foo" },
    data: { old: Buffer.from("kept").toString("base64"), other: Buffer.from("too").toString("base64") },
  };
  const expected = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "demo-a-auth" },
    stringData: { old: "kept", other: "too", fresh: "?" },
  };
  const testCase = caseOf({
    existing: [base, live],
    objects: [expected],
    volatile: ["/objects/0/stringData/fresh"],
    volatileShape: { "/objects/0/stringData/fresh": "^[A-Za-z0-9]{8}$" },
  });
  const verdict = await judge(testCase, keeper, []);
  const left = verdict?.differences.filter((one) => one.object.includes("Secret"));
  assert.deepEqual(left, []);
});

test("a required object that is declared as assumed is there, with nothing but its name", async () => {
  const assumed: Deviation = { class: "design", cases: "all", assumes: "v1/ConfigMap/*", reason: "we insist on it" };
  const verdict = await judge(caseOf({}), keeper, [assumed]);
  assert.equal(verdict?.problem, undefined);
  assert.ok(verdict?.used.has(assumed));
});

test("a file that is no case is refused", () => {
  assert.throws(() => parseCase('{"app":"x"}', "x.json"), /x\.json is no parity case/);
});

const ancestry = [
  ["tenant-root", []],
  ["tenant-foo", ["tenant-root"]],
  ["tenant-foo-bar", ["tenant-root", "tenant-foo"]],
  ["tenant-foo-bar-baz", ["tenant-root", "tenant-foo", "tenant-foo-bar"]],
  ["default", []],
] as const;
for (const [namespace, ancestors] of ancestry) {
  test(`the namespaces above ${namespace}`, () => assert.deepEqual(ancestorsOf(namespace), ancestors));
}

/**
 * What the definitions promise, in the real API server: growth, immutability against every bypass, names of map keys, nulls,
 * defaults. Over a kind of this test alone.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import Type from "typebox";
import { testEngine } from "../../test/support/engine.ts";
import { eventually } from "../../test/support/eventually.ts";
import { CustomResourceDefinition } from "../kube/core-kinds.ts";
import { defineKind } from "../kube/define-kind.ts";
import { isApiError } from "../kube/errors.ts";
import type { KubeObject } from "../kube/object.ts";
import { readSpec } from "./check.ts";
import { defineApp } from "./define-app.ts";
import {
  appSpec,
  flag,
  group,
  growOnly,
  immutable,
  listOf,
  mapOf,
  open,
  requires,
  rule,
  storageClassName,
  text,
  volumeSize,
} from "./spec.ts";

interface Thing extends KubeObject {
  readonly spec?: unknown;
}

const app = defineApp({
  group: `t${randomBytes(4).toString("hex")}.test.cozystack.io`,
  kind: "Thing",
  plural: "things",
  release: "thing-",
  catalog: { title: "Thing", category: "PaaS", summary: "A thing" },
  spec: appSpec(
    {
      size: volumeSize({ default: "1Gi", none: true }),
      log: volumeSize({ default: "1Gi" }),
      volumes: listOf(open({ size: volumeSize({ required: true }) }), { maxItems: 5 }),
      storageClass: immutable(storageClassName()),
      note: immutable(text({ maxLength: 20 })),
      nested: group({ kept: immutable(text({ maxLength: 20 })), open: flag({ default: false }) }),
      users: mapOf(open({ "first-name": immutable(text({ maxLength: 20 })) }), {
        maxProperties: 5,
        keyPattern: "^[a-z]+$",
      }),
      disks: listOf(text({ required: true, maxLength: 10 }), { maxItems: 5 }),
      mode: text({ default: "a", maxLength: 5 }),
      exact: Type.Optional(Type.Object({ known: Type.Optional(Type.String()) })),
    },
    [
      growOnly("size"),
      growOnly("log"),
      rule({ path: "disks", rule: "self.all(d, self.exists_one(o, o == d))", message: "a disk is listed twice" }),
      requires({
        field: "disks",
        when: "self.mode == 'b'",
        must: "size(self.disks) > 0",
        message: "mode b needs a disk",
      }),
    ],
  ),
  render: () => [],
});

const definition = app.crd();
const Thing = defineKind<Thing>({
  group: app.group,
  version: "v1alpha1",
  kind: "Thing",
  plural: "things",
  namespaced: true,
});

// Before the engine registers its own hook, which closes the clients.
after(async () => {
  await client.delete(CustomResourceDefinition, definition.metadata.name);
});
const engine = await testEngine();
const client = engine.client();
const namespace = await engine.namespace("rules");

before(async () => {
  // Without the label that guards it against deletion.
  await client.apply(
    CustomResourceDefinition,
    CustomResourceDefinition(definition.metadata.name, { spec: definition.spec }),
  );
  for (;;) {
    try {
      await client.list(Thing, { namespace });
      return;
    } catch (error) {
      if (!isApiError(error, "Unserved", "NotFound")) throw error;
      await sleep(20);
    }
  }
});

interface Row {
  readonly why: string;
  readonly from: object;
  /** A merge patch of the spec. */
  readonly patch?: object;
  readonly refused?: RegExp;
}

const rows: readonly Row[] = [
  { why: "a size that grows", from: { size: "1Gi" }, patch: { size: "2Gi" } },
  { why: "the same size in other words", from: { size: "1Gi" }, patch: { size: "1024Mi" } },
  {
    why: "a size that shrinks",
    from: { size: "2Gi" },
    patch: { size: "1Gi" },
    refused: /spec\.size.*can grow but not shrink/,
  },
  { why: "from a number to a larger text", from: { size: 1024 }, patch: { size: "2Ki" } },
  {
    why: "from a text to a smaller number",
    from: { size: "2Ki" },
    patch: { size: 1024 },
    refused: /can grow but not shrink/,
  },
  {
    why: "a size taken away falls back to the default",
    from: { size: "2Gi" },
    patch: { size: null },
    refused: /can grow/,
  },

  { why: "an immutable field set on creation", from: { storageClass: "fast" }, patch: { storageClass: "fast" } },
  {
    why: "an immutable field changed",
    from: { storageClass: "fast" },
    patch: { storageClass: "slow" },
    refused: /storageClass is immutable/,
  },
  {
    why: "an immutable field removed, where the default takes its place",
    from: { storageClass: "fast" },
    patch: { storageClass: null },
    refused: /storageClass is immutable/,
  },
  {
    why: "an immutable field without a default removed",
    from: { note: "a" },
    patch: { note: null },
    refused: /spec\.note: .*note is immutable/,
  },
  {
    why: "an immutable field without a default added later",
    from: {},
    patch: { note: "a" },
    refused: /note is immutable/,
  },
  {
    why: "an immutable field below a group removed with it",
    from: { nested: { kept: "a" } },
    patch: { nested: null },
    refused: /spec\.nested\.kept: .*kept is immutable/,
  },
  {
    why: "an immutable field of a map's value changed",
    from: { users: { a: { "first-name": "x" } } },
    patch: { users: { a: { "first-name": "y" } } },
    refused: /first-name is immutable/,
  },
  {
    why: "an immutable field of a map's value removed, its name with a dash",
    from: { users: { a: { "first-name": "x" } } },
    patch: { users: { a: { "first-name": null } } },
    refused: /spec\.users\[a\]\.first-name: .*first-name is immutable/,
  },
  {
    why: "the value taken away as a whole",
    from: { users: { a: { "first-name": "x" } } },
    patch: { users: { a: null } },
  },

  { why: "a name of the right form", from: { users: { abc: {} } } },
  { why: "a name of another form", from: { users: { ABC: {} } }, refused: /spec\.users.*every name must match/ },
  { why: "a rule on a list", from: { disks: ["a", "a"] }, refused: /spec\.disks.*listed twice/ },
  { why: "a condition over two fields", from: { mode: "b" }, refused: /spec\.disks: .*mode b needs a disk/ },
  { why: "the same, met", from: { mode: "b", disks: ["a"] } },
  { why: "a wrong type", from: { mode: 5 }, refused: /spec\.mode/ },
  { why: "no quantity", from: { size: "much" }, refused: /spec\.size/ },
  {
    why: "no quantity, told once",
    from: { log: "much" },
    refused: /is invalid: spec\.log: Invalid value: "much": spec\.log in body should match '[^']+'$/,
  },

  ...["0", "0Gi", "0.0", "+0", "0e5", "00m", ".0Mi"].map((log) => ({
    why: `a volume of ${log}`,
    from: { log },
    refused: /spec\.log: .*the size of a volume must be more than 0/,
  })),
  { why: "a volume of the number 0", from: { log: 0 }, refused: /spec\.log: .*must be more than 0/ },
  { why: "a volume of less than nothing, as a number", from: { log: -1 }, refused: /spec\.log/ },
  { why: "a volume of less than nothing, as a text", from: { log: "-1Gi" }, refused: /spec\.log/ },
  {
    why: "a volume of nothing in a list",
    from: { volumes: [{ size: "1Gi" }, { size: "0" }] },
    refused: /spec\.volumes\[1\]\.size: .*should match/,
  },
  { why: "a volume of the number 0 in a list", from: { volumes: [{ size: 0 }] }, refused: /spec\.volumes\[0\]\.size/ },
  ...["1", "0.5Gi", "+5Gi", "0001m", ".5Mi", "10e3", "5.", "0.05"].map((log) => ({
    why: `a volume of ${log}, in a list or not`,
    from: { log, volumes: [{ size: log }] },
  })),
  { why: "no volume, where that is possible", from: { size: 0 } },
  { why: "no volume, written as a text", from: { size: "0" }, refused: /write the number 0, without quotes/ },
];

for (const { why, from, patch, refused } of rows) {
  test(`${why} ${refused === undefined ? "passes" : "is refused"}`, async () => {
    const name = `thing-${randomBytes(4).toString("hex")}`;
    const act = async () => {
      await client.create(Thing, Thing(name, { namespace, spec: from }));
      if (patch !== undefined) await client.mergePatch(Thing, name, namespace, { spec: patch });
    };
    if (refused === undefined) return act();
    await assert.rejects(act, (error: Error) => {
      assert.match(error.message, refused);
      return true;
    });
  });
}

const stored = [
  { why: "nothing at all", spec: undefined },
  { why: "an empty spec", spec: {} },
  { why: "null for a field with a default", spec: { mode: null } },
  { why: "null for a group", spec: { nested: null } },
  { why: "null in a map", spec: { users: { a: null } } },
  { why: "a group in part", spec: { nested: { kept: "x" } } },
  { why: "null where it takes the default away", spec: { size: null } },
];

for (const { why, spec } of stored) {
  test(`what is stored for ${why} reads as what was written`, async () => {
    const thing = Thing("x", { namespace, ...(spec === undefined ? {} : { spec }) });
    const live = await client.create(Thing, thing, { dryRun: true });
    assert.deepEqual(readSpec(app.schema, live.spec), readSpec(app.schema, spec));
  });
}

test("a size of null neither blocks later edits nor is compared", async () => {
  await client.create(Thing, Thing("nothing", { namespace, spec: { size: null } }));
  await client.mergePatch(Thing, "nothing", namespace, { spec: { mode: "c" } });
  const size = (value: unknown) =>
    client.jsonPatch(Thing, "nothing", namespace, [{ op: "replace", path: "/spec/size", value }]);
  await size("5Gi");
  await size(null);
  await size("1Gi");
});

for (const spec of [{ log: "0" }, { log: 0 }, { size: "0Gi" }, { volumes: [{ size: "0" }] }]) {
  test(`a volume of nothing is refused where no API server was asked: ${JSON.stringify(spec)}`, () => {
    assert.throws(() => readSpec(app.schema, spec), /: the size of a volume must be more than 0/);
  });
}

test("a volume of nothing that is stored from before the rule blocks no other edit", async () => {
  const [version] = definition.spec.versions;
  const schema = version?.schema?.openAPIV3Schema;
  assert.ok(version !== undefined && schema !== undefined);
  const properties = schema.properties?.["spec"]?.properties;
  const serve = (log: object) =>
    client.mergePatch(CustomResourceDefinition, definition.metadata.name, undefined, {
      spec: {
        versions: [
          {
            ...version,
            schema: {
              openAPIV3Schema: {
                ...schema,
                properties: {
                  ...schema.properties,
                  spec: { ...schema.properties?.["spec"], properties: { ...properties, log } },
                },
              },
            },
          },
        ],
      },
    });
  await serve({ "x-kubernetes-int-or-string": true });
  const create = () => client.create(Thing, Thing("from-before", { namespace, spec: { log: "0" } }));
  await eventually("the API server has forgotten the rule", () =>
    create().then(
      () => true,
      () => false,
    ),
  );
  await serve(properties?.["log"] ?? {});
  await eventually("the API server knows the rule again", () =>
    client.create(Thing, Thing("another", { namespace, spec: { log: "0" } }), { dryRun: true }).then(
      () => false,
      () => true,
    ),
  );
  await client.mergePatch(Thing, "from-before", namespace, { spec: { mode: "c" } });
  await client.mergePatch(Thing, "from-before", namespace, { spec: { log: "1Gi" } });
});

test("an exponent that takes minutes to read is not read", async () => {
  await client.create(Thing, Thing("long", { namespace, spec: { log: "1Gi" } }));
  const started = performance.now();
  await client.mergePatch(Thing, "long", namespace, { spec: { log: "1e9999999" } }, { dryRun: true });
  assert.ok(performance.now() - started < 2000, "the API server computed it");
});

test("fields that are not known are kept, under every kind of write", async () => {
  const spec = { typo: 1, nested: { typo: 2 }, users: { a: { typo: 3 } } };
  const created = await client.create(Thing, Thing("x", { namespace, spec }), { dryRun: true });
  const applied = await client.apply(Thing, Thing("y", { namespace, spec }), { dryRun: true });
  const expected = { ...readSpec(app.schema, {}), ...spec, nested: { open: false, typo: 2 } };
  for (const { spec: live } of [created, applied]) assert.deepEqual(live, expected);
});

test("null for a field without a default is dropped by the API server, and refused where we read it ourselves", async () => {
  const live = await client.create(Thing, Thing("x", { namespace, spec: { note: null } }), { dryRun: true });
  assert.deepEqual(live.spec, readSpec(app.schema, {}));
  assert.throws(() => readSpec(app.schema, { note: null }), { code: "InvalidSpec", field: "spec.note" });
});

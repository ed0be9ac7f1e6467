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
  quantity,
  requires,
  rule,
  storageClassName,
  text,
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
      size: quantity({ default: "1Gi", nullable: true }),
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
      rule({ path: "disks", rule: "self.all(d, self.exists_one(o, o == d))", message: "a disk is listed twice" }),
      requires({ when: "self.mode == 'b'", must: "size(self.disks) > 0", message: "mode b needs a disk" }),
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
    refused: /note is immutable/,
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
    refused: /kept is immutable/,
  },
  {
    why: "an immutable field of a map's value changed",
    from: { users: { a: { "first-name": "x" } } },
    patch: { users: { a: { "first-name": "y" } } },
    refused: /first-name is immutable/,
  },
  {
    why: "the value taken away as a whole",
    from: { users: { a: { "first-name": "x" } } },
    patch: { users: { a: null } },
  },

  { why: "a name of the right form", from: { users: { abc: {} } } },
  { why: "a name of another form", from: { users: { ABC: {} } }, refused: /spec\.users.*every name must match/ },
  { why: "a rule on a list", from: { disks: ["a", "a"] }, refused: /spec\.disks.*listed twice/ },
  { why: "a condition over two fields", from: { mode: "b" }, refused: /mode b needs a disk/ },
  { why: "the same, met", from: { mode: "b", disks: ["a"] } },
  { why: "a wrong type", from: { mode: 5 }, refused: /spec\.mode/ },
  { why: "no quantity", from: { size: "much" }, refused: /spec\.size/ },
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

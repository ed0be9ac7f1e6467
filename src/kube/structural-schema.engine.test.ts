import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import Type from "typebox";
import { testEngine } from "../../test/support/engine.ts";
import { CustomResourceDefinition } from "./core-kinds.ts";
import { defineKind } from "./define-kind.ts";
import { type ApiErrorCode, isApiError } from "./errors.ts";
import type { Kind, KubeObject } from "./object.ts";
import { structuralSchema } from "./structural-schema.ts";
import { systemWorld } from "./world.ts";

const engine = await testEngine();
const client = engine.client("mine");
const failsWith =
  (...codes: ApiErrorCode[]) =>
  (error: unknown) =>
    isApiError(error, ...codes);

interface Widget extends KubeObject {
  readonly spec?: { readonly size?: number; readonly name?: string; readonly list?: readonly object[] };
  readonly status?: { readonly ready?: boolean };
}
const group = `w${Date.now()}.example.org`;
const Widget = defineKind<Widget>({ group, version: "v1", kind: "Widget", plural: "widgets", namespaced: true });

/** Every keyword the emitter lets through, so that the API server is the judge of all of them. */
const everything = Type.Object({
  size: Type.Optional(
    Type.Integer({ minimum: 1, exclusiveMaximum: 100, multipleOf: 1, description: "d", format: "int32" }),
  ),
  name: Type.String({ minLength: 1, maxLength: 9, pattern: "^(?:[a-z]|\\d)+$", default: "a", title: "t" }),
  mode: Type.Optional(Type.Enum(["x", "y"])),
  amount: Type.Optional(
    Type.Union([Type.Integer(), Type.String()], { "x-kubernetes-int-or-string": true, pattern: "^[0-9]+(Gi)?$" }),
  ),
  ratio: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1, nullable: true })),
  on: Type.Boolean({ default: false }),
  labels: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 63 }), {
      maxProperties: 8,
      "x-kubernetes-map-type": "granular",
    }),
  ),
  list: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), port: Type.Integer({ default: 80 }) }), {
      minItems: 0,
      maxItems: 4,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name", "port"],
    }),
  ),
  set: Type.Optional(Type.Array(Type.String({ maxLength: 9 }), { maxItems: 3, "x-kubernetes-list-type": "set" })),
  open: Type.Optional(
    Type.Object({ known: Type.Optional(Type.String()) }, { "x-kubernetes-preserve-unknown-fields": true }),
  ),
  anything: Type.Optional(Type.Unsafe<unknown>({ "x-kubernetes-preserve-unknown-fields": true })),
  embedded: Type.Optional(
    Type.Object({}, { "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true }),
  ),
});

before(async () => {
  const spec = structuralSchema(
    Type.Object(
      { ...everything.properties },
      {
        "x-kubernetes-validations": [
          {
            rule: "!has(self.size) || self.size != 13",
            message: "not 13",
            reason: "FieldValueInvalid",
            fieldPath: ".size",
          },
        ],
      },
    ),
  );
  const status = structuralSchema(Type.Object({ ready: Type.Optional(Type.Boolean()) }));
  await client.apply(
    CustomResourceDefinition,
    CustomResourceDefinition(`widgets.${group}`, {
      spec: {
        group,
        scope: "Namespaced",
        names: { kind: "Widget", plural: "widgets", singular: "widget" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: { openAPIV3Schema: { type: "object", properties: { spec, status } } },
          },
        ],
      },
    }),
  );
  for (let tries = 0; ; tries += 1) {
    const served = await client.list(Widget).catch((error: unknown) => error);
    if (!isApiError(served, "Unserved")) break;
    assert.ok(tries < 100, "the definition is not served");
    await systemWorld.sleep(50);
  }
});
after(() => engine.client().delete(CustomResourceDefinition, `widgets.${group}`));

test("the API server accepts every keyword the emitter lets through, without a condition against it", async () => {
  const definition = await client.get(CustomResourceDefinition, `widgets.${group}`);
  const conditions = definition?.status?.conditions ?? [];
  assert.deepEqual(
    conditions.filter((one) => one.type === "NonStructuralSchema"),
    [],
  );
  const namespace = await engine.namespace("widget");
  const made = await client.create(Widget, Widget("w", { namespace, spec: { list: [{ name: "a" }] } }));
  assert.deepEqual(made.spec, { list: [{ name: "a", port: 80 }], name: "a", on: false });
});

test("a refused field is named, with the rule's message", async () => {
  const namespace = await engine.namespace("widget");
  await assert.rejects(client.create(Widget, Widget("w", { namespace, spec: { size: 13 } })), (error) => {
    return (
      isApiError(error, "Invalid") &&
      error.causes.some((one) => one.field === "spec.size" && /not 13/.test(one.message ?? ""))
    );
  });
});

test("a custom resource's list is paged to its end too", async () => {
  const namespace = await engine.namespace("list");
  for (const name of ["a", "b", "c", "d", "e"]) await client.apply(Widget, Widget(name, { namespace }));
  const { items } = await client.list(Widget, { namespace, pageSize: 2 });
  assert.equal(items.length, 5);
});

test("unknown fields are refused by default, and dropped when asked", async () => {
  const namespace = await engine.namespace("strict");
  const Untyped: Kind = { group, version: "v1", kind: "Widget", plural: "widgets", namespaced: true };
  const body = { ...Widget("w", { namespace }), spec: { colour: "red" } };
  await assert.rejects(client.create(Untyped, body), failsWith("BadRequest"));
  const made = await client.create(Untyped, body, { fieldValidation: "Ignore" });
  assert.deepEqual(made.spec, { name: "a", on: false });
});

test("status is written through its subresource only", async () => {
  const namespace = await engine.namespace("status");
  const made = await client.create(Widget, Widget("w", { namespace, spec: {}, status: { ready: true } }));
  assert.equal(made.status, undefined);
  const written = await client.apply(Widget, Widget("w", { namespace, status: { ready: true } }), {
    subresource: "status",
  });
  assert.deepEqual([written.status, written.metadata.generation], [{ ready: true }, 1]);
  const merged = await client.mergePatch(
    Widget,
    "w",
    namespace,
    { status: { ready: false } },
    { subresource: "status" },
  );
  assert.equal(merged.status?.ready, false);
});

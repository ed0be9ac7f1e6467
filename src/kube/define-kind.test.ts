import assert from "node:assert/strict";
import test from "node:test";
import { defineKind } from "./define-kind.ts";
import type { Kind, KubeObject } from "./object.ts";

interface WidgetObject extends KubeObject {
  readonly spec: { readonly size: number; readonly colour?: string };
  readonly status?: { readonly ready: boolean };
}
interface MarkObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const Widget = defineKind<WidgetObject>({
  group: "example.org",
  version: "v1alpha1",
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
});
const Mark = defineKind<MarkObject>({ group: "", version: "v1", kind: "Mark", plural: "marks", namespaced: false });

test("a kind makes objects with apiVersion, kind and name filled in", () => {
  assert.deepEqual(Widget("a", { spec: { size: 1 } }), {
    apiVersion: "example.org/v1alpha1",
    kind: "Widget",
    metadata: { name: "a" },
    spec: { size: 1 },
  });
});

test("a shorthand wins over metadata, what is absent stays absent", () => {
  const made = Widget("a", {
    namespace: "ns",
    labels: { a: "1" },
    metadata: { labels: { b: "2" }, finalizers: ["x/y"] },
    spec: { size: 2, colour: "red" },
  });
  assert.deepEqual(made.metadata, { name: "a", labels: { a: "1" }, finalizers: ["x/y"], namespace: "ns" });
});

test("the body may be left out where nothing in it is required", () => {
  assert.deepEqual(Mark("m"), { apiVersion: "v1", kind: "Mark", metadata: { name: "m" } });
});

test("a kind is a value of type Kind and cannot be changed", () => {
  const kind: Kind<KubeObject> = Widget;
  assert.deepEqual(
    [kind.group, kind.version, kind.kind, kind.plural, kind.namespaced],
    ["example.org", "v1alpha1", "Widget", "widgets", true],
  );
  assert.ok(Object.isFrozen(kind));
});

test("a wrong field does not compile", () => {
  // @ts-expect-error: `colour` is a string
  Widget("a", { spec: { size: 1, colour: 3 } });
  // @ts-expect-error: `spec` is required
  assert.ok(Widget("a"));
  assert.ok(Widget);
});

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { ConfigMap, Secret } from "../../contracts/core.ts";
import type { JsonPatch } from "../../kube/client.ts";
import { isRecord } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { changeOf, type Edit, fieldAt, patchOf } from "./writes.ts";

const object = (fields: object): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  ...fields,
  metadata: {
    name: "a",
    resourceVersion: "7",
    ...("metadata" in fields && isRecord(fields.metadata) ? fields.metadata : {}),
  },
});

/** What the API server makes of a patch, for patches without lists. */
function patched(live: unknown, patch: JsonPatch): unknown {
  return patch.reduce((now, operation) => {
    const path = operation.path
      .split("/")
      .slice(1)
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (operation.op === "test") {
      assert.deepEqual(fieldAt(now, path), operation.value);
      return now;
    }
    const set = (value: unknown, [key = "", ...rest]: readonly string[]): unknown => {
      assert.ok(isRecord(value), `no object at ${key} of ${operation.path}`);
      if (rest.length > 0) return { ...value, [key]: set(value[key], rest) };
      const { [key]: before, ...others } = value;
      if (operation.op === "remove") assert.notEqual(before, undefined, "nothing to remove");
      return operation.op === "remove" ? others : { ...others, [key]: operation.value };
    };
    return set(now, path);
  }, live);
}

test("a patch holds for one version of the object, and makes what is missing on the way", () => {
  const live = object({ metadata: { labels: { "a/b": "c" } } });
  const patch = patchOf(live, [
    { path: ["metadata", "annotations", "x/y"], to: "1" },
    { path: ["metadata", "annotations", "z~"], to: "2" },
    { path: ["metadata", "labels", "a/b"], to: undefined },
    { path: ["metadata", "labels", "not-there"], to: undefined },
  ]);
  assert.deepEqual(patch, [
    { op: "test", path: "/metadata/resourceVersion", value: "7" },
    { op: "add", path: "/metadata/annotations", value: {} },
    { op: "add", path: "/metadata/annotations/x~1y", value: "1" },
    { op: "add", path: "/metadata/annotations/z~0", value: "2" },
    { op: "remove", path: "/metadata/labels/a~1b" },
  ]);
});

test("an item of a list is replaced, not put before another", () => {
  const patch = patchOf(object({ data: { list: ["a", "b"] } }), [{ path: ["data", "list", 1], to: "c" }]);
  assert.deepEqual(patch.at(-1), { op: "replace", path: "/data/list/1", value: "c" });
});

test("whatever the object has, a patch leaves it with what was asked, and with all else as it was", () => {
  const key = fc.constantFrom("a", "b", "c/d");
  const leaf = fc.option(fc.constantFrom("1", "2"), { nil: undefined });
  const tree = fc.dictionary(key, fc.dictionary(key, fc.dictionary(key, fc.constantFrom("1", "2"))));
  const paths = fc.uniqueArray(fc.tuple(key, key, key), { selector: (path) => path.join(), maxLength: 5 });
  fc.assert(
    fc.property(tree, paths, fc.array(leaf, { minLength: 5, maxLength: 5 }), (data, where, values) => {
      const live = object({ data });
      const edits: readonly Edit[] = where.map((path, index) => ({ path: ["data", ...path], to: values[index] }));
      const after = patched(live, patchOf(live, edits));
      for (const { path, to } of edits) assert.deepEqual(fieldAt(after, path), to);
      const untouched = Object.entries(data).flatMap(([a, below]) =>
        Object.entries(below).flatMap(([b, leaves]) => Object.keys(leaves).map((c) => [a, b, c] as const)),
      );
      for (const path of untouched) {
        if (where.some((edited) => edited.join() === path.join())) continue;
        assert.deepEqual(fieldAt(after, ["data", ...path]), fieldAt(live, ["data", ...path]));
      }
    }),
  );
});

test("values of Secrets are in no change", () => {
  const live = { ...Secret("s", { namespace: "n", data: { key: "b2xk" } }) };
  const change = changeOf({
    do: "edit",
    kind: Secret,
    live,
    edits: () => [
      { path: ["data", "key"], to: "bmV3" },
      { path: ["data", "more"], to: "bW9yZQ==" },
    ],
    because: "x",
  });
  assert.doesNotMatch(JSON.stringify(change), /b2xk|bmV3|bW9yZQ/);
  assert.deepEqual(
    change.fields.map(({ path }) => path),
    ["data.key", "data.more"],
  );
  const made = changeOf({ do: "create", kind: Secret, object: live, because: "x" });
  assert.doesNotMatch(JSON.stringify(made), /b2xk/);
});

test("a change says what becomes of the object", () => {
  const live = ConfigMap("a", { namespace: "n", data: { x: "1" } });
  const edited = changeOf({
    do: "edit",
    kind: ConfigMap,
    live,
    edits: () => [{ path: ["data", "x"], to: undefined }],
    because: "b",
  });
  assert.deepEqual(edited.fields, [{ path: "data.x", from: "1", impact: "inPlace" }]);
  assert.equal(changeOf({ do: "delete", kind: ConfigMap, live, because: "b" }).action, "delete");
});

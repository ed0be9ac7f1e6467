import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { StatusError } from "../status.ts";
import { jsonPatch } from "./json-patch.ts";
import { mergePatch, strategicMergePatch } from "./merge-patch.ts";

const target = { a: { b: 1, "c/d": 2, "e~f": 3 }, list: [1, 2, 3] };

const works = [
  { why: "add a member", patch: [{ op: "add", path: "/x", value: 1 }], gives: { ...target, x: 1 } },
  { why: "add replaces a member", patch: [{ op: "add", path: "/list", value: [] }], gives: { ...target, list: [] } },
  {
    why: "insert into a list",
    patch: [{ op: "add", path: "/list/1", value: 9 }],
    gives: { ...target, list: [1, 9, 2, 3] },
  },
  { why: "append", patch: [{ op: "add", path: "/list/-", value: 9 }], gives: { ...target, list: [1, 2, 3, 9] } },
  { why: "escaped slash", patch: [{ op: "remove", path: "/a/c~1d" }], gives: { ...target, a: { b: 1, "e~f": 3 } } },
  {
    why: "escaped tilde",
    patch: [{ op: "replace", path: "/a/e~0f", value: 0 }],
    gives: { ...target, a: { ...target.a, "e~f": 0 } },
  },
  { why: "remove from a list", patch: [{ op: "remove", path: "/list/0" }], gives: { ...target, list: [2, 3] } },
  {
    why: "move",
    patch: [{ op: "move", from: "/a/b", path: "/b" }],
    gives: { a: { "c/d": 2, "e~f": 3 }, list: [1, 2, 3], b: 1 },
  },
  { why: "copy", patch: [{ op: "copy", from: "/a/b", path: "/list/0" }], gives: { ...target, list: [1, 1, 2, 3] } },
  { why: "test passes", patch: [{ op: "test", path: "/list", value: [1, 2, 3] }], gives: target },
  { why: "the whole document", patch: [{ op: "replace", path: "", value: { y: 1 } }], gives: { y: 1 } },
  { why: "a null value", patch: [{ op: "add", path: "/n", value: null }], gives: { ...target, n: null } },
];
for (const { why, patch, gives } of works) {
  test(`JSON patch: ${why}`, () => {
    const copy = structuredClone(target);
    assert.deepEqual(jsonPatch(target, patch), gives);
    assert.deepEqual(target, copy, "the target is not changed in place");
  });
}

const fails = [
  { why: "a test that fails", patch: [{ op: "test", path: "/a/b", value: 2 }], status: 422 },
  { why: "nothing to remove", patch: [{ op: "remove", path: "/x" }], status: 422 },
  { why: "nothing to replace", patch: [{ op: "replace", path: "/x", value: 1 }], status: 422 },
  { why: "beyond the list", patch: [{ op: "add", path: "/list/4", value: 1 }], status: 422 },
  { why: "no number", patch: [{ op: "remove", path: "/list/01" }], status: 422 },
  { why: "below a number", patch: [{ op: "add", path: "/a/b/c", value: 1 }], status: 422 },
  { why: "the prototype", patch: [{ op: "replace", path: "/__proto__/x", value: 1 }], status: 422 },
  { why: "an unknown operation", patch: [{ op: "spin", path: "/a" }], status: 400 },
  { why: "no pointer", patch: [{ op: "remove", path: "a" }], status: 400 },
  { why: "no value", patch: [{ op: "add", path: "/a" }], status: 400 },
  { why: "no list", patch: { op: "remove", path: "/a" }, status: 400 },
  { why: "too long", patch: Array.from({ length: 10_001 }, () => ({ op: "test", path: "", value: 1 })), status: 400 },
];
for (const { why, patch, status } of fails) {
  test(`JSON patch refuses: ${why}`, () => {
    assert.throws(
      () => jsonPatch(target, patch),
      (error) => error instanceof StatusError && error.status === status && !error.message.includes("secret"),
    );
  });
}

test("JSON patch: a failure names the place and never the value", () => {
  const patch = [{ op: "test", path: "/data/password", value: "guess" }];
  assert.throws(
    () => jsonPatch({ data: { password: "hunter2" } }, patch),
    (error) => {
      assert.ok(error instanceof StatusError);
      assert.match(error.message, /\/data\/password/);
      assert.doesNotMatch(error.message, /hunter2|guess/);
      return true;
    },
  );
});

test("merge patch: the examples of RFC 7386", () => {
  const examples: readonly (readonly [unknown, unknown, unknown])[] = [
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [before, patch, after] of examples) assert.deepEqual(mergePatch(before, patch), after);
});

test("strategic merge patch: directives for maps are carried out, those for lists change nothing", () => {
  const secret = { data: { a: "1", b: "2" }, metadata: { labels: { x: "1", y: "2" } } };
  const patched = (patch: unknown) => strategicMergePatch(secret, patch);
  assert.deepEqual(patched({ data: { $patch: "replace", c: "3" } }), { ...secret, data: { c: "3" } });
  assert.deepEqual(patched({ data: { $patch: "delete" } }), { ...secret, data: {} });
  assert.deepEqual(patched({ data: { $retainKeys: ["a"], c: "3" } }), { ...secret, data: { a: "1", c: "3" } });
  assert.deepEqual(patched({ data: { $patch: "merge", a: null } }), { ...secret, data: { b: "2" } });
  assert.deepEqual(patched({ metadata: { "$setElementOrder/finalizers": ["f"], labels: { x: "9" } } }), {
    ...secret,
    metadata: { labels: { x: "9", y: "2" } },
  });
  assert.throws(() => patched({ data: { $patch: "explode" } }), StatusError);
});

test("without directives a strategic merge patch of maps is a merge patch", () => {
  const json = fc.object({
    key: fc.string().filter((key) => !key.startsWith("$") && key !== "__proto__"),
    values: [fc.string(), fc.constant(null)],
    maxDepth: 3,
  });
  fc.assert(
    fc.property(json, json, (before, patch) =>
      assert.deepEqual(strategicMergePatch(before, patch), mergePatch(before, patch)),
    ),
  );
});

test("JSON patch: copies of copies are bounded", () => {
  const doubles = Array.from({ length: 64 }, (_, at) => ({ op: "copy", from: "", path: `/x${at}` }));
  assert.throws(
    () => jsonPatch(target, doubles),
    (error) => error instanceof StatusError && /copies of more than/.test(error.message),
  );
});

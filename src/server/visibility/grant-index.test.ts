import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { GrantIndex } from "./grant-index.ts";

test("somebody named by two bindings loses nothing with one of them", () => {
  const index = new GrantIndex();
  assert.deepEqual(index.set("n", "a", new Set(["u:ann"]))?.before, new Map([["u:ann", false]]));
  assert.equal(index.set("n", "b", new Set(["u:ann"])), undefined);
  assert.equal(index.set("n", "a", new Set()), undefined);
  assert.ok(index.names(["u:ann"], "n"));
  const last = index.set("n", "b", new Set(["u:bob"]));
  assert.deepEqual(
    last?.before,
    new Map([
      ["u:bob", false],
      ["u:ann", true],
    ]),
  );
  assert.ok(last !== undefined && index.named(last, ["u:ann"]) && !index.names(["u:ann"], "n"));
  assert.ok(!index.named(last, ["u:bob"]));
});

const small = (letters: string) => fc.constantFrom(...letters);

test("after any changes the index says what all bindings together say", () => {
  const change = fc.record({
    namespace: small("xyz"),
    binding: small("abc"),
    subjects: fc.uniqueArray(small("uvwg"), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const index = new GrantIndex();
      const bindings = new Map<string, readonly string[]>();
      const named = (subject: string, namespace: string): boolean =>
        [...bindings].some(([key, subjects]) => key.startsWith(`${namespace}/`) && subjects.includes(subject));
      for (const { namespace, binding, subjects } of changes) {
        const before = new Map([..."uvwg"].map((subject) => [subject, named(subject, namespace)]));
        bindings.set(`${namespace}/${binding}`, subjects);
        const told = index.set(namespace, binding, new Set(subjects));
        for (const [subject, was] of before) {
          const is = named(subject, namespace);
          assert.equal(told?.before.get(subject), was === is ? undefined : was);
          assert.equal(index.names([subject], namespace), is);
          assert.deepEqual(
            [...index.namespacesOf([subject])].sort(),
            [..."xyz"].filter((one) => named(subject, one)),
          );
        }
      }
    }),
  );
});

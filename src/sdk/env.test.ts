import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { literal } from "./env.ts";

/** What the kubelet makes of a value: `$$` is `$`, `$(NAME)` a variable if there is one, anything else itself. */
function expanded(value: string, variables: Readonly<Record<string, string>>): string {
  return value.replace(/\$\$|\$\(([^)]*)\)/g, (all, name: string | undefined) =>
    name === undefined ? "$" : (variables[name] ?? all),
  );
}

test("a literal value reaches the container as it is", () => {
  const texts = fc.array(fc.constantFrom("$", "(", ")", "KEY", "a", "$(KEY)", "$$")).map((parts) => parts.join(""));
  fc.assert(fc.property(texts, (text) => assert.equal(expanded(literal(text), { KEY: "secret" }), text)));
});

test("a value without references is not changed", () => {
  for (const text of ["", "--keep-last=3", "a$b", "100$", "(x)"]) assert.equal(literal(text), text);
});

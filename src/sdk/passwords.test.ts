import assert from "node:assert/strict";
import { test } from "node:test";
import { passwordsNeed, passwordsOf } from "./passwords.ts";

const users = { zoe: {}, adam: { password: "given" }, eve: { password: "" } };
const known = { name: "x", values: { zoe: "live", eve: "made", gone: "old" }, existing: new Set(["zoe", "gone"]) };

test("passwords that are not set are generated, and rotated unless they are fixed", () => {
  const { request } = passwordsNeed("x", users, ["eve"]);
  assert.ok(request.type === "generated");
  assert.deepEqual([request.name, Object.keys(request.values), request.rotate], ["x", ["zoe", "eve"], ["zoe"]]);
  assert.match(request.values["zoe"]?.((count) => new Uint8Array(count)) ?? "", /^[A-Za-z0-9]{16}$/);
});

test("a given password wins over a live one, and users that are no longer named have none", () => {
  const passwords = [...passwordsOf(users, known)];
  assert.deepEqual(passwords, [
    ["adam", "given"],
    ["eve", "made"],
    ["zoe", "live"],
  ]);
});

test("a user without any password is a fault of the program", () => {
  assert.throws(() => passwordsOf(users, undefined), /zoe/);
});

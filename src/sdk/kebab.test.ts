import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { kebabCase } from "./kebab.ts";

const rows = [
  ["userOne", "user-one", "a capital begins a word"],
  ["HTTPServer", "http-server", "the last of several capitals begins the next word"],
  ["NoHTTPS", "no-https", "capitals at the end are one word"],
  ["ALL", "all", "capitals alone are one word"],
  ["u_2", "u-2", "an underscore is a dash"],
  ["a  b", "a--b", "so is each space"],
  ["HELLO____WORLD", "hello----world", "separators stay as many as they were"],
  ["_user_", "-user-", "also around the name"],
  ["user1", "user1", "digits at the end belong to the word"],
  ["http2xx", "http-2xx", "digits with small letters after them are a word of their own"],
  ["HTTP20xOK", "http-20x-ok", "which ends at a capital"],
  ["Duration2m3s", "duration-2m3s", "digits and small letters go on within it"],
  ["Bld4Floor3rd", "bld4-floor-3rd", "digits before a capital belong to the word before"],
  ["2Fast", "2-fast", "digits at the beginning are a word"],
  ["testResults_A", "test-results-a", "words and separators together"],
  ["my_orders.v1", "my-orders.v1", "a dot stays, and no dash comes beside it"],
  ["a.b2c.D", "a.b-2c.d", "words between dots as alone"],
  ["a._b", "a._b", "what follows a dot stays as it is"],
  ["", "", "nothing of nothing"],
] as const;

for (const [name, expected, why] of rows) {
  test(`kebabCase(${JSON.stringify(name)}): ${why}`, () => assert.equal(kebabCase(name), expected));
}

test("property: letters and digits stay in order, and what has the form already does not change", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[-_.A-Za-z0-9]{0,20}$/), (name) => {
      const letters = (text: string) => text.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
      assert.equal(letters(kebabCase(name)), letters(name));
      assert.equal(kebabCase(name).toLowerCase(), kebabCase(name));
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,8}(-[a-z]{1,8}){0,3}$/), (name) => assert.equal(kebabCase(name), name)),
  );
});

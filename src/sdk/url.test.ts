import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { queryEscape } from "./url.ts";

const rows = [
  { text: "p@s/w:rd", escaped: "p%40s%2Fw%3Ard", why: "what ends a password in a URL" },
  { text: "a b+c", escaped: "a+b%2Bc", why: "a space is a plus, a plus is none" },
  { text: "!'()*", escaped: "%21%27%28%29%2A", why: "what encodeURIComponent leaves" },
  { text: "-_.~", escaped: "-_.~", why: "what nobody escapes" },
  { text: "ä", escaped: "%C3%A4", why: "bytes of UTF-8" },
] as const;

for (const { text, escaped, why } of rows) test(`escapes ${why}`, () => assert.equal(queryEscape(text), escaped));

test("property: what reads forms reads it back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      assert.equal(new URLSearchParams(`q=${queryEscape(text)}`).get("q"), text);
    }),
  );
});

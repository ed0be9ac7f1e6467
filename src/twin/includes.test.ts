import assert from "node:assert/strict";
import test from "node:test";
import { includes } from "./includes.ts";

const rows = [
  { why: "equal scalars", live: 1, wanted: 1, is: true },
  { why: "a missing key", live: {}, wanted: { a: 1 }, is: false },
  { why: "more keys in live are somebody else's", live: { a: 1, b: 2 }, wanted: { a: 1 }, is: true },
  { why: "null wants the key away", live: { a: 1 }, wanted: { a: null }, is: false },
  { why: "null and absent are the same", live: {}, wanted: { a: null }, is: true },
  { why: "a shorter list", live: [1], wanted: [1, 2], is: false },
  { why: "a list with another order", live: [2, 1], wanted: [1, 2], is: false },
  {
    why: "objects inside lists by their wanted keys",
    live: [{ type: "Ready", at: "x" }],
    wanted: [{ type: "Ready" }],
    is: true,
  },
];
for (const { why, live, wanted, is } of rows) {
  test(`a merge patch changes nothing: ${why}`, () => assert.equal(includes(live, wanted), is));
}

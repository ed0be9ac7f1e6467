import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { durationOf, durationToMilliseconds, formatDuration, parseDuration } from "./duration.ts";

const second = 1_000_000_000n;

const rows = [
  { why: "seconds", text: "30s", value: 30n * second, printed: "30s" },
  { why: "several units", text: "1h30m", value: 5400n * second, printed: "1h30m0s" },
  { why: "a fraction", text: "1.5h", value: 5400n * second, printed: "1h30m0s" },
  { why: "a fraction without a whole", text: ".5s", value: second / 2n, printed: "500ms" },
  { why: "a whole without a fraction", text: "5.s", value: 5n * second, printed: "5s" },
  { why: "the micro sign", text: "1µs", value: 1000n, printed: "1µs" },
  { why: "the Greek letter", text: "1.5μs", value: 1500n, printed: "1.5µs" },
  { why: "negative", text: "-1m", value: -60n * second, printed: "-1m0s" },
  { why: "zero needs no unit", text: "0", value: 0n, printed: "0s" },
  { why: "the longest", text: "2562047h47m16.854775807s", value: 2n ** 63n - 1n, printed: "2562047h47m16.854775807s" },
  { why: "one more than the longest", text: "2562047h47m16.854775808s", value: undefined },
  { why: "no unit", text: "30", value: undefined },
  { why: "no number", text: "s", value: undefined },
  { why: "days are not known", text: "1d", value: undefined },
  { why: "a space", text: "1 s", value: undefined },
  { why: "empty", text: "", value: undefined },
];

for (const { why, text, value, printed } of rows) {
  test(`duration ${JSON.stringify(text)}: ${why}`, () => {
    assert.equal(parseDuration(text), value);
    if (value !== undefined) assert.equal(formatDuration(value), printed);
  });
}

test("every duration is read back from its text", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }), (value) => {
      assert.equal(parseDuration(formatDuration(value)), value);
    }),
  );
});

test("an unreadable duration is refused with its field", () => {
  assert.throws(() => durationOf("soon", "spec.every"), { code: "InvalidDuration", field: "spec.every" });
  assert.equal(durationToMilliseconds(durationOf("1.5s", "spec.every")), 1500);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { age, cut, fitted, span, table, visibleLength } from "./table.ts";
import { paintWith } from "./terminal.ts";

test("columns are as wide as their widest cell, colour not counted", () => {
  const paint = paintWith(true);
  const text = table(
    ["A", "B", ""],
    [
      [paint.good("long word"), "x", "end"],
      ["y", "", "z"],
    ],
  );
  const plain = table(
    ["A", "B", ""],
    [
      ["long word", "x", "end"],
      ["y", "", "z"],
    ],
  );
  assert.equal(plain, ["A          B", "long word  x  end", "y             z"].join("\n"));
  assert.deepEqual(text.split("\n").map(visibleLength), plain.split("\n").map(visibleLength));
});

test("a cut text has its length and keeps its colour closed", () => {
  assert.equal(cut("short", 5), "short");
  assert.equal(cut("longer", 5), "long…");
  const cutColour = cut(paintWith(true).bad("longer"), 5);
  assert.equal(visibleLength(cutColour), 5);
  assert.ok(cutColour.endsWith("\u001b[0m…"));
});

test("lines are cut to a screen, and whole for whoever else reads them", () => {
  const text = `short\n${"long ".repeat(100)}`;
  assert.equal(fitted(text, undefined), text);
  assert.equal(fitted(text, 20), `short\n${"long ".repeat(3)}long…`);
});

test("times are in their largest unit that says enough", () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, "0s"],
    [119_000, "119s"],
    [120_000, "2m"],
    [7_200_000, "2h"],
    [172_800_000, "2d"],
  ];
  for (const [milliseconds, text] of rows) assert.equal(span(milliseconds), text);
  assert.equal(age("2026-01-01T00:00:00Z", Date.parse("2026-01-01T00:00:05Z")), "5s");
  assert.equal(age(undefined, 0), "");
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import { deviations } from "./deviations.ts";
import { deviationsPage } from "./page.ts";

test("docs/deviations.md is what the declarations say", () => {
  const file = resolve(import.meta.dirname, "../../docs/deviations.md");
  assert.equal(readFileSync(file, "utf8"), deviationsPage(), "run `npm run docs`");
});

test("the page has a row for every deviation", () => {
  const rows = deviationsPage()
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| What "));
  assert.equal(rows.length, Object.values(deviations).flat().length);
});

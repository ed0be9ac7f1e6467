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

test("the page says each deviation and its reason", () => {
  const page = deviationsPage();
  const named = page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| What "))
    .flatMap((line) => line.split(" | ")[0]?.split("<br>") ?? []);
  const all = Object.values(deviations).flat();
  assert.equal(named.length, all.length);
  for (const { reason } of all) assert.ok(page.includes(reason.replaceAll("|", "\\|")), reason);
});

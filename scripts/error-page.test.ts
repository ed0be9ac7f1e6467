import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { errorPage, singleCodes } from "./error-page.ts";

const root = resolve(import.meta.dirname, "..");

function sources(): readonly string[] {
  const files = ["src", "embedded"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(root, folder, name)),
  );
  return files
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(name, "utf8"));
}

/** Codes given to the errors' constructors, wherever they are. */
function codesInSource(): readonly string[] {
  const found = sources().flatMap((text) => {
    const own = [...text.matchAll(/extends CozystackError[\s\S]*?super\(\s*"([A-Z][A-Za-z]+)"/g)];
    const made = [...text.matchAll(/new (?:CozystackError|EngineError|MigrationError)\(\s*"([A-Z][A-Za-z]+)"/g)];
    return [...own, ...made].map((match) => match[1] ?? "");
  });
  return [...new Set(found)].sort();
}

const page = errorPage();

test("every code in the source is explained", () => {
  const codes = codesInSource();
  assert.ok(codes.length > 10, "the search finds nothing any more");
  assert.deepEqual(
    codes.filter((code) => !page.includes(`| \`${code}\` |`)),
    [],
  );
});

test("no code is explained that nothing gives", () => {
  const text = sources().join("\n");
  assert.deepEqual(
    Object.keys(singleCodes).filter((code) => !text.includes(`"${code}"`)),
    [],
  );
});

test("reasons that conditions give are explained", () => {
  const status = readFileSync(join(root, "src/reconcile/status.ts"), "utf8");
  const reasons = [...status.matchAll(/verdict\("(?:True|False|Unknown)", "([A-Za-z]+)"/g)].map(
    (match) => match[1] ?? "",
  );
  assert.ok(reasons.length > 5, "the search finds nothing any more");
  // These two say that all is well, or name a monitor that is looked at on its own.
  const plain = new Set(["Ready", "WorkloadMonitorCheck", "Pending"]);
  assert.deepEqual(
    reasons.filter((reason) => !plain.has(reason) && !page.includes(`| \`${reason}\` |`)),
    [],
  );
});

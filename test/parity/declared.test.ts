/**
 * The declarations themselves: complete, and every test they name exists.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import type { Deviation } from "./deviation.ts";
import { deviations } from "./deviations.ts";

const root = resolve(import.meta.dirname, "../..");
const sources: readonly string[] = globSync("{src,test,embedded}/**/*.test.ts", { cwd: root }).map((file) =>
  readFileSync(resolve(root, file), "utf8"),
);

/**
 * A title as it stands in a test call: a text, or a template whose parts in `${}` are texts of the same file. A call whose
 * title is an expression may have any whole text of the file as its title.
 */
function titled(title: string, source: string): boolean {
  if (/\b(?:test|it)\(\s*[a-zA-Z]/.test(source) && source.includes(JSON.stringify(title))) return true;
  for (const [, text] of source.matchAll(/\b(?:test|it)\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/g)) {
    if (text === title) return true;
  }
  for (const [, template = ""] of source.matchAll(/\b(?:test|it)\(\s*`([^`]*)`/g)) {
    const [first = "", ...parts] = template.split(/\$\{[^}]*\}/);
    if (title.startsWith(first) && fills(title.slice(first.length), parts, source)) return true;
  }
  return false;
}

/** Whether `text` is the parts of a template with a text of the file before each. */
function fills(text: string, [part, ...parts]: readonly string[], source: string): boolean {
  if (part === undefined) return text === "";
  for (let at = 1; at <= text.length; at++) {
    if (!text.startsWith(part, at) || !source.includes(text.slice(0, at))) continue;
    if (fills(text.slice(at + part.length), parts, source)) return true;
  }
  return false;
}

const all = Object.entries(deviations).flatMap(([app, own]) => own.map((deviation) => ({ app, deviation })));

test("every application that is declared exists", () => {
  const folders = new Set(globSync("src/apps/*/index.ts", { cwd: root }).map((file) => file.split("/")[2]));
  for (const { app } of all) assert.ok(folders.has(app), `${app} is no application`);
});

test("every deviation has a reason that is a sentence", () => {
  for (const { app, deviation } of all)
    assert.match(deviation.reason, /^[A-Z`].{20,}\.$/s, `${app}: ${deviation.reason}`);
});

test("what no case shows, and what replaces a hook, is proven by a test that exists", () => {
  for (const { app, deviation } of all) {
    const needed = deviation.cases === "unseen" || deviation.class === "hook";
    if (deviation.test === undefined) assert.ok(!needed, `${app}: no test for: ${deviation.reason}`);
    else {
      const { test: title } = deviation;
      assert.ok(
        sources.some((source) => titled(title, source)),
        `${app}: there is no test "${title}"`,
      );
    }
  }
});

/**
 * Whether it takes whole objects of any kind, or of any name. What an inner release made may have any name, as its user
 * chose it: only more of it than there was can be taken, so that nothing is lost unseen.
 */
function tooWide(deviation: Deviation): boolean {
  if ("replaced" in deviation) return [...deviation.replaced, ...deviation.by].some((pattern) => pattern.includes("*"));
  const whole = "object" in deviation && !("at" in deviation) && !("renamed" in deviation);
  if (!whole) return false;
  const parts = deviation.object.split("/");
  const ofAnyName = deviation.class === "innerRelease" && deviation.only === "extra";
  return (ofAnyName ? parts.slice(0, -1) : parts).includes("*");
}

test("no deviation accounts for whole objects of any name or kind", () => {
  for (const { app, deviation } of all) assert.ok(!tooWide(deviation), `${app}: ${deviation.reason}`);
});

test("titles are found in test calls, templates included", () => {
  const source = `test("plain", f); const why = "two sizes"; test(\`refuses \${why}\`, f); // a mere "mention"`;
  assert.ok(titled("plain", source));
  assert.ok(titled("refuses two sizes", source));
  assert.ok(titled("a plain two sizes", `${source} test(\`a \${x} \${y}\`)`));
  assert.ok(!titled("mention", source));
  assert.ok(titled("mention", `const title = "mention"; test(title, f)`));
  assert.ok(!titled("refuses three sizes", source));
});

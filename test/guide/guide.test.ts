/**
 * The application that docs/app-author-guide.md builds: its files, taken from the page word for word, compile, pass their own tests
 * and load as `--apps` loads them.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { parse } from "yaml";
import { loadApps } from "../../src/apps/load.ts";
import { renderApp } from "../support/render.ts";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/app-author-guide.md"), "utf8");
mkdirSync(join(root, ".cache"), { recursive: true });
const place = mkdtempSync(join(root, ".cache/guide-"));
after(() => rmSync(place, { recursive: true }));
// What the page's folder extends is one step above it.
writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ extends: join(root, "tsconfig.json") }));
const folder = join(place, "my-apps");

/** Files of the page by path, from blocks that begin with a language and a path. */
const files = new Map(
  [...page.matchAll(/^```\w+ my-apps\/(\S+)\n([\s\S]*?)^```$/gm)].map(([, path = "", content = ""]) => [path, content]),
);
for (const [path, content] of files) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

const bin = (name: string) => join(root, "node_modules/.bin", name);
const run = (program: string, ...words: readonly string[]) =>
  execFileSync(bin(program), words, { cwd: root, encoding: "utf8" });

test("the page has all files of an application", () => {
  const names = [
    "tsconfig.json",
    "cache/spec.ts",
    "cache/render.ts",
    "cache/index.ts",
    "cache/cache.test.ts",
    "cache/example.yaml",
  ];
  assert.deepEqual([...files.keys()].sort(), names.sort());
});

test("its types are right", () => assert.equal(run("tsc", "--noEmit", "-p", folder), ""));

test("its tests pass, as many as the page says", () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const output = execFileSync(bin("node"), ["--test", join(folder, "cache/cache.test.ts")], {
    cwd: root,
    encoding: "utf8",
    env,
  });
  assert.match(output, /pass 3\n/);
  assert.match(output, /fail 0\n/);
});

test("it loads, and makes what the page says", async () => {
  const [app] = await loadApps(folder);
  assert.ok(app);
  const example: unknown = parse(files.get("cache/example.yaml") ?? "");
  assert.partialDeepStrictEqual(example, { kind: app.kind, apiVersion: `${app.group}/v1alpha1` });
  const names = renderApp(app, { name: "sessions" }).objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  assert.deepEqual(names, [
    "Secret cache-sessions-auth",
    "Service cache-sessions",
    "Deployment cache-sessions",
    "WorkloadMonitor cache-sessions",
    "Role cache-sessions-dashboard-resources",
    "RoleBinding cache-sessions-dashboard-resources",
  ]);
});

test("the rule that the page shows is in its definition", async () => {
  const [app] = await loadApps(folder);
  assert.ok(
    JSON.stringify(app?.crd()).includes("an external cache needs a server: raise replicas, or set external to false"),
  );
});

test("every command of the page that knows applications is told of them", () => {
  const commands = page.split("\n").filter((line) => line.startsWith("./cozystack ") && !line.includes(" down"));
  assert.ok(commands.length > 5);
  assert.deepEqual(
    commands.filter((line) => !line.includes("--apps my-apps")),
    [],
  );
});

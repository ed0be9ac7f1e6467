import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { buildEngine, defaultCacheDirectory } from "./build.ts";

const directory = mkdtempSync(join(tmpdir(), "build-"));
after(() => rmSync(directory, { recursive: true }));

/** A program small enough to build in a second, built as the engine is. */
function source(name: string, body: string): string {
  const folder = join(directory, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "go.mod"), "module example.org/small\n\ngo 1.25.0\n");
  writeFileSync(join(folder, "main.go"), `package main\n\nfunc main() { ${body} }\n`);
  return folder;
}

test("a build is kept, and rebuilt exactly when its source differs", async () => {
  const cacheDirectory = join(directory, "cache");
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const sourceDirectory = source("one", 'print("one")');
  const first = await buildEngine({ cacheDirectory, sourceDirectory, log });
  assert.match(lines.join("\n"), /^Building the control plane .*\n(.*\n)*Built the control plane in \d+ s\.$/);

  lines.length = 0;
  assert.equal(await buildEngine({ cacheDirectory, sourceDirectory, log }), first);
  assert.deepEqual(lines, [], "the second use says nothing because it does nothing");

  writeFileSync(join(sourceDirectory, "main.go"), 'package main\n\nfunc main() { print("two") }\n');
  const second = await buildEngine({ cacheDirectory, sourceDirectory, log });
  assert.notEqual(second, first);
  assert.match(lines.join("\n"), /Built/);
  assert.equal(spawnSync(second, { encoding: "utf8" }).stderr, "two");
  assert.equal(readdirSync(join(cacheDirectory, "engine")).length, 2, "two binaries, no lock and no half-built file");
});

test("builds at the same time are one build", async () => {
  const cacheDirectory = join(directory, "shared");
  const sourceDirectory = source("shared-source", "");
  const lines: string[] = [];
  const build = () => buildEngine({ cacheDirectory, sourceDirectory, log: (line) => void lines.push(line) });
  const paths = await Promise.all([build(), build(), build()]);
  assert.equal(new Set(paths).size, 1);
  assert.equal(lines.filter((line) => line.startsWith("Built")).length, 1);
});

test("without Go the error says what to install and which flag to use", async () => {
  const options = { cacheDirectory: join(directory, "none"), log: () => undefined, go: join(directory, "no-such-go") };
  await assert.rejects(buildEngine(options), (error) => {
    assert.ok(error instanceof Error && "code" in error);
    assert.equal(error.code, "EngineToolchainMissing");
    assert.match(String(Reflect.get(error, "remedy")), /Install Go .*--kubeconfig/);
    return true;
  });
});

test("a binary that was built before serves where Go is gone", async () => {
  const cacheDirectory = join(directory, "kept");
  const sourceDirectory = source("kept-source", "");
  const built = await buildEngine({ cacheDirectory, sourceDirectory, log: () => undefined });
  const go = join(directory, "no-such-go");
  assert.equal(await buildEngine({ cacheDirectory, sourceDirectory, log: () => undefined, go }), built);
});

test("a build that fails says what the compiler said and leaves nothing", async () => {
  const cacheDirectory = join(directory, "broken");
  const sourceDirectory = source("broken-source", "undefinedName()");
  const failing = buildEngine({ cacheDirectory, sourceDirectory, log: () => undefined });
  await assert.rejects(failing, { code: "EngineBuildFailed", message: /undefined: undefinedName/ });
  assert.deepEqual(readdirSync(join(cacheDirectory, "engine")), []);
});

test("what Go downloads is counted, not listed", async () => {
  const cacheDirectory = join(directory, "downloading");
  const sourceDirectory = source("downloading-source", "");
  const go = join(directory, "downloading-go");
  writeFileSync(
    go,
    `#!/bin/sh
case $1 in
  env) exec go "$@" ;;
  list) seq -f 'go: downloading example.org/module v1.%g.0' 150 >&2 ;;
  build) while [ "$1" != -o ]; do shift; done; : > "$2" ;;
esac
`,
    { mode: 0o755 },
  );
  const lines: string[] = [];
  await buildEngine({ cacheDirectory, sourceDirectory, go, log: (line) => void lines.push(line) });
  assert.match(lines.join("\n"), /^Building.*\nDownloading its source: 1 modules, \d+ s\n(Down.*\n)*Built .*$/);
  assert.ok(lines.length < 150, `${lines.length} lines`);
});

const places = [
  { why: "XDG says where", environment: { XDG_CACHE_HOME: "/x", HOME: "/h" }, expected: "/x/cozystack" },
  {
    why: "an empty variable counts as unset",
    environment: { XDG_CACHE_HOME: "", HOME: "/h" },
    expected: "/h/.cache/cozystack",
  },
  { why: "the home directory otherwise", environment: { HOME: "/h" }, expected: "/h/.cache/cozystack" },
];
for (const { why, environment, expected } of places) {
  test(`cache directory: ${why}`, () => assert.equal(defaultCacheDirectory(environment), expected));
}

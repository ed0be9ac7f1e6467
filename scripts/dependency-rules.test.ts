import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";

const root = resolve(import.meta.dirname, "..");
const directory = mkdtempSync(join(tmpdir(), "rules-"));
after(() => rmSync(directory, { recursive: true }));

/** Rules that a tree of files breaks, and how many files were looked at. */
function cruise(name: string, files: Readonly<Record<string, string>>): { broken: string[]; modules: number } {
  const tree = join(directory, name);
  for (const [path, text] of Object.entries({ "tsconfig.json": "{}", ...files })) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  const config = join(root, ".dependency-cruiser.cjs");
  const args = [
    join(root, "node_modules/.bin/depcruise"),
    "--config",
    config,
    "--no-progress",
    "-T",
    "json",
    "**/*.ts",
  ];
  const { stdout } = spawnSync(process.execPath, args, { cwd: tree, encoding: "utf8" });
  const { summary } = JSON.parse(stdout);
  const violations: { rule: { name: string } }[] = summary.violations;
  return { broken: violations.map(({ rule }) => rule.name).sort(), modules: summary.totalCruised };
}

const rows: { why: string; files: Record<string, string>; broken: string[] }[] = [
  {
    why: "an import of an earlier room is right",
    files: { "src/kube/a.ts": "export const a = 1;", "src/sdk/b.ts": 'export { a } from "../kube/a.ts";' },
    broken: [],
  },
  {
    why: "an import of a later room is not",
    files: { "src/sdk/a.ts": "export const a = 1;", "src/kube/b.ts": 'export { a } from "../sdk/a.ts";' },
    broken: ["kube-imports-only-upwards"],
  },
  {
    why: "nor is one of its types only",
    files: {
      "src/cli/a.ts": "export type A = 1;",
      "embedded/b.ts": 'import type { A } from "../src/cli/a.ts"; export const b: A = 1;',
    },
    broken: ["embedded-imports-only-upwards"],
  },
  {
    why: "a test beside the source obeys as the source does",
    files: { "src/twin/a.ts": "export const a = 1;", "src/sdk/b.test.ts": 'import { a } from "../twin/a.ts"; a;' },
    broken: ["sdk-imports-only-upwards"],
  },
  {
    why: "an app knows no other app",
    files: {
      "src/apps/redis/a.ts": "export const a = 1;",
      "src/apps/kafka/b.ts": 'export { a } from "../redis/a.ts";',
    },
    broken: ["no-app-imports-another-app"],
  },
  {
    why: "the catalogue knows all apps",
    files: { "src/apps/redis/a.ts": "export const a = 1;", "src/apps/index.ts": 'export { a } from "./redis/a.ts";' },
    broken: [],
  },
  {
    why: "a folder that is no room has no place",
    files: { "src/utils/a.ts": "export const a = 1;", "src/cli/b.ts": 'export { a } from "../utils/a.ts";' },
    broken: ["every-folder-is-a-room"],
  },
  {
    why: "the program imports no test code",
    files: { "test/a.ts": "export const a = 1;", "src/cli/b.ts": 'export { a } from "../../test/a.ts";' },
    broken: ["the-program-imports-no-test-code"],
  },
  {
    why: "an import that leads nowhere is found",
    files: { "src/cli/b.ts": 'export { a } from "./gone.ts";' },
    broken: ["every-import-resolves"],
  },
  {
    why: "files that need each other to run are a circle",
    files: {
      "src/sdk/a.ts": 'import { b } from "./b.ts"; export const a = () => b;',
      "src/sdk/b.ts": 'import { a } from "./a.ts"; export const b = () => a;',
    },
    broken: ["no-circle"],
  },
  {
    why: "nor may two files need each other's types",
    files: {
      "src/sdk/a.ts": 'import type { B } from "./b.ts"; export type A = B;',
      "src/sdk/b.ts": 'import type { A } from "./a.ts"; export type B = A[];',
    },
    broken: ["no-circle"],
  },
];
for (const [index, { why, files, broken }] of rows.entries()) {
  test(`dependency rule: ${why}`, () => {
    const result = cruise(String(index), files);
    assert.deepEqual(result.broken, broken);
    assert.ok(result.modules >= Object.keys(files).length, "a check that saw no file proves nothing");
  });
}

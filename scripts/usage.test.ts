import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const programs = [
  "bench/main.ts",
  "scripts/features.ts",
  "scripts/generated.ts",
  "scripts/test.ts",
  "test/chaos/run.ts",
  "test/parity/run.ts",
  "test/security/access/run.ts",
] as const;

for (const program of programs) {
  test(`${program} --help says what it does and does nothing`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program), "--help"], {
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /npm |node |Usage/);
    assert.doesNotMatch(stdout, /^ ?\*/m);
    assert.ok(stdout.length < 3000);
  });
}

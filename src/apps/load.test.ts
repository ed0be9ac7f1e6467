import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { apps } from "./index.ts";
import { loadApps, withApps } from "./load.ts";

const folder = mkdtempSync(join(tmpdir(), "apps-"));
after(() => rmSync(folder, { recursive: true }));

function given(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, path, ".."), { recursive: true });
    writeFileSync(join(folder, name, path), content);
  }
  return join(folder, name);
}

const application = (kind: string) => `
  import Type from "typebox";
  import { defineApp } from "cozystack/sdk/define-app.ts";
  import { appSpec } from "cozystack/sdk/spec.ts";
  export const app = defineApp({
    kind: "${kind}", plural: "${kind.toLowerCase()}s", release: "", catalog: { title: "A", category: "PaaS", summary: "A" },
    spec: appSpec({ any: Type.Optional(Type.String()) }), render: () => [],
  });`;

test("applications are found by their folders, outside the checkout", async () => {
  const at = given("good", { "b/index.ts": application("Beta"), "a/index.ts": application("Alpha"), "notes.md": "" });
  assert.deepEqual(
    (await loadApps(at)).map(({ kind }) => kind),
    ["Alpha", "Beta"],
  );
});

test("a kind may be defined once", async () => {
  const at = given("twice", { "a/index.ts": application("Gamma"), "b/index.ts": application("Gamma") });
  const more = await loadApps(at);
  assert.throws(() => withApps([], more), {
    code: "AppsInvalid",
    message: /Gamma \(gammas\.apps\.cozystack\.io\) is defined twice/,
  });
});

test("the catalogue itself has every kind once", () => assert.deepEqual(withApps(apps, []), apps));

const rows = [
  { why: "no folder", at: () => join(folder, "missing"), message: /is no folder/ },
  { why: "an empty folder", at: () => given("empty", { "notes.md": "" }), message: /holds no application/ },
  {
    why: "a file that exports something else",
    at: () => given("other", { "a/index.ts": "export const a = 1;" }),
    message: /exports no application/,
  },
  {
    why: "a file that cannot be read",
    at: () => given("broken", { "a/index.ts": "export const = 1;" }),
    message: /a\/index\.ts: /,
  },
];
for (const { why, at, message } of rows) {
  test(`refused: ${why}`, () => assert.rejects(() => loadApps(at()), { code: "AppsInvalid", message }));
}

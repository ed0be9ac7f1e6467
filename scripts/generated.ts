/**
 * Files that are made from the program and committed. `node scripts/generated.ts docs` writes the pages,
 * `node scripts/generated.ts released-fields` adds new fields to the list; with `--check` nothing is written and a stale file
 * ends with exit code 1.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { apps } from "../src/apps/index.ts";
import { isRecord } from "../src/kube/json.ts";
import type { App } from "../src/sdk/app.ts";
import { referenceIndex, referencePage } from "../src/sdk/docs.ts";
import { droppedFields, type Fields, fieldsOf, withFields } from "../src/sdk/released-fields.ts";
import { deviationsPage } from "../test/parity/page.ts";
import { accessPage } from "../test/security/access/page.ts";
import { checksPage } from "./checks-page.ts";
import { errorPage } from "./error-page.ts";
import { migrationsPage } from "./migrations-page.ts";
import { explainWhenAsked } from "./usage.ts";

explainWhenAsked(import.meta.filename);

const root = resolve(import.meta.dirname, "..");

/** Content by path from the root. */
type Files = ReadonlyMap<string, string>;

const reference = "docs/reference";
const releasedFile = "docs/released-fields.json";

const pageOf = (app: App) => `${app.plural}.md`;

function docs(): Files {
  return new Map([
    ...apps.map((app) => [`${reference}/${pageOf(app)}`, referencePage(app)] as const),
    [`${reference}/README.md`, referenceIndex(apps, pageOf)],
    ["docs/deviations.md", deviationsPage()],
    ["docs/errors.md", errorPage()],
    ["docs/access.md", accessPage()],
    ["docs/upgrade-checks.md", checksPage()],
    ["docs/upgrade-migrations.md", migrationsPage()],
  ]);
}

function released(): Readonly<Record<string, Fields>> {
  const file = join(root, releasedFile);
  if (!existsSync(file)) return {};
  const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
  const texts = (fields: unknown) =>
    Object.fromEntries(Object.entries(isRecord(fields) ? fields : {}).map(([path, type]) => [path, String(type)]));
  return Object.fromEntries(
    Object.entries(isRecord(parsed) ? parsed : {}).map(([name, fields]) => [name, texts(fields)]),
  );
}

function releasedFields(): Files {
  const before = released();
  const now = apps.map((app) => [app.crd().metadata.name, fieldsOf(app.crd())] as const);
  for (const [name, fields] of now) {
    for (const problem of droppedFields(before[name] ?? {}, fields)) {
      throw new Error(
        `${name}: ${problem}. People have stored it: keep the field, and ignore it if it means nothing any more.`,
      );
    }
  }
  const all = {
    ...before,
    ...Object.fromEntries(now.map(([name, fields]) => [name, withFields(before[name] ?? {}, fields)])),
  };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  return new Map([[releasedFile, `${JSON.stringify(sorted, undefined, 2)}\n`]]);
}

function stale(files: Files, folder: string | undefined): readonly string[] {
  const differing = [...files].filter(([path, content]) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, "utf8") !== content;
  });
  const there = folder !== undefined && existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
  const left = there.map((name) => `${folder}/${name}`).filter((path) => !files.has(path));
  return [...differing.map(([path]) => path), ...left];
}

const kinds: Readonly<Record<string, { readonly make: () => Files; readonly folder?: string }>> = {
  docs: { make: docs, folder: reference },
  "released-fields": { make: releasedFields },
};

const [name = "", option] = process.argv.slice(2);
const kind = kinds[name];
if (kind === undefined) throw new Error(`say what to make: ${Object.keys(kinds).join(" or ")}`);
const files = kind.make();
const old = stale(files, kind.folder);
if (option === "--check") {
  for (const path of old) console.error(`${path} is out of date: run npm run ${name}`);
  process.exitCode = old.length === 0 ? 0 : 1;
} else {
  for (const path of old) {
    const content = files.get(path);
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (content === undefined) rmSync(join(root, path));
    else writeFileSync(join(root, path), content);
    console.log(`${content === undefined ? "removed" : "wrote"} ${path}`);
  }
}

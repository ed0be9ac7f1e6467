/**
 * Lists the features the project sets out to have and, for each, the tests that name it (`feature 57` in a title).
 * Usage: node scripts/features.ts [--open] [--results FILE]. With --open only the rows without a test are listed.
 * A row counts as proven when at least one test names it and every test that names it passed in the last full run, or in the
 * run whose outcomes FILE has.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { claimsOf, type Outcome } from "./feature-claims.ts";
import { explainWhenAsked } from "./usage.ts";

explainWhenAsked(import.meta.filename);

const root = join(import.meta.dirname, "..");
const page = join(root, "../shared/reference/platform/seed-coverage.md");
const { values } = parseArgs({ options: { open: { type: "boolean", default: false }, results: { type: "string" } } });
const results = values.results ?? join(root, ".cache/test-results.json");

interface Feature {
  readonly number: number;
  readonly name: string;
}

function featuresOf(markdown: string): Feature[] {
  const features: Feature[] = [];
  for (const line of markdown.split("\n")) {
    const match = /^\| (\d+) \| (.*?) \| .* \|$/.exec(line);
    if (match !== null) features.push({ number: Number(match[1]), name: match[2] ?? "" });
  }
  return features;
}

/** Test files by path, and what they share: some tests stand in a suite that a test file runs. */
function sources(): ReadonlyMap<string, string> {
  const files = globSync(["{src,scripts,embedded,web}/**/*.test.ts", "test/**/*.ts"], { cwd: root });
  return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

/** Outcomes of a run of tests; none when there was no run. */
function outcomes(): readonly Outcome[] {
  if (!existsSync(results)) return [];
  const parsed: unknown = JSON.parse(readFileSync(results, "utf8"));
  return (Array.isArray(parsed) ? parsed : []).filter(
    (row) => typeof row.title === "string" && typeof row.file === "string" && typeof row.outcome === "string",
  );
}

if (!existsSync(page)) {
  console.log("the feature list is not here (../shared/reference/platform/seed-coverage.md): nothing to compare with");
  process.exit(0);
}
const features = featuresOf(readFileSync(page, "utf8"));
const claims = claimsOf(sources(), outcomes());
if (values.results === undefined && !existsSync(results)) {
  console.error("No full run of the tests is on record: run `npm test` first. Until then nothing counts as proven.");
}
let proven = 0;
for (const { number, name } of features) {
  const tests = claims.get(number) ?? [];
  const isProven = tests.length > 0 && tests.every(({ outcome }) => outcome === "passed");
  if (isProven) proven += 1;
  if (values.open && isProven) continue;
  console.log(`${isProven ? "proven" : tests.length > 0 ? "claimed" : "open  "} ${number}. ${name}`);
  for (const { outcome, title, file } of tests) console.log(`         ${outcome}: ${title} (${file})`);
}
console.log(`${proven}/${features.length} proven`);

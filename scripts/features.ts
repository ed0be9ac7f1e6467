/**
 * Lists the features the project sets out to have and, for each, the tests that name it (`feature 57` in a title).
 * Usage: node scripts/features.ts [--open]. With --open only the rows without a test are listed.
 * A row counts as proven when at least one test names it and every test that names it passed in the last full run.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const page = join(root, "../shared/reference/platform/seed-coverage.md");
const results = join(root, ".cache/test-results.json");

interface Feature {
  readonly number: number;
  readonly name: string;
  readonly statement: string;
}

type Outcome = "passed" | "failed" | "skipped" | "not run";

function featuresOf(markdown: string): Feature[] {
  const features: Feature[] = [];
  for (const line of markdown.split("\n")) {
    const match = /^\| (\d+) \| (.*?) \| .*? \| (.*) \|$/.exec(line);
    if (match !== null) features.push({ number: Number(match[1]), name: match[2] ?? "", statement: match[3] ?? "" });
  }
  return features;
}

interface Claim {
  readonly title: string;
  readonly file: string;
}

/** Test titles that name features, by feature number. Titles are read from the sources, so that a test that was not run still shows. */
function claims(): Map<number, Claim[]> {
  const found = new Map<number, Claim[]>();
  const files = globSync("{src,test,embedded,web}/**/*.test.ts", { cwd: root });
  for (const file of files) {
    const source = readFileSync(join(root, file), "utf8");
    for (const [, title = ""] of source.matchAll(/\b(?:test|it|describe)\(\s*["'`]((?:[^"'`\\]|\\.)*)["'`]/g)) {
      for (const [, list = ""] of title.matchAll(/features? ((?:\d+)(?:(?:, | and )\d+)*)/g)) {
        for (const number of list.split(/, | and /).map(Number)) {
          found.set(number, [...(found.get(number) ?? []), { title, file }]);
        }
      }
    }
  }
  return found;
}

/** Outcomes of the last `npm test`, by test title; absent when there was none. */
function outcomes(): ReadonlyMap<string, Outcome> {
  if (!existsSync(results)) return new Map();
  const parsed: unknown = JSON.parse(readFileSync(results, "utf8"));
  const map = new Map<string, Outcome>();
  if (!Array.isArray(parsed)) return map;
  for (const row of parsed) {
    const { title, outcome } = row;
    if (typeof title !== "string") continue;
    if (outcome === "failed" || (outcome === "passed" && map.get(title) !== "failed") || !map.has(title))
      map.set(title, outcome);
  }
  return map;
}

if (!existsSync(page)) {
  console.log("the feature list is not here (../shared/reference/platform/seed-coverage.md): nothing to compare with");
  process.exit(0);
}
const onlyOpen = process.argv.includes("--open");
const features = featuresOf(readFileSync(page, "utf8"));
const claimed = claims();
const outcomeOf = outcomes();
let proven = 0;
for (const feature of features) {
  const tests = (claimed.get(feature.number) ?? []).map((claim) => ({
    ...claim,
    outcome: outcomeOf.get(claim.title) ?? "not run",
  }));
  const isProven = tests.length > 0 && tests.every((test) => test.outcome === "passed");
  if (isProven) proven += 1;
  if (onlyOpen && isProven) continue;
  console.log(`${isProven ? "proven" : tests.length > 0 ? "claimed" : "open  "} ${feature.number}. ${feature.name}`);
  for (const test of tests) console.log(`         ${test.outcome}: ${test.title} (${test.file})`);
}
console.log(`${proven}/${features.length} proven`);

import assert from "node:assert/strict";
import { resolve } from "node:path";
import test, { after } from "node:test";
import { apps } from "../../src/apps/index.ts";
import { loadCases } from "./case.ts";
import { caseServer } from "./server.ts";

const cases = loadCases(resolve(import.meta.dirname, "../../../shared/parity"));
const server = caseServer(apps);
after(() => server.close());

const rows = [
  { why: "an object that upstream takes", name: "redis/defaults", refuses: false },
  { why: "a value that only the schema refuses", name: "bucket/schema-locking-not-boolean", refuses: true },
  { why: "a name that only a policy refuses", name: "tenant/name-with-dash", refuses: true },
] as const;

for (const { why, name, refuses } of rows) {
  test(`the API server is asked about ${why}`, { skip: cases === undefined && "no ../shared/parity" }, async () => {
    const testCase = cases?.find((one) => `${one.app}/${one.case}` === name);
    const app = apps.find((one) => one.kind === testCase?.kind);
    assert.ok(testCase && app, name);
    assert.equal(await server.refuses(testCase, app), refuses);
  });
}

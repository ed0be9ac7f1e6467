import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

test("MAINTAINERS says what each role answers for, the source among it (feature 200)", () => {
  const text = readFileSync(join(import.meta.dirname, "../MAINTAINERS.md"), "utf8");
  const rows = [...text.matchAll(/^\| ([A-Z][\w ]+) \| (.{20,}) \|$/gm)].map(([, role, area]) => ({ role, area }));
  assert.ok(rows.length >= 4, text);
  assert.ok(
    rows.some(({ area = "" }) => area.includes("`src/`")),
    "somebody answers for every folder of the source",
  );
  assert.ok(
    rows.some(({ area = "" }) => area.includes("vulnerabilities")),
    "and for security",
  );
});

/** The script of the scheduled dump, run by a shell with stand-ins for the programs it calls. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Given, runDump, words } from "../../../test/support/dump-script.ts";
import { script } from "./render.ts";

const programs = {
  mariadb: '#!/bin/sh\necho "$*" >&2\ncat "$ITEMS"\n',
  "mariadb-dump": `#!/bin/sh
case "$*" in
*half) printf 'some rows'; exit 1 ;;
*) printf '<%s>' "$*" ;;
esac
`,
};

const run = (given: Given) =>
  runDump({ script, programs, env: { MYSQL_HOST: "db-secondary", MYSQL_USER: "root", MYSQL_PWD: "Hush-1" } }, given);

test("every database has a repository: one snapshot, marked when it is whole, then what is old goes", () => {
  const { status, calls, stored, output } = run({ items: "shop\tshop\n" });
  assert.equal(status, 0, output);
  const at = "s3:host/bucket/shop";
  assert.deepEqual(words(calls), [
    `${at} cat config`,
    `${at} unlock`,
    `${at} backup --host db-secondary --tag job-0123abcd --stdin --stdin-filename dump.sql`,
    `${at} tag --tag job-0123abcd --add completed --remove job-0123abcd`,
    `${at} forget --group-by tags --keep-tag completed`,
    `${at} forget --group-by tags --tag completed --keep-last=3`,
    `${at} prune`,
  ]);
  assert.equal(stored, "<--host=db-secondary --user=root --single-transaction --databases -- shop>");
  assert.match(output, /--host=db-secondary --user=root --batch --skip-column-names --execute/);
});

test("a database whose dump breaks off is not marked, the others are, and the run has failed", () => {
  const { status, calls, output } = run({ items: "half\thalf\nwhole\twhole\n" });
  assert.equal(status, 1);
  const marked = words(calls).filter((call) => call.includes(" tag --tag "));
  assert.deepEqual(marked, ["s3:host/bucket/whole tag --tag job-0123abcd --add completed --remove job-0123abcd"]);
  assert.match(output, /database half: dump failed/);
});

test("names of databases are data", () => {
  const names = ["$(touch x)", "a b;c", "-r", "*", "`id`"];
  const { status, stored, output } = run({ items: names.map((name) => `${name}\t${name}\n`).join("") });
  assert.equal(status, 0, output);
  for (const name of names) assert.ok(stored.includes(`--databases -- ${name}>`), name);
});

test("no password is printed", () => {
  assert.doesNotMatch(run({ items: "t\tt\n" }).output, /Hush/);
});

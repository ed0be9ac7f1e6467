/** The script of the scheduled dump, run by a shell with stand-ins for the two programs it calls. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Given, runDump, words } from "../../../test/support/dump-script.ts";
import { script } from "./dump.ts";

/** The list of tables as TabSeparated; else the query's table. */
const client = `#!/bin/sh
case "$*" in
*encodeURLComponent*) cat "$ITEMS" ;;
*param_table=half*'SELECT *'*) printf 'some rows'; exit 1 ;;
*) printf '<%s>' "$*" ;;
esac
`;

function run({ strategy = "--keep-last=3 --keep-daily=1", ...given }: Given) {
  const env = { CLICKHOUSE_HOST: "chi-x-0-0", CLICKHOUSE_USER: "backup", CLICKHOUSE_PASSWORD: "Hush-1" };
  return runDump({ script, programs: { "clickhouse-client": client }, env }, { strategy, ...given });
}

test("every table has a repository: two snapshots, marked when both are whole, then what is old goes", () => {
  const { status, calls, stored, output } = run({ items: "orders\torders\n" });
  assert.equal(status, 0, output);
  const at = "s3:host/bucket/orders";
  const store = (tag: string, name: string) =>
    `${at} backup --host chi-x-0-0 --tag job-0123abcd --tag ${tag} --stdin --stdin-filename ${name}`;
  assert.deepEqual(words(calls), [
    `${at} cat config`,
    `${at} unlock`,
    store("index", "index.sql"),
    store("data", "data.tsv"),
    `${at} tag --tag job-0123abcd --add completed --remove job-0123abcd`,
    `${at} forget --group-by tags --keep-tag completed`,
    `${at} forget --group-by tags --tag completed,index --keep-last=3 --keep-daily=1`,
    `${at} forget --group-by tags --tag completed,data --keep-last=3 --keep-daily=1`,
    `${at} prune`,
  ]);
  assert.match(stored, /--param_table=orders --query SELECT create_table_query/);
  assert.match(stored, /--param_table=orders --query SELECT \* FROM \{db:Identifier\}\.\{table:Identifier\}/);
});

test("a repository that is not there is made", () => {
  const { calls } = run({ items: "t\tt\n", newRepository: true });
  assert.equal(words(calls)[1], "s3:host/bucket/t init --repository-version 2");
});

test("a table that breaks off is not marked, the others are, and the run has failed", () => {
  const { status, calls, output } = run({ items: "half\thalf\nwhole\twhole\n" });
  assert.equal(status, 1);
  const marked = words(calls).filter((call) => call.includes(" tag --tag "));
  assert.deepEqual(marked, ["s3:host/bucket/whole tag --tag job-0123abcd --add completed --remove job-0123abcd"]);
  assert.match(output, /table half: dump failed/);
  assert.ok(words(calls).includes("s3:host/bucket/half prune"), "old dumps go all the same");
});

test("a failing cleanup of one table fails the run and does not keep the next from it", () => {
  const { status, calls } = run({ items: "a\ta\nb\tb\n", brokenAt: "/a forget" });
  assert.equal(status, 1);
  assert.ok(words(calls).includes("s3:host/bucket/b prune"));
  assert.ok(!words(calls).includes("s3:host/bucket/a prune"));
});

test("names of tables are data", () => {
  const names = ["$(touch x)", "a b;c", "`id`", "-r", "*", "a/../b", "ü"];
  const tables = names.map((name) => `${name}\t${encodeURIComponent(name)}\n`).join("");
  const { status, calls, stored, output } = run({ items: tables });
  assert.equal(status, 0, output);
  const repositories = new Set(calls.map(([repository]) => repository));
  assert.deepEqual(repositories, new Set(names.map((name) => `s3:host/bucket/${encodeURIComponent(name)}`)));
  for (const name of names) assert.ok(stored.includes(`--param_table=${name} --query SELECT *`));
});

test("a name that can be no repository's is left out, and said so", () => {
  const { status, calls, output } = run({ items: "..\t..\na\\tb\ta%09b\nok\tok\n" });
  assert.equal(status, 1);
  assert.deepEqual(new Set(calls.map(([repository]) => repository)), new Set(["s3:host/bucket/ok"]));
  assert.match(output, /table \.\.: left out/);
});

test("the strategy is split into words and is nothing else", () => {
  const { calls } = run({ items: "t\tt\n", strategy: "--keep-last=3 * $(id) ;x", prefix: "h/b b" });
  const forget = calls.find((call) => call.includes("completed,data"));
  assert.deepEqual(forget?.slice(6), ["--keep-last=3", "*", "$(id)", ";x"]);
  assert.equal(forget?.[0], "s3:h/b b/t");
});

test("no password is printed, although the shell traces", () => {
  assert.doesNotMatch(run({ items: "t\tt\n" }).output, /Hush/);
});

test("no tables is no failure", () => {
  const { status, calls } = run({ items: "" });
  assert.deepEqual([status, calls], [0, []]);
});

/** The init scripts against a real PostgreSQL, with names and passwords that are not nice. Skipped where none is installed. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { type PostgresServer, startPostgres } from "../../../test/support/postgres-server.ts";
import { desiredDocument, scripts } from "./init.ts";
import type { Spec } from "./spec.ts";

const run = promisify(execFile);
const server = await startPostgres();
const skip = server === undefined ? "no PostgreSQL is installed (initdb, psql)" : false;
after(() => server?.stop());

interface Wanted {
  readonly users?: Spec["users"];
  readonly databases?: Spec["databases"];
  readonly revision?: number;
  readonly source?: string;
}

const alone = (): PostgresServer => {
  if (server === undefined) throw new Error("no server");
  return server;
};

let revision = 0;

/** Runs the scripts as the Job does, and gives what they printed. */
async function init({ users = {}, databases = {}, ...run_ }: Wanted): Promise<string> {
  revision += 1;
  const folder = mkdtempSync(join(tmpdir(), "init-"));
  try {
    const passwords = new Map(Object.entries(users).map(([name, user]) => [name, user.password ?? "generated"]));
    for (const [name, text] of Object.entries(scripts)) writeFileSync(join(folder, name), text);
    const document = desiredDocument({ users, databases }, passwords, { source: "a1", revision, ...run_ });
    writeFileSync(join(folder, "desired.json"), document);
    const { PATH = "" } = process.env;
    const { stdout, stderr } = await run("bash", [join(folder, "init.sh")], { env: { PATH, ...alone().env } });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface As {
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
}

/** The answer to a query: rows in lines, columns divided by bars. */
async function query(sql: string, { user, password, database }: As = {}): Promise<string> {
  const { PATH = "" } = process.env;
  const as = {
    ...(user === undefined ? {} : { PGUSER: user }),
    ...(password === undefined ? {} : { PGPASSWORD: password }),
    ...(database === undefined ? {} : { PGDATABASE: database }),
  };
  const args = ["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql];
  const { stdout } = await run("psql", args, { env: { PATH, ...alone().env, ...as } });
  return stdout.replace(/\n$/, "");
}

const comments = `SELECT rolname || ': ' || shobj_description(oid, 'pg_authid') FROM pg_roles
  WHERE shobj_description(oid, 'pg_authid') IS NOT NULL AND rolname <> 'postgres' ORDER BY 1`;
const databases = "SELECT datname FROM pg_database WHERE NOT datistemplate ORDER BY 1";

test("users, databases, roles and their privileges", { skip }, async () => {
  const wanted: Wanted = {
    users: { ann: { password: "a" }, bob: { password: "b", replication: true }, carl: { password: "c" } },
    databases: {
      shop: { roles: { admin: ["ann", "nobody"], readonly: ["bob"] }, extensions: ["earthdistance", "uuid-ossp"] },
      empty: {},
    },
  };
  await init(wanted);
  assert.equal(await query(databases), "empty\npostgres\nshop");
  assert.equal(
    await query(comments),
    [
      ...["ann: user", "bob: user", "carl: user", "empty_admin: role", "empty_readonly: role"],
      ...["shop_admin: role", "shop_readonly: role"],
    ]
      .map((line) => `${line} managed by helm`)
      .join("\n"),
  );
  assert.equal(await query("SELECT rolname FROM pg_roles WHERE rolreplication ORDER BY 1"), "bob\npostgres");
  assert.equal(
    await query("SELECT extname FROM pg_extension ORDER BY 1", { database: "shop" }),
    "cube\nearthdistance\nplpgsql\nuuid-ossp",
  );

  const ann = { user: "ann", password: "a", database: "shop" };
  const bob = { user: "bob", password: "b", database: "shop" };
  await query(
    "CREATE TABLE t(n serial); INSERT INTO t VALUES (7); CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 8'",
    ann,
  );
  assert.equal(await query("SELECT n, f() FROM t", bob), "7|8", "what an admin makes, readers can read");
  await assert.rejects(query("INSERT INTO t VALUES (1)", bob), /permission denied/);

  await query("CREATE SCHEMA later; CREATE TABLE later.t AS SELECT 9 AS n", ann);
  assert.equal(await query("SELECT n FROM later.t", bob), "9", "schemas made later are granted by the event trigger");
  assert.equal(await query("SELECT nspowner::regrole FROM pg_namespace WHERE nspname = 'later'", ann), "shop_admin");
  await assert.rejects(query("SELECT 1 FROM later.t", { ...bob, user: "carl", password: "c" }), /permission denied/);

  await query("CREATE TABLE made_by_superuser AS SELECT 5 AS n", { database: "shop" });
  assert.equal(await query("SELECT n FROM made_by_superuser", bob), "5");

  const before = await query(`SELECT oid, rolname, rolpassword IS NULL FROM pg_authid ORDER BY 1`);
  await init(wanted);
  assert.equal(await query(`SELECT oid, rolname, rolpassword IS NULL FROM pg_authid ORDER BY 1`), before);
});

test("roles follow the lists, and attributes the users", { skip }, async () => {
  const members =
    "SELECT roleid::regrole, member::regrole FROM pg_auth_members WHERE member::regrole::text IN ('ann', 'bob') ORDER BY 1, 2";
  const users = { ann: { password: "new" }, bob: { password: "b" } };
  await init({ users, databases: { shop: { roles: { admin: ["bob"], readonly: ["ann"] } } } });
  assert.equal(await query(members), "shop_admin|bob\nshop_readonly|ann");
  assert.equal(await query("SELECT current_user", { user: "ann", password: "new", database: "shop" }), "ann");
  assert.equal(await query("SELECT rolreplication FROM pg_roles WHERE rolname = 'bob'"), "f");
  await init({ users, databases: { shop: { roles: {} } } });
  assert.equal(await query(members), "");
});

test("what is no longer wanted goes, wherever it owns something; what others made stays", { skip }, async () => {
  const users = { old: { password: "o" }, keep: { password: "k" } };
  const roles = { admin: ["old", "keep"] };
  await init({ users, databases: { gone: { roles }, stays: { roles } } });
  const old = { user: "old", password: "o" };
  await query("CREATE TABLE mine AS SELECT 1 AS n", { ...old, database: "stays" });
  await query("CREATE TABLE mine AS SELECT 1 AS n", { ...old, database: "gone" });
  // In a database that is not declared, as the operator's first one.
  await query("GRANT CREATE ON SCHEMA public TO PUBLIC");
  await query(
    "CREATE VIEW peek AS SELECT * FROM pg_authid; CREATE FUNCTION power() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT current_user::text'",
    old,
  );
  await query("CREATE ROLE made_by_hand");
  await query("CREATE DATABASE by_hand OWNER old");
  await query("SELECT pg_create_logical_replication_slot('slot', 'pgoutput')", { database: "gone" });

  await init({ users: { keep: { password: "k" } }, databases: { stays: { roles: { admin: ["keep"] } } } });
  assert.equal(await query(databases), "by_hand\npostgres\nstays");
  assert.equal(
    await query("SELECT count(*) FROM pg_roles WHERE rolname IN ('old', 'gone_admin', 'gone_readonly')"),
    "0",
  );
  assert.equal(await query("SELECT count(*) FROM pg_roles WHERE rolname = 'made_by_hand'"), "1");
  const keep = { user: "keep", password: "k", database: "stays" };
  assert.equal(await query("SELECT tableowner FROM pg_tables WHERE tablename = 'mine'", keep), "stays_admin");
  await query("DROP TABLE mine", keep);
  assert.equal(await query("SELECT power()"), "cozystack_orphaned", "never the superuser's power");
  await assert.rejects(query("SELECT * FROM peek", { user: "keep", password: "k" }), /permission denied/);
  await query("DROP DATABASE by_hand");
  await query("DROP VIEW peek; DROP FUNCTION power(); DROP ROLE made_by_hand");
});

test("what an extension withholds from everybody stays withheld", { skip }, async () => {
  const wanted = {
    users: { eve: { password: "e" } },
    databases: { ext: { roles: { admin: ["eve"] }, extensions: ["dblink"] } },
  };
  await init(wanted);
  // As upstream left it.
  await query("GRANT ALL ON ALL FUNCTIONS IN SCHEMA public TO ext_admin", { database: "ext" });
  await init(wanted);
  const eve = { user: "eve", password: "e", database: "ext" };
  await assert.rejects(query("SELECT dblink_connect_u('host=/tmp')", eve), /permission denied for function/);
});

test("a tenant's own objects are not run by the superuser", { skip }, async () => {
  const wanted = { users: { eve: { password: "e" } }, databases: { ext: { roles: { admin: ["eve"] } } } };
  await init(wanted);
  const eve = { user: "eve", password: "e", database: "ext" };
  // Operators and functions that would be chosen if public were searched, and one in place of upstream's function.
  await query(
    `CREATE FUNCTION public.trap(name, text) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN
       EXECUTE 'ALTER ROLE eve SUPERUSER'; RETURN true; END$$;
     CREATE OPERATOR public.= (FUNCTION = public.trap, LEFTARG = name, RIGHTARG = text);
     CREATE FUNCTION public.format(text, name) RETURNS text LANGUAGE sql AS 'SELECT ''ALTER ROLE eve SUPERUSER''';
     CREATE FUNCTION public.auto_grant_schema_privileges() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN
       EXECUTE 'ALTER ROLE eve SUPERUSER'; END$$;
     ALTER DATABASE ext SET search_path = public, pg_catalog;`,
    eve,
  );
  await init(wanted);
  await query("CREATE SCHEMA by_superuser", { database: "ext" });
  assert.equal(await query("SELECT rolsuper FROM pg_roles WHERE rolname = 'eve'"), "f");
});

test("a user with the name of a database's role is both, and no way in once removed", { skip }, async () => {
  await init({ users: { two_admin: { password: "t" } }, databases: { two: { roles: { admin: ["two_admin"] } } } });
  assert.equal(await query("SELECT 1", { user: "two_admin", password: "t", database: "two" }), "1");
  await init({ databases: { two: {} } });
  await assert.rejects(
    query("SELECT 1", { user: "two_admin", password: "t", database: "two" }),
    /not permitted to log in/,
  );
});

const texts = [
  "quote'\"`",
  "$HOME $(id) \u0024{x} `id` $$ $1 %I %L",
  "back\\slash \\q \\! id\\",
  "line\nbreak\ttab\r",
  "-c -d --help",
  "a=b host=x",
  "postgresql://x",
  "ünï ☃ 𝔘",
  "; DROP TABLE x; --",
  " lead and trail ",
  '{{ .Values }} {"a":1}',
  ":name :'name' :\"name\"",
];

test("any text is a name or a password, and nothing else", { skip }, async () => {
  const users = Object.fromEntries(texts.map((text) => [`u ${text}`, { password: `p ${text}` }]));
  const roles = { admin: Object.keys(users) };
  const wanted = Object.fromEntries(texts.map((text) => [text.slice(0, 40), { roles }]));
  await init({ users, databases: wanted });
  for (const text of texts) {
    const as = { user: `u ${text}`, password: `p ${text}`, database: text.slice(0, 40) };
    // A connection string in the place of a name would lead elsewhere.
    assert.equal(await query("SELECT current_user || '@' || current_database()", as), `${as.user}@${as.database}`);
  }
  const count = "SELECT (SELECT count(*) FROM pg_database), (SELECT count(*) FROM pg_roles WHERE rolname !~ '^pg_')";
  assert.equal(await query(count), `${3 + texts.length}|${2 + 3 * texts.length}`);
  await init({});
  // Left are the superuser, the two templates, and the role that was given what had no other owner.
  assert.equal(await query(count), "3|2");
});

test("passwords are in no log, of the server or of the Job", { skip }, async () => {
  const users = { quiet: { password: "Hush-4711" } };
  const printed = await init({ users, databases: { quiet: {} } });
  // A name that PostgreSQL refuses, so that the statement with the next password is never reached but the run fails.
  const failed = await init({ users: { ...users, pg_x: { password: "Hush-4712" } } }).then(() => "", String);
  assert.match(failed, /role name "pg_x" is reserved/);
  await query("SELECT 'the log is on'");
  const log = alone().log();
  assert.match(log, /the log is on/);
  for (const text of [printed, failed, log]) assert.doesNotMatch(text, /Hush-471/);
  await init({});
});

test("of two runs the later one wins, whichever comes last", { skip }, async () => {
  const one = { users: { one: { password: "1" } } };
  const two = { users: { two: { password: "2" } } };
  const managed =
    "SELECT string_agg(rolname, ',' ORDER BY rolname) FROM pg_roles WHERE shobj_description(oid, 'pg_authid') = 'user managed by helm'";
  await init({ ...two, source: "b2", revision: 8 });
  assert.match(await init({ ...one, source: "b2", revision: 7 }), /later version/);
  assert.equal(await query(managed), "two");
  await init({ ...two, source: "b2", revision: 8 });
  await init({ ...one, source: "c3", revision: 1 });
  assert.equal(await query(managed), "one", "revisions of another application do not count");

  const both = await Promise.all([
    init({ ...two, source: "d4", revision: 2 }),
    init({ ...one, source: "d4", revision: 1 }),
    init({ ...two, source: "d4", revision: 2 }),
  ]);
  assert.equal(await query(managed), "two", both.join("\n"));
});

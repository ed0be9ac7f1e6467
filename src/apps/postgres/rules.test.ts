import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Refusal } from "../../sdk/errors.ts";
import { postgres } from "./index.ts";

const demo = (given: RenderGiven) => renderApp(postgres, given);
const keys = { s3AccessKey: "AK", s3SecretKey: "SK" };
const bootstrap = { enabled: true, oldName: "old" };

const refused = [
  { why: "a version that does not exist", spec: { version: "v9" }, field: "spec.version", says: /v18, v17/ },
  { why: "an empty size", spec: { size: "" }, field: "spec.size", says: /./ },
  {
    why: "limits in resources",
    spec: { resources: { limits: { cpu: 1 } } },
    field: "spec.resources.limits",
    says: /./,
  },
  {
    why: "a parameter that loads code, in other letters",
    spec: { postgresql: { parameters: { Shared_Preload_Libraries: "evil" } } },
    field: "spec.postgresql.parameters.Shared_Preload_Libraries",
    says: /SECURITY: .*Shared_Preload_Libraries/,
  },
  {
    why: "a parameter's name with another line in it",
    spec: { postgresql: { parameters: { "work_mem = '1MB'\nshared_preload_libraries": "evil" } } },
    field: "spec.postgresql.parameters",
    says: /work_mem/,
  },
  {
    why: "a parameter's value with another line in it",
    spec: { postgresql: { parameters: { work_mem: "1MB'\nshared_preload_libraries = 'evil" } } },
    field: "spec.postgresql.parameters.work_mem",
    says: /./,
  },
  {
    why: "the superuser as a user",
    spec: { users: { postgres: {} } },
    field: "spec.users.postgres",
    says: /superuser/,
  },
  { why: "PostgreSQL's own roles", spec: { users: { pg_monitor: {} } }, field: "spec.users.pg_monitor", says: /pg_/ },
  {
    why: "the operator's role",
    spec: { users: { streaming_replica: {} } },
    field: "spec.users.streaming_replica",
    says: /operator/,
  },
  { why: "a user that is no key of a Secret", spec: { users: { "a b": {} } }, field: "spec.users", says: /a b/ },
  {
    why: "a template as a database",
    spec: { databases: { template1: {} } },
    field: 'spec.databases["template1"]',
    says: /./,
  },
  {
    why: "a database whose roles would have names of 64 bytes",
    spec: { databases: { [`${"ü".repeat(27)}d`]: {} } },
    field: `spec.databases["${"ü".repeat(27)}d"]`,
    says: /54 bytes.*55/,
  },
  {
    why: "a restore from the system bucket",
    spec: { bootstrap, backup: { enabled: true, useSystemBucket: true } },
    field: "spec.bootstrap.enabled",
    says: /RestoreJob.*cozy-default/,
  },
  {
    why: "a restore without credentials",
    spec: { bootstrap, backup: { s3AccessKey: "AK" } },
    field: "spec.backup.s3CredentialsSecret.name",
    says: /s3SecretKey/,
  },
  {
    why: "a restore of nothing",
    spec: { bootstrap: { enabled: true }, backup: keys },
    field: "spec.bootstrap.oldName",
    says: /oldName/,
  },
] as const;

for (const { why, spec, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo({ spec }),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}

test("a restored cluster may have had the superuser among its users", () => {
  demo({ spec: { bootstrap, backup: keys, users: { postgres: { password: "x" } } } });
});

test("names: the operator's limit is 50 characters with the prefix", () => {
  assert.equal(postgres.longestName, 41);
  demo({ name: "a".repeat(41) });
  assert.throws(() => demo({ name: "a".repeat(42) }), { code: "NameTooLong", field: "metadata.name" });
});

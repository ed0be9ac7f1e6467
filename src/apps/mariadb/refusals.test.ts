import assert from "node:assert/strict";
import { test } from "node:test";
import { renderApp } from "../../../test/support/render.ts";
import { Refusal } from "../../sdk/errors.ts";
import { mariadb } from "./index.ts";

const ann = { password: "", maxUserConnections: 10 };
const roles = (of: object) => ({ databases: { d: { roles: of } } });
const dumps = (backup: object) => ({ backup: { enabled: true, ...backup } });
const refused = [
  { why: "a version that does not exist", spec: { version: "v9" }, field: "spec.version", says: /v11\.8, v11\.4/ },
  { why: "a negative number of replicas", spec: { replicas: -1 }, field: "spec.replicas", says: /0/ },
  {
    why: "a user without a password",
    spec: { users: { a: { maxUserConnections: 1 } } },
    field: "spec.users.a",
    says: /password/,
  },
  { why: "a user in capitals", spec: { users: { Ann: ann } }, field: "spec.users", says: /Ann/ },
  { why: "the operator's own user", spec: { users: { metrics: ann } }, field: "spec.users.metrics", says: /operator/ },
  {
    why: "a user's name of 81 characters",
    spec: { users: { ["x".repeat(81)]: ann } },
    field: `spec.users.${"x".repeat(81)}`,
    says: /80/,
  },
  {
    why: "a database of the server itself",
    spec: { databases: { mysql: {} } },
    field: "spec.databases.mysql",
    says: /server/,
  },
  {
    why: "a database's name of 65 characters",
    spec: { databases: { ["x".repeat(65)]: {} } },
    field: `spec.databases.${"x".repeat(65)}`,
    says: /64/,
  },
  {
    why: "a member of two lines",
    spec: roles({ admin: ["a\nb"] }),
    field: "spec.databases.d.roles.admin[0]",
    says: /./,
  },
  { why: "users whose names become the same", spec: { users: { a_b: ann, "a-b": ann } }, field: "spec", says: /twice/ },
  {
    why: "a user with two roles in one database",
    spec: roles({ admin: ["a"], readonly: ["a"] }),
    field: "spec",
    says: /Grant mariadb-demo-d-a/,
  },
  {
    why: "dumps without a schedule",
    spec: dumps({ schedule: "" }),
    field: "spec.backup.schedule",
    says: /must be set/,
  },
  { why: "dumps without a bucket", spec: dumps({ s3Bucket: "" }), field: "spec.backup.s3Bucket", says: /must be set/ },
  {
    why: "dumps without a strategy",
    spec: dumps({ cleanupStrategy: "" }),
    field: "spec.backup.cleanupStrategy",
    says: /must be set/,
  },
  {
    why: "dumps without an access key",
    spec: dumps({ s3AccessKey: "" }),
    field: "spec.backup.s3AccessKey",
    says: /must be set/,
  },
  {
    why: "dumps without a secret key",
    spec: dumps({ s3SecretKey: "" }),
    field: "spec.backup.s3SecretKey",
    says: /must be set/,
  },
  {
    why: "dumps without a password",
    spec: dumps({ resticPassword: "" }),
    field: "spec.backup.resticPassword",
    says: /must be set/,
  },
] as const;

for (const { why, spec, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => renderApp(mariadb, { spec }),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}

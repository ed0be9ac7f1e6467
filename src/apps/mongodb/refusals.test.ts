import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Refusal } from "../../sdk/errors.ts";
import { mongodb } from "./index.ts";

const demo = (given: RenderGiven) => renderApp(mongodb, given);

const keys = { s3AccessKey: "AK", s3SecretKey: "SK" };
const bootstrap = { enabled: true, backupName: "b" };
const shard = (name: string) => ({ name, size: "1Gi", replicas: 3 });
const sharded = (...shards: readonly object[]) => ({ sharding: true, shardingConfig: { shards } });
const roles = (...admin: readonly string[]) => ({ d: { roles: { admin } } });

const refused = [
  { why: "a negative number of replicas", spec: { replicas: -1 }, field: "spec.replicas", says: /0/ },
  {
    why: "a user without any role",
    spec: { users: { a: {} }, databases: roles() },
    field: "spec.users.a",
    says: /no role/,
  },
  { why: "a user without any database", spec: { users: { lonely: {} } }, field: "spec.users.lonely", says: /lonely/ },
  {
    why: "a user named as the operator's",
    spec: { users: { backup: {} }, databases: roles("backup") },
    field: "spec.users.backup",
    says: /operator has one/,
  },
  {
    why: "a shard named as the config servers",
    spec: sharded(shard("cfg")),
    field: "spec.shardingConfig.shards",
    says: /other parts/,
  },
  { why: "sharding without shards", spec: sharded(), field: "spec.shardingConfig.shards", says: /at least one/ },
  {
    why: "backups without an access key",
    spec: { backup: { enabled: true, s3SecretKey: "SK" } },
    field: "spec.backup.s3AccessKey",
    says: /backup needs backup.s3AccessKey/,
  },
  {
    why: "backups without a secret key",
    spec: { backup: { enabled: true, s3AccessKey: "AK" } },
    field: "spec.backup.s3SecretKey",
    says: /backup needs backup.s3SecretKey/,
  },
  {
    why: "backups into no bucket",
    spec: { backup: { enabled: true, ...keys, destinationPath: "s3:///x" } },
    field: "spec.backup.destinationPath",
    says: /bucket/,
  },
  {
    why: "backups into something that is no bucket",
    spec: { backup: { enabled: true, ...keys, destinationPath: "s3://$(id)/x" } },
    field: "spec.backup.destinationPath",
    says: /bucket/,
  },
  {
    why: "a restore without a name",
    spec: { bootstrap: { enabled: true }, backup: { ...keys, destinationPath: "", endpointURL: "" } },
    field: "spec.bootstrap.backupName",
    says: /must be set/,
  },
  {
    why: "a restore without a place",
    spec: { bootstrap, backup: { ...keys, destinationPath: "", endpointURL: "" } },
    field: "spec.backup.destinationPath",
    says: /bootstrap needs/,
  },
  {
    why: "a restore without an address",
    spec: { bootstrap, backup: { ...keys, endpointURL: "" } },
    field: "spec.backup.endpointURL",
    says: /bootstrap needs/,
  },
  { why: "a restore without keys", spec: { bootstrap }, field: "spec.backup.s3AccessKey", says: /bootstrap needs/ },
  {
    why: "a restore to a moment that is none",
    spec: { bootstrap: { ...bootstrap, recoveryTime: "2025-13-01 10:00:00" }, backup: keys },
    field: "spec.bootstrap.recoveryTime",
    says: /date and a time/,
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

const live = demo({ spec: sharded({ ...shard("a"), size: "2Gi" }, shard("b")) }).objects.slice(0, 1);

test("refuses a shard's volume that shrinks, wherever it is in the list", () => {
  const isSmaller = (error: unknown) =>
    error instanceof Refusal && error.field === "spec.shardingConfig.shards[1].size" && /2Gi/.test(error.message);
  assert.throws(() => demo({ spec: sharded(shard("b"), shard("a")), existing: live }), isSmaller);
  const grown = sharded(shard("c"), { ...shard("a"), size: "2048Mi" }, { ...shard("b"), size: "2Gi" });
  assert.doesNotThrow(() => demo({ spec: grown, existing: live }));
});

test("refuses a shard's volume of nothing", () => {
  const spec = sharded({ ...shard("a"), size: "0Gi" });
  assert.throws(() => demo({ spec }), /shards\[0\]\.size: the size of a volume must be more than 0/);
});

test("a user with a role in one of several databases is enough", () => {
  const databases = { ...roles(), e: { roles: { readonly: ["a"] } }, f: {} };
  assert.doesNotThrow(() => demo({ spec: { users: { a: {} }, databases } }));
});

test("what a backup would need is not asked for where there is none", () => {
  assert.doesNotThrow(() => demo({ spec: { backup: { destinationPath: "", endpointURL: "" } } }));
});

test("the longest name has room for one replica set, and for its routers only where it is shorter", () => {
  const name = "x".repeat(mongodb.longestName);
  assert.equal(`mongodb-${name}-rs0`.length, 52);
  assert.doesNotThrow(() => demo({ name }));
  const isTooLong = (error: unknown) =>
    error instanceof Refusal && error.code === "NameTooLong" && error.field === "metadata.name";
  assert.throws(() => demo({ name, spec: { sharding: true } }), isTooLong);
  const shorter = name.slice(3);
  assert.doesNotThrow(() => demo({ name: shorter, spec: { sharding: true } }));
  assert.throws(() => demo({ name: shorter, spec: sharded(shard("a-longer-one")) }), isTooLong);
});

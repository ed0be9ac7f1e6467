import assert from "node:assert/strict";
import { test } from "node:test";
import { renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { mongodb } from "./index.ts";

const demo = (given: { readonly spec: object }) => renderApp(mongodb, given);
const step = (value: unknown, at: string | number): unknown =>
  typeof at === "string" ? valueAt(value, at) : Array.isArray(value) ? value[at] : undefined;
const at = (spec: object, ...path: readonly (string | number)[]) =>
  path.reduce(step, valueAt(demo({ spec }).object("PerconaServerMongoDB", "mongodb-demo"), "spec"));

const keys = { s3AccessKey: "AK", s3SecretKey: "SK" };
const paths = [
  { path: "s3://my-backup-bucket/mongodb/prod/", bucket: "my-backup-bucket", prefix: "mongodb/prod/" },
  { path: "s3://bucket/path/to/backups/", bucket: "bucket", prefix: "path/to/backups/" },
  { path: "s3://bucket/path", bucket: "bucket", prefix: "path" },
  { path: "s3://bucket", bucket: "bucket", prefix: undefined },
  { path: "s3://bucket/", bucket: "bucket", prefix: undefined },
  { path: "bucket/path", bucket: "bucket", prefix: "path" },
] as const;

for (const { path, bucket, prefix } of paths) {
  test(`backups go to ${path}`, () => {
    const backup = { enabled: true, ...keys, destinationPath: path };
    const s3 = at({ backup }, "backup", "storages", "s3-storage", "s3");
    assert.deepEqual([valueAt(s3, "bucket"), valueAt(s3, "prefix")], [bucket, prefix]);
  });
}

test("backups have a schedule, an access and the log between them", () => {
  const backup = {
    enabled: true,
    ...keys,
    schedule: "0 3 * * *",
    endpointURL: "https://s3.example.org",
    insecureSkipTLSVerify: true,
  };
  assert.partialDeepStrictEqual(at({ backup }, "backup"), {
    enabled: true,
    pitr: { enabled: true },
    tasks: [{ name: "daily-backup", schedule: "0 3 * * *", storageName: "s3-storage", type: "logical" }],
  });
  assert.partialDeepStrictEqual(at({ backup }, "backup", "storages", "s3-storage", "s3"), {
    endpointUrl: "https://s3.example.org",
    credentialsSecret: "mongodb-demo-s3-creds",
    insecureSkipTLSVerify: true,
    forcePathStyle: true,
  });
  const secret = demo({ spec: { backup } }).object("Secret", "mongodb-demo-s3-creds");
  assert.deepEqual(valueAt(secret, "stringData"), { AWS_ACCESS_KEY_ID: "AK", AWS_SECRET_ACCESS_KEY: "SK" });
});

for (const [policy, keep] of [
  ["14d", 14],
  ["7", 7],
  ["4w", 0],
  ["", 0],
] as const) {
  test(`a retention of ${JSON.stringify(policy)} keeps ${keep}`, () => {
    const backup = { enabled: true, ...keys, retentionPolicy: policy };
    assert.equal(at({ backup }, "backup", "tasks", 0, "keep"), keep);
  });
}

const restores = (spec: object) =>
  demo({ spec }).manifests.filter(({ object }) => object.kind === "PerconaServerMongoDBRestore");
const bootstrap = { enabled: true, backupName: "backup" };
const source = { ...keys, destinationPath: "s3://bucket/path/", endpointURL: "http://minio:9000" };

test("a restore runs once, names its backup and says where it is", () => {
  const [manifest] = restores({ bootstrap, backup: source });
  assert.equal(manifest?.policy, "runOnce");
  assert.deepEqual(valueAt(manifest?.object, "spec"), {
    clusterName: "mongodb-demo",
    backupSource: {
      type: "logical",
      destination: "s3://bucket/path/backup",
      s3: {
        bucket: "bucket",
        prefix: "path/",
        endpointUrl: "http://minio:9000",
        credentialsSecret: "mongodb-demo-s3-creds",
        insecureSkipTLSVerify: false,
        forcePathStyle: true,
      },
    },
  });
  assert.deepEqual(restores({ backup: { ...source, enabled: true } }), []);
});

test("another backup or another moment is another restore; another key or address is none", () => {
  const name = (more: object, backup: object = source) =>
    restores({ bootstrap: { ...bootstrap, ...more }, backup })[0]?.object.metadata.name;
  const time = { recoveryTime: "2025-05-01 10:00:00" };
  assert.equal(new Set([name({}), name({ backupName: "b" }), name(time)]).size, 3);
  assert.equal(name({}), name({}, { ...source, s3AccessKey: "other", endpointURL: "http://other" }));
  const [manifest] = restores({ bootstrap: { ...bootstrap, ...time }, backup: source });
  assert.deepEqual(valueAt(manifest?.object, "spec", "pitr"), { type: "date", date: "2025-05-01 10:00:00" });
});

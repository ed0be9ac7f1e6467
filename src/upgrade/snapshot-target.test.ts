import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type BackupCredentials,
  type BucketClaimState,
  claimStateOf,
  credentialsOf,
  type SnapshotTarget,
  type StrategyTarget,
  snapshotTarget,
  strategyTargetOf,
} from "./snapshot-target.ts";

const credentials: BackupCredentials = {
  hasKeyId: true,
  hasSecretKey: true,
  bucketName: "bucket-1",
  endpoint: "http://s3.example.org",
  region: "",
  forcePathStyle: "",
};
const strategy: StrategyTarget = {
  endpoint: "http://seaweedfs-s3.tenant-root.svc:8333",
  bucket: "from-strategy",
  region: "us-east-1",
  forcePathStyle: true,
};
const claim = (bucketName: string, terminating = false): BucketClaimState => ({
  namespace: "tenant-root",
  name: "c",
  bucketName,
  terminating,
});
const live = [claim("other"), claim("bucket-1")];

interface Row {
  readonly why: string;
  readonly credentials?: Partial<BackupCredentials> | "none";
  readonly strategy?: StrategyTarget | "none";
  readonly claims?: readonly BucketClaimState[];
  readonly is: SnapshotTarget["is"];
  readonly at?: readonly [endpoint: string, bucket: string, region: string, style: boolean | undefined];
  readonly missing?: RegExp;
}

const rows: readonly Row[] = [
  {
    why: "a live claim: the Secret's, over TLS, gaps filled by the strategy",
    claims: live,
    is: "cosi",
    at: ["https://s3.example.org", "bucket-1", "us-east-1", true],
  },
  {
    why: "a live claim without a strategy",
    strategy: "none",
    claims: live,
    is: "cosi",
    at: ["https://s3.example.org", "bucket-1", "", undefined],
  },
  {
    why: "no endpoint in the Secret",
    credentials: { endpoint: "" },
    claims: live,
    is: "cosi",
    at: ["https://seaweedfs-s3.tenant-root.svc:8333", "bucket-1", "us-east-1", true],
  },
  {
    why: "a live and a terminating claim",
    claims: [claim("bucket-1", true), claim("bucket-1")],
    is: "cosi",
  },
  {
    why: "no claim of it: all from the strategy, as it is written",
    claims: [claim("other")],
    is: "external",
    at: [strategy.endpoint, "from-strategy", "us-east-1", true],
  },
  { why: "no claims at all", is: "external" },
  {
    why: "no name of a bucket, beside claims that have none yet",
    credentials: { bucketName: "" },
    claims: [claim("")],
    is: "external",
  },
  { why: "only a terminating claim", claims: [claim("bucket-1", true)], is: "terminating" },
  { why: "no Secret", credentials: "none", claims: live, is: "incomplete", missing: /Secret cozy-velero/ },
  {
    why: "half a Secret",
    credentials: { hasSecretKey: false },
    claims: live,
    is: "incomplete",
    missing: /^AWS_SECRET/,
  },
  { why: "external without a strategy", strategy: "none", is: "incomplete", missing: /cozy-default-etcd/ },
  {
    why: "external without an endpoint",
    strategy: { ...strategy, endpoint: "" },
    is: "incomplete",
    missing: /endpoint/,
  },
];

for (const row of rows)
  test(`snapshots: ${row.why}: ${row.is}`, () => {
    const target = snapshotTarget({
      credentials: row.credentials === "none" ? undefined : { ...credentials, ...row.credentials },
      strategy: row.strategy === "none" ? undefined : (row.strategy ?? strategy),
      claims: row.claims ?? [],
    });
    assert.equal(target.is, row.is);
    if (row.at !== undefined) {
      assert.ok(target.is === "cosi" || target.is === "external");
      const { endpoint, bucket, region, forcePathStyle } = target.at;
      assert.deepEqual([endpoint, bucket, region, forcePathStyle], row.at);
    }
    if (row.missing !== undefined) assert.match(target.is === "incomplete" ? target.missing.join() : "", row.missing);
  });

test("of the Secret only what is no secret is taken", () => {
  const data = Object.fromEntries(
    Object.entries({ AWS_ACCESS_KEY_ID: "hunter1", AWS_SECRET_ACCESS_KEY: "hunter2", bucketName: "b" }).map(
      ([key, value]) => [key, Buffer.from(value).toString("base64")],
    ),
  );
  const found = credentialsOf({ data });
  assert.deepEqual(found, { ...credentials, bucketName: "b", endpoint: "" });
  assert.doesNotMatch(JSON.stringify(found), /hunter/);
  assert.equal(credentialsOf({ data: { ...data, AWS_SECRET_ACCESS_KEY: "" } }).hasSecretKey, false);
});

test("strategies and claims are read as they are stored", () => {
  const s3 = { endpoint: "http://e", bucket: "b", region: "r", forcePathStyle: false };
  assert.deepEqual(strategyTargetOf({ spec: { template: { destination: { s3 } } } }), s3);
  assert.deepEqual(claimStateOf({ metadata: { name: "c", namespace: "n", deletionTimestamp: "now" } }), {
    namespace: "n",
    name: "c",
    bucketName: "",
    terminating: true,
  });
});

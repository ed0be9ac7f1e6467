import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { base64, classes, driverSecret, infoOf } from "./fixture.ts";
import { bucket } from "./index.ts";

const demo = (given: RenderGiven = {}) =>
  renderApp(bucket, { ...given, existing: [...classes(), ...(given.existing ?? [])] });

const classNames = [
  {
    why: "the storage's own class",
    spec: {},
    bucketClass: "tenant-root",
    access: ["tenant-root", "tenant-root-readonly"],
  },
  {
    why: "a lock is the bucket's, not its users'",
    spec: { locking: true },
    bucketClass: "tenant-root-lock",
    access: ["tenant-root", "tenant-root-readonly"],
  },
  {
    why: "a pool is both's",
    spec: { storagePool: "fast", locking: true },
    bucketClass: "tenant-root-fast-lock",
    access: ["tenant-root-fast", "tenant-root-fast-readonly"],
  },
] as const;

for (const { why, spec, bucketClass, access } of classNames) {
  test(`classes: ${why}`, () => {
    const rendered = demo({ spec: { ...spec, users: { writer: { readonly: false }, reader: { readonly: true } } } });
    assert.equal(valueAt(rendered.object("BucketClaim", "bucket-demo"), "spec", "bucketClassName"), bucketClass);
    const found = ["writer", "reader"].map((user) =>
      valueAt(rendered.object("BucketAccess", `bucket-demo-${user}`), "spec", "bucketAccessClassName"),
    );
    assert.deepEqual(found, access);
    const named = rendered.instance.needs.flatMap((need) =>
      need.type === "object" && need.required ? [need.name] : [],
    );
    assert.deepEqual(named.sort(), [bucketClass, ...access].sort());
  });
}

test("a pool that does not exist is waited for by name, before a claim that nobody would answer is made", () => {
  const spec = { storagePool: "slow" };
  assert.throws(() => demo({ spec }), /BucketClass tenant-root-slow/);
});

test("without object storage the bucket is refused, and says who can change that", () => {
  assert.throws(
    () => demo({ values: { seaweedfs: "" } }),
    (error) => error instanceof Refusal && error.code === "InvalidPlatform" && /spec.seaweedfs/.test(error.remedy),
  );
});

test("deleting works without object storage: nothing but render refuses", () => {
  const rendered = () => demo({ values: { seaweedfs: "" } });
  assert.throws(rendered, Refusal);
  const context = {
    cluster: {},
    namespace: { host: "", etcd: "", ingress: "", gateway: "", monitoring: "", seaweedfs: "", schedulingClass: "" },
    tenant: { namespace: "tenant-foo", ancestors: ["tenant-root"] },
    chartVersion: "0.0.0",
    apis: new Set<string>(),
  };
  const instance = bucket.instance({ name: "demo", namespace: "tenant-foo", spec: {} }, context);
  assert.deepEqual(instance.storage, [{ group: "objectstorage.k8s.io", kind: "BucketClaim", names: ["bucket-demo"] }]);
  assert.equal(instance.leftovers.length, 3);
});

test("credentials are what the driver's document says, under readable keys", () => {
  const existing = [driverSecret("alice", infoOf("alice"))];
  const secret = demo({ spec: { users: { alice: {}, bob: {} } }, existing }).object(
    "Secret",
    "bucket-demo-alice-credentials",
  );
  assert.deepEqual(valueAt(secret, "data"), {
    accessKey: base64("key-of-alice"),
    secretKey: base64("secret-of-alice"),
    endpoint: base64("s3.example.org:8333"),
    bucketName: base64("bucket-1234"),
  });
  assert.equal(valueAt(secret, "metadata", "labels", "apps.cozystack.io/user-secret"), "true");
  assert.equal(valueAt(secret, "type"), "Opaque");
});

const unreadable: readonly { readonly why: string; readonly info: unknown }[] = [
  { why: "no JSON", info: "{" },
  { why: "an empty document", info: "" },
  { why: "a list", info: [] },
  { why: "null", info: "null" },
  { why: "no keys", info: { spec: { bucketName: "x" } } },
  {
    why: "a key that is no text",
    info: { spec: { bucketName: "x", secretS3: { accessKeyID: 1, accessSecretKey: "y", endpoint: "z" } } },
  },
  { why: "no bucket name", info: { spec: { secretS3: { accessKeyID: "x", accessSecretKey: "y", endpoint: "z" } } } },
  {
    why: "an empty endpoint",
    info: { spec: { bucketName: "x", secretS3: { accessKeyID: "x", accessSecretKey: "y", endpoint: "" } } },
  },
];

for (const { why, info } of unreadable) {
  test(`a driver's document with ${why} is waited out: everything else is rendered`, () => {
    const existing = [driverSecret("alice", info), driverSecret("bob", infoOf("bob"))];
    const rendered = demo({ spec: { users: { alice: {}, bob: {} } }, existing });
    assert.equal(rendered.object("Secret", "bucket-demo-alice-credentials"), undefined);
    for (const name of ["bucket-demo-bob-credentials"]) assert.ok(rendered.object("Secret", name));
    assert.ok(rendered.object("BucketAccess", "bucket-demo-alice") && rendered.object("Service", "bucket-demo-ui"));
  });
}

test("a Secret of the driver without its document, or none, is waited out as well", () => {
  const spec = { users: { alice: {}, bob: {} } };
  const rendered = demo({ spec, existing: [Secret("bucket-demo-alice", { data: { other: "eA==" } })] });
  assert.deepEqual(
    rendered.objects.filter(({ kind }) => kind === "Secret"),
    [],
  );
  assert.ok(rendered.object("Deployment", "bucket-demo-ui"));
});

test("a user's keys are watched for, and in no other object", () => {
  const existing = [driverSecret("alice", infoOf("alice"))];
  const rendered = demo({ spec: { users: { alice: {} } }, existing });
  const watched = rendered.instance.needs.flatMap((need) =>
    need.type === "object" && !need.required ? [need.name] : [],
  );
  assert.deepEqual(watched, ["bucket-demo-alice", "bucket-demo-alice-credentials"]);
  const others = JSON.stringify(rendered.objects.filter(({ kind }) => kind !== "Secret"));
  for (const secret of ["secret-of-alice", "key-of-alice"]) {
    assert.ok(!others.includes(secret) && !others.includes(base64(secret)));
  }
});

test("while the driver grants anew, what was published stays, and the page does not start anew", () => {
  const spec = { users: { alice: {}, bob: {} } };
  const granted = demo({
    spec,
    existing: [driverSecret("alice", infoOf("alice")), driverSecret("bob", infoOf("bob"))],
  });
  const shown = granted.objects.filter(({ kind }) => kind === "Secret");
  assert.equal(shown.length, 2);
  assert.deepEqual(demo({ spec, existing: shown }).objects, granted.objects);
  // The driver's word goes before.
  const anew = demo({ spec, existing: [...shown, driverSecret("bob", infoOf("bob", "https://other.example.org"))] });
  const endpoint = valueAt(anew.object("Secret", "bucket-demo-bob-credentials"), "data", "endpoint");
  assert.equal(endpoint, base64("other.example.org"));
  // Who is no user any more has no credentials.
  const fewer = demo({ spec: { users: { alice: {} } }, existing: shown });
  assert.equal(fewer.object("Secret", "bucket-demo-bob-credentials"), undefined);
});

test("people may read their own credentials and the page, and no other Secret when there are no users", () => {
  const rules = (users: object) =>
    valueAt(demo({ spec: { users } }).object("Role", "bucket-demo-dashboard-resources"), "rules");
  const read = { verbs: ["get", "list", "watch"] };
  const page = {
    apiGroups: ["networking.k8s.io"],
    resources: ["ingresses"],
    resourceNames: ["bucket-demo-ui"],
    ...read,
  };
  assert.deepEqual(rules({}), [page]);
  const secrets = { apiGroups: [""], resources: ["secrets"], resourceNames: ["bucket-demo-a-credentials"], ...read };
  assert.deepEqual(rules({ a: {} }), [secrets, page]);
});

test("other rights mean another access, and a bucket to be kept stays", () => {
  const rendered = demo({ spec: { users: { a: {} }, reclaimPolicy: "Retain" } });
  assert.deepEqual(rendered.manifest("BucketAccess", "bucket-demo-a")?.replaceOn, ["/spec/bucketAccessClassName"]);
  assert.equal(rendered.manifest("BucketClaim", "bucket-demo")?.policy, "keep");
  assert.equal(demo().manifest("BucketClaim", "bucket-demo")?.policy, "managed");
});

test("what a certificate leaves behind is found by this bucket's host and name, nothing else", () => {
  const { leftovers } = demo().instance;
  const equals = "bucket-demo.foo.example.org";
  assert.deepEqual(
    leftovers.map(({ kind, ...rest }) => ({ kind: kind.kind, ...rest })),
    [
      { kind: "Certificate", names: ["bucket-demo-ui-tls"] },
      { kind: "Challenge", where: { path: ["spec", "dnsName"], equals } },
      {
        kind: "Ingress",
        labels: { "acme.cert-manager.io/http01-solver": "true" },
        where: { path: ["spec", "rules", 0, "host"], equals },
      },
    ],
  );
});

test("users whose Secrets would have one name are refused", () => {
  const spec = { users: { a: {}, "a-credentials": {} } };
  assert.throws(
    () => demo({ spec }),
    (error) => error instanceof Refusal && error.field === "spec.users.a",
  );
});

const badUsers = ["", "Alice", "a_b", "-a", "a.b", "a\nb", "x'", "{{ . }}", "ü"] as const;
for (const user of badUsers) {
  test(`a user named ${JSON.stringify(user)} is refused`, () => {
    assert.throws(() => demo({ spec: { users: { [user]: {} } } }), Refusal);
  });
}

const users = fc.dictionary(
  fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/),
  fc.record({ readonly: fc.boolean() }, { requiredKeys: [] }),
  { maxKeys: 8 },
);

test("property: every user has one access, rights follow the user, and order does not matter", () => {
  fc.assert(
    fc.property(users, (wanted) => {
      fc.pre(!Object.keys(wanted).some((user) => `${user}-credentials` in wanted));
      const rendered = demo({ spec: { users: wanted } });
      const backwards = Object.fromEntries(Object.entries(wanted).reverse());
      assert.deepEqual(rendered.objects, demo({ spec: { users: backwards } }).objects);
      const access = rendered.objects.filter(({ kind }) => kind === "BucketAccess");
      assert.equal(access.length, Object.keys(wanted).length);
      for (const [user, { readonly = false }] of Object.entries(wanted)) {
        const name = valueAt(rendered.object("BucketAccess", `bucket-demo-${user}`), "spec", "bucketAccessClassName");
        assert.equal(name, readonly ? "tenant-root-readonly" : "tenant-root");
      }
    }),
    { numRuns: 100 },
  );
});

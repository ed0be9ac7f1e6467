import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { StatefulSet } from "../../contracts/apps.ts";
import { PersistentVolumeClaim, Secret } from "../../contracts/core.ts";
import { BucketAccessClass, BucketClass } from "../../contracts/objectstorage-k8s-io.ts";
import { Cluster } from "../../contracts/postgresql-cnpg-io.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { Refusal } from "../../sdk/errors.ts";
import { harbor } from "./index.ts";

const classes = [
  BucketClass("tenant-root", { driverName: "x", deletionPolicy: "Delete" }),
  BucketAccessClass("tenant-root", { driverName: "x", authenticationType: "KEY" }),
];
const demo = ({ existing = [], ...given }: RenderGiven = {}, seed = "") =>
  renderApp(harbor, { ...given, existing: [...classes, ...existing] }, seed);
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const release = (given: RenderGiven = {}) => valueAt(demo(given).object("HelmRelease", "harbor-demo-system"), "spec");
const values = (given: RenderGiven = {}) => valueAt(release(given), "values", "harbor");
const persistencePath = ["spec", "values", "harbor", "persistence", "persistentVolumeClaim"] as const;
const persistence = (given: RenderGiven = {}) => valueAt(values(given), "persistence", "persistentVolumeClaim");
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("the default is a bucket, a database, Redis, the release of the chart, a way in, and what observes it", () => {
  assert.deepEqual(names(), [
    "Secret/harbor-demo-credentials",
    "BucketClaim/harbor-demo-registry",
    "BucketAccess/harbor-demo-registry",
    "Cluster/harbor-demo-db",
    "Secret/harbor-demo-redis-auth",
    "RedisFailover/harbor-demo-redis",
    "HelmRelease/harbor-demo-system",
    "Ingress/harbor-demo-ingress",
    ...["core", "registry", "portal"].map((part) => `WorkloadMonitor/harbor-demo-${part}`),
    "Role/harbor-demo-dashboard-resources",
    "RoleBinding/harbor-demo-dashboard-resources",
  ]);
  assert.partialDeepStrictEqual(release(), {
    interval: "5m",
    timeout: "15m",
    install: { strategy: { name: "RetryOnFailure", retryInterval: "30s" }, remediation: { retries: -1 } },
    upgrade: { strategy: { name: "RetryOnFailure", retryInterval: "30s" }, remediation: { retries: -1 } },
  });
});

test("the database and Redis are those that the chart is told of", () => {
  const spec = { storageClass: "local", database: { size: "7Gi", replicas: 3 }, redis: { size: "2Gi", replicas: 1 } };
  const rendered = demo({ spec });
  assert.partialDeepStrictEqual(valueAt(rendered.object("Cluster", "harbor-demo-db"), "spec"), {
    instances: 3,
    imageName: "ghcr.io/cloudnative-pg/postgresql:17.7-standard-trixie",
    storage: { size: "7Gi", storageClass: "local" },
    bootstrap: {
      initdb: {
        database: "app",
        owner: "app",
        encoding: "UTF8",
        localeCollate: "en_US.UTF-8",
        localeCType: "en_US.UTF-8",
      },
    },
    monitoring: { enablePodMonitor: true },
    resources: { limits: { cpu: "1", memory: "2048Mi" }, requests: { cpu: "100m", memory: "512Mi" } },
  });
  const redis = rendered.object("RedisFailover", "harbor-demo-redis");
  assert.equal(
    valueAt(redis, "metadata", "labels", "redis-failover.freshworks.com/operator-group"),
    "cozystack",
    "or no operator sees it",
  );
  assert.partialDeepStrictEqual(valueAt(redis, "spec"), {
    sentinel: {
      replicas: 3,
      image: "redis:6.2.6-alpine",
      resources: { limits: { cpu: "250m", memory: "128Mi" }, requests: { cpu: "250m", memory: "128Mi" } },
    },
    redis: {
      replicas: 1,
      customConfig: ["tcp-keepalive 0", "loglevel notice"],
      storage: {
        persistentVolumeClaim: {
          metadata: { name: "redisfailover-persistent-data" },
          spec: { resources: { requests: { storage: "2Gi" } }, storageClassName: "local" },
        },
      },
    },
    auth: { secretPath: "harbor-demo-redis-auth" },
  });
  assert.partialDeepStrictEqual(values({ spec }), {
    database: { external: { host: "harbor-demo-db-rw", existingSecret: "harbor-demo-db-app" } },
    redis: { external: { addr: "rfs-harbor-demo-redis:26379" } },
  });
});

test("the database goes on with the major version that it has", () => {
  const old = Cluster("harbor-demo-db", {
    spec: { instances: 2, imageName: "ghcr.io/cloudnative-pg/postgresql:16.4" },
  });
  const image = valueAt(demo({ existing: [old] }).object("Cluster", "harbor-demo-db"), "spec", "imageName");
  assert.equal(image, "ghcr.io/cloudnative-pg/postgresql:16.4-standard-trixie");
});

test("parts are sized each for itself, the portal always the same", () => {
  const spec = {
    core: { resourcesPreset: "t1.small", resources: { cpu: "2" } },
    registry: { resourcesPreset: "c1.small" },
    jobservice: { resources: { memory: "1Gi" } },
  };
  const limits = (...path: readonly string[]) => valueAt(values({ spec }), ...path, "resources", "limits");
  const storage = { "ephemeral-storage": "2Gi" };
  assert.deepEqual(limits("core"), { cpu: "2", memory: "512Mi", ...storage });
  assert.deepEqual(limits("registry", "registry"), { cpu: "1", memory: "1Gi", ...storage });
  assert.deepEqual(limits("registry", "controller"), { cpu: "1", memory: "1Gi", ...storage });
  assert.deepEqual(limits("jobservice"), { cpu: "250m", memory: "1Gi", ...storage });
  assert.deepEqual(limits("portal"), { cpu: "250m", memory: "128Mi", ...storage });
  assert.deepEqual(limits("trivy"), { cpu: "250m", memory: "128Mi", ...storage });
  assert.deepEqual(valueAt(values({ spec: { trivy: { enabled: false } } }), "trivy"), { enabled: false });
});

const claim = (name: string, storageClassName?: string): KubeObject =>
  PersistentVolumeClaim(name, {
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "5Gi" } },
      ...(storageClassName === undefined ? {} : { storageClassName }),
    },
    status: { phase: "Bound" },
  });
const [jobs, scan] = ["harbor-demo-jobservice", "data-harbor-demo-trivy-0"];
const set = (size: string, storageClassName?: string): KubeObject =>
  StatefulSet("harbor-demo-trivy", {
    spec: {
      serviceName: "x",
      selector: {},
      template: { spec: { containers: [] } },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: {
            resources: { requests: { storage: size } },
            ...(storageClassName === undefined ? {} : { storageClassName }),
          },
        },
      ],
    },
  });

const trivy = (storageClass?: string) => ({
  trivy: { size: "5Gi", ...(storageClass === undefined ? {} : { storageClass }) },
});
const jobLog = (storageClass: string) => ({ jobservice: { jobLog: { storageClass } } });

const volumes = [
  { why: "no class, a scanner", spec: {}, existing: [], is: trivy() },
  { why: "no class, no scanner", spec: { trivy: { enabled: false } }, existing: [], is: undefined },
  { why: "a class", spec: { storageClass: "local" }, existing: [], is: { ...jobLog("local"), ...trivy("local") } },
  {
    why: "a class, no scanner",
    spec: { storageClass: "local", trivy: { enabled: false } },
    existing: [],
    is: jobLog("local"),
  },
  {
    why: "claims of another class",
    spec: { storageClass: "local" },
    existing: [claim(jobs, "old"), claim(scan, "older")],
    is: { ...jobLog("old"), ...trivy("older") },
  },
  {
    why: "claims that are said to have none",
    spec: { storageClass: "local" },
    existing: [claim(jobs, ""), claim(scan, "")],
    is: { ...jobLog("-"), ...trivy("-") },
  },
  {
    why: "claims that say nothing",
    spec: { storageClass: "local" },
    existing: [claim(jobs), claim(scan)],
    is: trivy(),
  },
  {
    why: "one claim that was made already",
    spec: {},
    existing: [claim(jobs, "replicated")],
    is: { ...jobLog("replicated"), ...trivy() },
  },
  {
    why: "a set that was made without a class, whose claim has the cluster's",
    spec: {},
    existing: [claim(scan, "replicated"), set("5Gi")],
    is: trivy(),
  },
] as const;

for (const { why, spec, existing, is } of volumes)
  test(`classes of volumes: ${why}`, () => assert.deepEqual(persistence({ spec, existing }), is));

test("while the scanner's set is away its class is the one that the release says", () => {
  const spec = { storageClass: "local" };
  const claims = [claim(jobs, "local"), claim(scan, "replicated")];
  for (const former of [set("5Gi"), set("5Gi", ""), set("5Gi", "other")]) {
    const before = demo({ spec, existing: [...claims, former] }).objects.filter(({ kind }) => kind === "HelmRelease");
    assert.equal(before.length, 1);
    assert.deepEqual(persistence({ spec, existing: [...claims, ...before] }), valueAt(before[0], ...persistencePath));
    // The set goes before.
    const anew = persistence({ spec, existing: [...claims, ...before, set("5Gi", "newer")] });
    assert.equal(valueAt(anew, "trivy", "storageClass"), "newer");
    // Without a claim nothing is bound to it.
    const without = persistence({ spec, existing: before });
    assert.equal(valueAt(without, "trivy", "storageClass"), "local");
  }
});

test("the scanner's volume grows, and its set goes on as it was made", () => {
  const given = { spec: { trivy: { size: "9Gi" } }, existing: [claim(scan, "local"), set("5Gi", "local")] };
  assert.deepEqual(persistence(given), { trivy: { size: "5Gi", storageClass: "local" } });
  const grown = demo(given).manifest("PersistentVolumeClaim", scan);
  assert.equal(grown?.policy, "patchExisting");
  assert.deepEqual(valueAt(grown?.object, "spec", "resources", "requests"), { storage: "9Gi" });
  assert.equal(demo({ existing: given.existing }).manifest("PersistentVolumeClaim", scan), undefined);
});

const info = (spec: object) =>
  Secret("harbor-demo-registry-bucket", { data: { BucketInfo: base64(JSON.stringify({ spec })) } });
const secretS3 = { endpoint: "https://s3.example.org:8333", accessKeyID: "key", accessSecretKey: "secret" };

test("the registry keeps the bucket's keys while the driver grants anew", () => {
  const granted = demo({ existing: [info({ bucketName: "bucket-1", secretS3 })] });
  const shown = Object.entries(valueAt(granted.object("Secret", "harbor-demo-registry-s3"), "stringData") ?? {});
  const data = Object.fromEntries(shown.map(([key, value]) => [key, base64(String(value))]));
  const kept = demo({ existing: [Secret("harbor-demo-registry-s3", { data })] });
  assert.deepEqual(
    kept.object("Secret", "harbor-demo-registry-s3"),
    granted.object("Secret", "harbor-demo-registry-s3"),
  );
});

test("the registry has the bucket's keys when the driver's document is complete, and not before", () => {
  const keys = (existing: readonly KubeObject[]) =>
    valueAt(demo({ existing }).object("Secret", "harbor-demo-registry-s3"), "stringData");
  assert.deepEqual(keys([info({ bucketName: "bucket-1", secretS3 })]), {
    REGISTRY_STORAGE_S3_ACCESSKEY: "key",
    REGISTRY_STORAGE_S3_SECRETKEY: "secret",
    REGISTRY_STORAGE_S3_REGIONENDPOINT: "https://s3.example.org:8333",
    REGISTRY_STORAGE_S3_BUCKET: "bucket-1",
    REGISTRY_STORAGE_S3_REGION: "us-east-1",
  });
  assert.equal(keys([]), undefined);
  assert.equal(keys([info({ secretS3 })]), undefined);
  for (const key of Object.keys(secretS3))
    assert.equal(keys([info({ bucketName: "bucket-1", secretS3: { ...secretS3, [key]: "" } })]), undefined, key);
});

const from = (given: RenderGiven = {}) => valueAt(release(given), "valuesFrom");
const always = [
  { kind: "Secret", name: "cozystack-values" },
  {
    kind: "Secret",
    name: "harbor-demo-credentials",
    valuesKey: "admin-password",
    targetPath: "harbor.harborAdminPassword",
  },
  {
    kind: "Secret",
    name: "harbor-demo-credentials",
    valuesKey: "redis-password",
    targetPath: "harbor.redis.external.password",
  },
  {
    kind: "Secret",
    name: "harbor-demo-registry-s3",
    valuesKey: "REGISTRY_STORAGE_S3_BUCKET",
    targetPath: "harbor.persistence.imageChartStorage.s3.bucket",
  },
];

test("the pair of keys for tokens is kept once it is whole", () => {
  const token = (data: Readonly<Record<string, string>>) => Secret("harbor-demo-core", { data });
  const pair = { "tls.key": base64("k"), "tls.crt": base64("c") };
  const of = { kind: "Secret", name: "harbor-demo-core", optional: true };
  const kept = [
    ...always,
    { ...of, valuesKey: "tls.key", targetPath: "harbor.core.tokenKey" },
    { ...of, valuesKey: "tls.crt", targetPath: "harbor.core.tokenCert" },
  ];
  assert.deepEqual(from({ existing: [token(pair)] }), kept);
  // Before the chart has made it, and after somebody deleted it: nothing changes.
  assert.deepEqual(from(), kept);
  // Flux would wait for the key that is missing.
  assert.deepEqual(from({ existing: [token({ "tls.key": pair["tls.key"] })] }), always);
  assert.deepEqual(from({ existing: [token({ ...pair, "tls.crt": "" })] }), always);
});

const credentials = (given: RenderGiven = {}, seed = "") =>
  valueAt(demo(given, seed).object("Secret", "harbor-demo-credentials"), "stringData");

test("passwords are made once, and kept; a missing one is made", () => {
  const fresh = credentials();
  assert.match(String(valueAt(fresh, "admin-password")), /^[A-Za-z0-9]{16}$/);
  assert.match(String(valueAt(fresh, "redis-password")), /^[A-Za-z0-9]{32}$/);
  assert.notDeepEqual(credentials({}, "other"), fresh);
  const live = (data: Readonly<Record<string, string>>) => [Secret("harbor-demo-credentials", { data })];
  const both = { "admin-password": base64("a"), "redis-password": base64("r") };
  assert.partialDeepStrictEqual(credentials({ existing: live(both) }, "other"), {
    "admin-password": "a",
    "redis-password": "r",
  });
  const one = credentials({ existing: live({ "admin-password": base64("a") }) });
  assert.equal(valueAt(one, "admin-password"), "a");
  assert.match(String(valueAt(one, "redis-password")), /^[A-Za-z0-9]{32}$/);
});

test("Redis asks for the password that Harbor is told", () => {
  const rendered = demo();
  const auth = valueAt(rendered.object("Secret", "harbor-demo-redis-auth"), "stringData", "password");
  assert.equal(auth, valueAt(credentials(), "redis-password"));
});

test("the administrator's password is not rotated: Harbor reads it once", () => {
  const need = demo().instance.needs.find((one) => one.type === "generated");
  assert.deepEqual(need?.type === "generated" ? need.rotate : [], ["redis-password"]);
});

const ingress = (given: RenderGiven = {}) => demo(given).object("Ingress", "harbor-demo-ingress");
const issuer = "cert-manager.io/cluster-issuer";
const http01 = "acme.cert-manager.io/http01-ingress-ingressclassname";
const certificates = [
  { why: "by HTTP", cluster: {}, annotations: { [issuer]: "letsencrypt-prod", [http01]: "tenant-root" } },
  {
    why: "by another issuer",
    cluster: { "issuer-name": "own" },
    annotations: { [issuer]: "own", [http01]: "tenant-root" },
  },
  { why: "by DNS", cluster: { solver: "dns01" }, annotations: { [issuer]: "letsencrypt-prod" } },
  { why: "one for all hosts", cluster: { "wildcard-secret-name": "wildcard" }, annotations: {} },
] as const;

for (const { why, cluster, annotations } of certificates)
  test(`the certificate of the registry: ${why}`, () => {
    const prefix = "nginx.ingress.kubernetes.io";
    assert.deepEqual(valueAt(ingress({ cluster }), "metadata", "annotations"), {
      [`${prefix}/proxy-body-size`]: "0",
      [`${prefix}/proxy-read-timeout`]: "900",
      [`${prefix}/proxy-send-timeout`]: "900",
      [`${prefix}/ssl-redirect`]: "true",
      [`${prefix}/backend-protocol`]: "HTTP",
      ...annotations,
    });
    const secretName = "wildcard-secret-name" in cluster ? {} : { secretName: "harbor-demo-ingress-tls" };
    assert.deepEqual(valueAt(ingress({ cluster }), "spec", "tls"), [
      { hosts: ["harbor-demo.foo.example.org"], ...secretName },
    ]);
  });

test("the host is the one that is said, everywhere", () => {
  const given = { spec: { host: "r.example.net" } };
  assert.equal(valueAt(values(given), "externalURL"), "https://r.example.net");
  assert.equal(valueAt(credentials(given), "url"), "https://r.example.net");
  assert.partialDeepStrictEqual(valueAt(ingress(given), "spec", "rules"), [{ host: "r.example.net" }]);
  const where = demo(given).instance.leftovers.map((leftover) => leftover.where?.equals);
  assert.deepEqual(where, [undefined, "r.example.net", "r.example.net"]);
});

test("a tenant with a gateway gets a route instead of an ingress, and may look at either name", () => {
  const given = { values: { gateway: "tenant-root" } };
  assert.equal(ingress(given), undefined);
  assert.deepEqual(valueAt(demo(given).object("HTTPRoute", "harbor-demo"), "spec"), {
    parentRefs: [{ group: "gateway.networking.k8s.io", kind: "Gateway", name: "cozystack", namespace: "tenant-root" }],
    hostnames: ["harbor-demo.foo.example.org"],
    rules: [{ backendRefs: [{ name: "harbor-demo", port: 80 }] }],
  });
  assert.deepEqual(demo(given).instance.exposure.ingresses, ["harbor-demo-ingress"]);
});

test("without object storage a registry is refused, and says who can change that", () => {
  assert.throws(
    () => demo({ values: { seaweedfs: "" } }),
    (error) => error instanceof Refusal && error.code === "InvalidPlatform" && /spec\.seaweedfs/.test(error.remedy),
  );
});

test("the bucket's classes are waited for by name, in whichever tenant has the object storage", () => {
  const { needs } = renderApp(harbor, { existing: classes, values: { seaweedfs: "tenant-root" } }).instance;
  const required = needs.flatMap((need) =>
    need.type === "object" && need.required ? [`${need.kind.kind}/${need.name}`] : [],
  );
  assert.deepEqual(required, ["BucketClass/tenant-root", "BucketAccessClass/tenant-root"]);
});

test("it is found by the chart's labels, and by names", () => {
  const { storage, leftovers } = demo().instance;
  assert.deepEqual(storage, [
    { group: "", kind: "PersistentVolumeClaim", labels: { release: "harbor-demo-system" } },
    {
      group: "",
      kind: "PersistentVolumeClaim",
      labels: {
        "app.kubernetes.io/component": "redis",
        "app.kubernetes.io/name": "harbor-demo-redis",
        "app.kubernetes.io/part-of": "redis-failover",
      },
    },
    { group: "objectstorage.k8s.io", kind: "BucketClaim", names: ["harbor-demo-registry"] },
    { group: "", kind: "Secret", names: ["harbor-demo-credentials"] },
  ]);
  assert.deepEqual(leftovers[0]?.names, ["harbor-demo-ingress-tls"]);
  assert.ok(!JSON.stringify(storage).includes("cnpg"), "the database's claims go with it (feature 121)");
});

test("what is to be kept stays: images, the database and Redis's volumes", () => {
  const rendered = demo({ spec: { reclaimPolicy: "Retain" } });
  assert.equal(rendered.manifest("BucketClaim", "harbor-demo-registry")?.policy, "keep");
  assert.equal(rendered.manifest("Cluster", "harbor-demo-db")?.policy, "keep");
  const redis = rendered.object("RedisFailover", "harbor-demo-redis");
  assert.equal(valueAt(redis, "spec", "redis", "storage", "keepAfterDeletion"), true);
  assert.equal(demo().manifest("BucketClaim", "harbor-demo-registry")?.policy, "managed");
});

const monitors = [
  { part: "core", preset: "t1.small" },
  { part: "registry", preset: "c1.small" },
  { part: "portal", preset: undefined },
] as const;

for (const { part, preset } of monitors)
  test(`${part} is observed, by the chart's labels`, () => {
    const spec = { core: { resources: { cpu: "3" } }, registry: { resourcesPreset: "c1.small" } };
    const monitor = demo({ spec }).object("WorkloadMonitor", `harbor-demo-${part}`);
    assert.equal(valueAt(monitor, "metadata", "labels", "workloads.cozystack.io/resource-preset"), preset);
    assert.partialDeepStrictEqual(valueAt(monitor, "spec"), {
      kind: "harbor",
      type: part,
      replicas: 1,
      minReplicas: 1,
      selector: { release: "harbor-demo-system", component: part },
    });
  });

const refused = [
  { why: "a host that is none", spec: { host: "a\nb" }, field: "spec.host" },
  { why: "a storage class that is none", spec: { storageClass: "a: b" }, field: "spec.storageClass" },
  { why: "a database without servers", spec: { database: { replicas: 0 } }, field: "spec.database.replicas" },
  { why: "a negative number of replicas", spec: { redis: { replicas: -1 } }, field: "spec.redis.replicas" },
  { why: "a preset that is none", spec: { trivy: { resourcesPreset: "x" } }, field: "spec.trivy.resourcesPreset" },
  { why: "a volume of nothing", spec: { redis: { size: 0 } }, field: "spec.redis.size" },
] as const;

for (const { why, spec, field } of refused)
  test(`refuses ${why}`, () =>
    assert.throws(
      () => demo({ spec }),
      (error) => error instanceof Refusal && error.field === field,
    ));

test("a name leaves room for the operator's", () => {
  assert.equal(`rfr-harbor-${"x".repeat(harbor.longestName)}-redis`.length, 52);
});

const spec = fc.record(
  {
    host: fc.constantFrom("", "r.example.org"),
    storageClass: fc.constantFrom("", "local"),
    trivy: fc.record({ enabled: fc.boolean(), size: fc.constantFrom("5Gi", "6Gi") }),
    database: fc.record({ replicas: fc.integer({ min: 1, max: 3 }), size: fc.constantFrom("1Gi", "2Gi") }),
    reclaimPolicy: fc.constantFrom("Delete", "Retain"),
  },
  { requiredKeys: [] },
);

test("property: a render depends on nothing but its input, and passwords are in Secrets alone", () => {
  fc.assert(
    fc.property(spec, (wanted) => {
      const { objects } = demo({ spec: wanted });
      assert.deepEqual(objects, demo({ spec: wanted }).objects);
      const others = (seed: string) => demo({ spec: wanted }, seed).objects.filter(({ kind }) => kind !== "Secret");
      assert.deepEqual(others("a"), others("b"));
      for (const { metadata } of objects) assert.ok(metadata.name.startsWith("harbor-demo"));
    }),
    { numRuns: 100 },
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { postgres } from "./index.ts";

const demo = (given: RenderGiven = {}, seed = "") => renderApp(postgres, given, seed);
const cluster = (given: RenderGiven = {}) => valueAt(demo(given).object("Cluster", "postgres-demo"), "spec");
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);

const always = [
  "Cluster/postgres-demo",
  "TenantProjection/postgres-demo-ca",
  "WorkloadMonitor/postgres-demo",
  "Role/postgres-demo-dashboard-resources",
  "RoleBinding/postgres-demo-dashboard-resources",
];
const initSecret = "Secret/postgres-demo-init-script";
const keys = { s3AccessKey: "AK", s3SecretKey: "SK" };
const own = { s3CredentialsSecret: { name: "mine" } };
const bootstrap = { enabled: true, oldName: "old" };

const sets = [
  { why: "nothing said", spec: {}, more: [initSecret] },
  { why: "a user", spec: { users: { a: {} } }, more: [initSecret, "Secret/postgres-demo-credentials"] },
  { why: "external", spec: { external: true }, more: [initSecret, "Service/postgres-demo-external-write"] },
  { why: "backups without credentials", spec: { backup: { enabled: true } }, more: [initSecret] },
  {
    why: "a schedule without credentials",
    spec: { backup: { enabled: true, schedule: "0 0 2 * * *" } },
    more: [initSecret, "ScheduledBackup/postgres-demo"],
  },
  {
    why: "one key of two",
    spec: { backup: { enabled: true, s3AccessKey: "AK" } },
    more: [initSecret],
  },
  {
    why: "keys",
    spec: { backup: { enabled: true, ...keys } },
    more: [initSecret, "Secret/postgres-demo-s3-creds", "ObjectStore/postgres-demo"],
  },
  {
    why: "keys and a Secret: the Secret",
    spec: { backup: { enabled: true, ...keys, ...own } },
    more: [initSecret, "ObjectStore/postgres-demo"],
  },
  {
    why: "nowhere to write",
    spec: { backup: { enabled: true, ...keys, destinationPath: "" } },
    more: [initSecret, "Secret/postgres-demo-s3-creds"],
  },
  {
    why: "the system bucket, whatever else is said",
    spec: { backup: { enabled: true, ...keys, useSystemBucket: true, schedule: "0 0 2 * * *" } },
    more: [initSecret],
  },
  {
    why: "a restore",
    spec: { bootstrap, backup: keys },
    more: ["Secret/postgres-demo-s3-creds", "ObjectStore/postgres-demo-recovery"],
  },
  {
    why: "a restore with backups of its own",
    spec: { bootstrap, users: { a: {} }, backup: { enabled: true, schedule: "x", ...own } },
    more: [
      ...["Secret/postgres-demo-credentials", "ObjectStore/postgres-demo", "ObjectStore/postgres-demo-recovery"],
      "ScheduledBackup/postgres-demo",
    ],
  },
  {
    why: "a registry",
    spec: { registrySecret: { auths: {} } },
    more: [initSecret, "Secret/postgres-demo-regsecret"],
  },
] as const;

for (const { why, spec, more } of sets) {
  test(`objects: ${why}`, () => {
    const found = names({ spec }).filter((name) => !/^Job\/postgres-demo-init-[0-9a-f]{8}$/.test(name));
    assert.deepEqual(found.toSorted(), [...always, ...more].toSorted());
    const jobs = names({ spec }).length - found.length;
    assert.equal(jobs, more.some((name) => name === initSecret) ? 1 : 0, "the Job is there with its script");
  });
}

const images = [
  ["v18", "18.1"],
  ["v17", "17.7"],
  ["v16", "16.11"],
  ["v15", "15.15"],
  ["v14", "14.20"],
  ["v13", "13.22"],
] as const;

for (const [version, tag] of images) {
  test(`version ${version} is the image ${tag}`, () => {
    const image = `ghcr.io/cloudnative-pg/postgresql:${tag}`;
    assert.equal(valueAt(cluster({ spec: { version } }), "imageName"), image);
  });
}

test("parameters are texts, large numbers in full", () => {
  const parameters = { log_min_duration_statement: 1000000, work_mem: "64MB", max_wal_senders: 12 };
  assert.deepEqual(valueAt(cluster({ spec: { postgresql: { parameters } } }), "postgresql", "parameters"), {
    log_min_duration_statement: "1000000",
    max_connections: "100",
    max_wal_senders: "12",
    work_mem: "64MB",
  });
  const none = { max_connections: null, max_wal_senders: null };
  const without = cluster({ spec: { postgresql: { parameters: none } } });
  assert.deepEqual(valueAt(without, "postgresql", "parameters"), { max_wal_senders: "30" }, "null is: not given");
});

const certificates = [
  { why: "internal", spec: {}, has: false },
  { why: "external", spec: { external: true }, has: true },
  { why: "external, tls off", spec: { external: true, tls: { enabled: false } }, has: false },
  { why: "tls on, internal", spec: { tls: { enabled: true } }, has: false },
  { why: "both on", spec: { external: true, tls: { enabled: true } }, has: true },
] as const;

for (const { why, spec, has } of certificates) {
  test(`the outer name in the certificate: ${why}`, () => {
    const wanted = has ? { serverAltDNSNames: ["postgres-demo.foo.example.org"] } : undefined;
    assert.deepEqual(valueAt(cluster({ spec }), "certificates"), wanted);
  });
}

test("an external server needs a host name only for its certificate", () => {
  const values = { host: "" };
  assert.throws(() => demo({ spec: { external: true }, values }), { field: "_namespace.host" });
  demo({ spec: { external: true, tls: { enabled: false } }, values });
});

test("external adds a load balancer that reaches the primary", () => {
  const service = (cluster = {}) =>
    valueAt(demo({ spec: { external: true }, cluster }).object("Service", "postgres-demo-external-write"), "spec");
  assert.deepEqual(service(), {
    type: "LoadBalancer",
    externalTrafficPolicy: "Local",
    allocateLoadBalancerNodePorts: false,
    ports: [{ name: "postgres", port: 5432 }],
    selector: { "cnpg.io/cluster": "postgres-demo", role: "primary" },
  });
  assert.equal(valueAt(service({ "bundle-enable": "robotlb" }), "allocateLoadBalancerNodePorts"), undefined);
});

test("backups: the plugin, the store with checksums only where they are required, and the credentials of one's own Secret under other keys (feature 163)", () => {
  const spec = {
    backup: {
      enabled: true,
      retentionPolicy: "",
      endpointURL: "https://s3.example.org",
      endpointCA: { name: "ca" },
      s3CredentialsSecret: { name: "mine", accessKeyIDKey: "id", secretAccessKeyKey: "secret" },
    },
  };
  assert.deepEqual(valueAt(cluster({ spec }), "plugins"), [
    {
      name: "barman-cloud.cloudnative-pg.io",
      isWALArchiver: true,
      parameters: { barmanObjectName: "postgres-demo", serverName: "postgres-demo" },
    },
  ]);
  assert.equal(valueAt(cluster({ spec }), "backup"), undefined, "never the operator's own object store");
  assert.deepEqual(valueAt(demo({ spec }).object("ObjectStore", "postgres-demo"), "spec"), {
    instanceSidecarConfiguration: { env: [{ name: "AWS_REQUEST_CHECKSUM_CALCULATION", value: "when_required" }] },
    configuration: {
      destinationPath: "s3://bucket/path/to/folder/",
      endpointURL: "https://s3.example.org",
      endpointCA: { name: "ca", key: "ca.crt" },
      s3Credentials: { accessKeyId: { name: "mine", key: "id" }, secretAccessKey: { name: "mine", key: "secret" } },
    },
  });
  const inline = { backup: { enabled: true, ...keys, s3CredentialsSecret: { accessKeyIDKey: "id" } } };
  const store = valueAt(demo({ spec: inline }).object("ObjectStore", "postgres-demo"), "spec");
  assert.equal(
    valueAt(store, "configuration", "s3Credentials", "accessKeyId", "key"),
    "AWS_ACCESS_KEY_ID",
    "other key names count with one's own Secret only",
  );
  assert.equal(valueAt(store, "retentionPolicy"), "30d");
});

test("a restore names the old server, never this one", () => {
  const plugin = (more: object) => {
    const external = valueAt(
      cluster({ spec: { bootstrap: { ...bootstrap, ...more }, backup: own } }),
      "externalClusters",
    );
    return Array.isArray(external) ? external[0] : undefined;
  };
  assert.deepEqual(plugin({}), {
    name: "old",
    plugin: {
      name: "barman-cloud.cloudnative-pg.io",
      parameters: { barmanObjectName: "postgres-demo-recovery", serverName: "old" },
    },
  });
  assert.equal(valueAt(plugin({ serverName: "older" }), "plugin", "parameters", "serverName"), "older");
  const target = { ...bootstrap, recoveryTime: "2024-05-01 10:00:00" };
  assert.deepEqual(valueAt(cluster({ spec: { bootstrap: target, backup: own } }), "bootstrap"), {
    recovery: { source: "old", recoveryTarget: { targetTime: "2024-05-01 10:00:00" } },
  });
});

test("the platform's constraints get the cluster's pods in the last of them", () => {
  const globalAppTopologySpreadConstraints = `topologySpreadConstraints:
    - { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule }
    - { maxSkew: 2, topologyKey: host, whenUnsatisfiable: ScheduleAnyway }`;
  const spread = valueAt(
    cluster({ cluster: { scheduling: { globalAppTopologySpreadConstraints } } }),
    "topologySpreadConstraints",
  );
  assert.deepEqual(spread, [
    { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" },
    {
      maxSkew: 2,
      topologyKey: "host",
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector: { matchLabels: { "cnpg.io/cluster": "postgres-demo" } },
    },
  ]);
  assert.equal(valueAt(cluster(), "topologySpreadConstraints"), undefined);
});

test("storage: class only when named; volumes and passwords are found for deletion or keeping", () => {
  assert.deepEqual(valueAt(cluster(), "storage"), { size: "10Gi" });
  const spec = { size: 1073741824, storageClass: "local" };
  assert.deepEqual(valueAt(cluster({ spec }), "storage"), { size: "1073741824", storageClass: "local" });
  assert.deepEqual(demo().instance.storage, [
    { group: "", kind: "PersistentVolumeClaim", labels: { "cnpg.io/cluster": "postgres-demo" } },
    { group: "", kind: "Secret", names: ["postgres-demo-credentials"] },
  ]);
});

test("the monitor counts the operator's pods (feature 188)", () => {
  const given = { spec: { replicas: 3, resourcesPreset: "s1.small", resources: { cpu: 1 } } };
  const monitor = demo(given).object("WorkloadMonitor", "postgres-demo");
  assert.deepEqual(valueAt(monitor, "spec"), {
    kind: "postgres",
    type: "postgres",
    version: "0.0.0",
    replicas: 3,
    minReplicas: 1,
    selector: {
      "app.kubernetes.io/name": "postgres.apps.cozystack.io",
      "app.kubernetes.io/instance": "postgres-demo",
    },
  });
  const labels = valueAt(cluster(given), "inheritedMetadata", "labels");
  for (const [name, value] of Object.entries(valueAt(monitor, "spec", "selector") ?? {})) {
    assert.equal(valueAt(labels, name), value, "the operator puts the labels on its pods");
  }
});

test("tenants see the certificate alone of the operator's Secret", () => {
  assert.deepEqual(valueAt(demo().object("TenantProjection", "postgres-demo-ca"), "spec"), {
    projections: [{ type: "CACert", sourceSecretName: "postgres-demo-ca", sourceKey: "ca.crt" }],
  });
  assert.deepEqual(demo().instance.exposure.labelled, { secrets: { "internal.cozystack.io/tenant-ca": "true" } });
});

test("a database without roles is one that nobody was given", () => {
  demo({ spec: { users: { a: {} }, databases: { d: { extensions: ["hstore"] }, e: {} } } });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import { mongodb } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(mongodb, given);
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const cluster = (given: RenderGiven = {}) => demo(given).object("PerconaServerMongoDB", "mongodb-demo");
const step = (value: unknown, at: string | number): unknown =>
  typeof at === "string" ? valueAt(value, at) : Array.isArray(value) ? value[at] : undefined;
const at = (spec: object, ...path: readonly (string | number)[]) =>
  path.reduce(step, valueAt(cluster({ spec }), "spec"));
const login = (given: RenderGiven = {}) =>
  valueAt(demo(given).object("Secret", "mongodb-demo-credentials"), "stringData");

test("the default is one replica set, its administrator, and what observes it", () => {
  assert.deepEqual(names(), [
    "PerconaServerMongoDB/mongodb-demo",
    "Secret/mongodb-demo-credentials",
    "WorkloadMonitor/mongodb-demo",
    "Role/mongodb-demo-dashboard-resources",
    "RoleBinding/mongodb-demo-dashboard-resources",
  ]);
  assert.equal(at({}, "secrets", "users"), "mongodb-demo-percona-server-mongodb-users");
  for (const key of ["users", "unsafeFlags"]) assert.equal(at({}, key), undefined, key);
  assert.deepEqual(at({}, "backup"), { enabled: false, image: "percona/percona-backup-mongodb:2.11.0" });
  assert.deepEqual(at({}, "sharding"), { enabled: false, balancer: { enabled: true } });
  assert.deepEqual(at({}, "storageScaling"), { enableVolumeScaling: true });
});

const images = [
  { version: "v8", image: "percona/percona-server-mongodb:8.0.17-6" },
  { version: "v7", image: "percona/percona-server-mongodb:7.0.28-15" },
  { version: "v6", image: "percona/percona-server-mongodb:6.0.25-20" },
] as const;

for (const { version, image } of images) {
  test(`version ${version}`, () => assert.equal(at({ version }, "image"), image));
}

test("the operator deletes volumes where they are to go, sharded or not", () => {
  const finalizers = (spec: object) => valueAt(cluster({ spec }), "metadata", "finalizers");
  const both = ["percona.com/delete-psmdb-pods-in-order", "percona.com/delete-psmdb-pvc"];
  assert.deepEqual(finalizers({}), both);
  assert.deepEqual(finalizers({ sharding: true }), both);
  assert.deepEqual(finalizers({ reclaimPolicy: "Retain" }), both.slice(0, 1));
});

const shard = (name: string, replicas = 3) => ({ name, replicas, size: "20Gi" });
const few = [
  { why: "three servers are enough", spec: {}, flags: undefined },
  { why: "five are, too", spec: { replicas: 5 }, flags: undefined },
  { why: "one", spec: { replicas: 1 }, flags: { replsetSize: true } },
  { why: "two", spec: { replicas: 2 }, flags: { replsetSize: true } },
  {
    why: "a shard of two",
    spec: { sharding: true, shardingConfig: { shards: [shard("a"), shard("b", 2)] } },
    flags: { replsetSize: true },
  },
  {
    why: "one config server",
    spec: { sharding: true, shardingConfig: { configServers: 1 } },
    flags: { replsetSize: true },
  },
  { why: "one router", spec: { sharding: true, shardingConfig: { mongos: 1 } }, flags: { mongosSize: true } },
  {
    why: "sizes of shards that are not there",
    spec: { shardingConfig: { mongos: 1, configServers: 1 } },
    flags: undefined,
  },
  {
    why: "replicas that are not there, as upstream has it",
    spec: { sharding: true, replicas: 1 },
    flags: { replsetSize: true },
  },
] as const;

for (const { why, spec, flags } of few) {
  test(`few servers: ${why}`, () => assert.deepEqual(at(spec, "unsafeFlags"), flags));
}

const volume = (storage: string, more: object = {}) => ({
  persistentVolumeClaim: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...more },
});

test("a sharded cluster has config servers, routers and its shards, all of one size of pod", () => {
  const shards = [shard("rs0"), shard("rs1", 2)];
  const spec = {
    sharding: true,
    storageClass: "replicated",
    resourcesPreset: "s1.nano",
    shardingConfig: { configServers: 5, configServerSize: "5Gi", mongos: 3, shards },
  };
  const common = {
    affinity: { antiAffinityTopologyKey: "kubernetes.io/hostname" },
    podDisruptionBudget: { maxUnavailable: 1 },
    resources: at(spec, "replsets", 0, "resources"),
  };
  assert.partialDeepStrictEqual(common.resources, { limits: { cpu: "250m", memory: "512Mi" } });
  const placed = { storageClassName: "replicated" };
  assert.deepEqual(at(spec, "sharding", "configsvrReplSet"), { size: 5, ...common, volumeSpec: volume("5Gi", placed) });
  assert.deepEqual(at(spec, "sharding", "mongos"), { size: 3, ...common, expose: { exposeType: "ClusterIP" } });
  assert.deepEqual(at(spec, "replsets"), [
    { name: "rs0", size: 3, ...common, volumeSpec: volume("20Gi", placed) },
    { name: "rs1", size: 2, ...common, volumeSpec: volume("20Gi", placed) },
  ]);
  assert.equal(valueAt(login({ spec }), "host"), "mongodb-demo-mongos.tenant-foo.svc.cozy.local");
  const monitor = demo({ spec }).object("WorkloadMonitor", "mongodb-demo");
  assert.equal(valueAt(monitor, "spec", "replicas"), 5, "the shards' servers");
});

test("sizes and a storage class of one replica set", () => {
  assert.deepEqual(at({ replicas: 5, size: "1Gi" }, "replsets", 0, "volumeSpec"), volume("1Gi"));
  assert.equal(at({ replicas: 5 }, "replsets", 0, "size"), 5);
  assert.deepEqual(
    at({ size: "1Gi", storageClass: "local" }, "replsets", 0, "volumeSpec"),
    volume("1Gi", { storageClassName: "local" }),
  );
});

const outside = [
  { why: "inside", spec: {}, expose: { enabled: false }, service: false },
  {
    why: "a replica set, each server by itself",
    spec: { external: true },
    expose: { enabled: true, type: "LoadBalancer", externalTrafficPolicy: "Local" },
    service: false,
  },
  { why: "the routers together", spec: { external: true, sharding: true }, expose: undefined, service: true },
  { why: "sharded and inside", spec: { sharding: true }, expose: undefined, service: false },
] as const;

for (const { why, spec, expose, service } of outside) {
  test(`from outside: ${why}`, () => {
    assert.deepEqual(at(spec, "replsets", 0, "expose"), expose);
    const found = demo({ spec }).object("Service", "mongodb-demo-external");
    const expected = {
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      allocateLoadBalancerNodePorts: false,
      ports: [{ name: "mongodb", port: 27017 }],
      selector: {
        "app.kubernetes.io/name": "percona-server-mongodb",
        "app.kubernetes.io/instance": "mongodb-demo",
        "app.kubernetes.io/component": "mongos",
      },
    };
    assert.deepEqual(valueAt(found, "spec"), service ? expected : undefined);
  });
}

test("robotlb needs node ports", () => {
  const given = { spec: { external: true, sharding: true }, cluster: { "bundle-enable": "a,robotlb" } };
  const found = valueAt(demo(given).object("Service", "mongodb-demo-external"), "spec");
  assert.equal(valueAt(found, "allocateLoadBalancerNodePorts"), undefined);
});

const base64 = (text: string) => Buffer.from(text).toString("base64");
const made = (password: string) =>
  Secret("internal-mongodb-demo-users", { data: { MONGODB_DATABASE_ADMIN_PASSWORD: base64(password) } });

test("until the operator has made its users the administrator has no password", () => {
  assert.deepEqual(login(), {
    username: "databaseAdmin",
    password: "",
    host: "mongodb-demo-rs0.tenant-foo.svc.cozy.local",
    port: "27017",
    uri: "",
  });
});

test("the administrator's password is in the connection string, escaped", () => {
  const given = { existing: [made("p@s/w:rd")] };
  assert.equal(valueAt(login(given), "password"), "p@s/w:rd");
  const uri = (more: RenderGiven = {}) => valueAt(login({ ...given, ...more }), "uri");
  const prefix = "mongodb://databaseAdmin:p%40s%2Fw%3Ard@mongodb-demo";
  assert.equal(uri(), `${prefix}-rs0.tenant-foo.svc.cozy.local:27017/admin?replicaSet=rs0`);
  const sharded = { spec: { sharding: true }, cluster: { "cluster-domain": "example.net" } };
  assert.equal(uri(sharded), `${prefix}-mongos.tenant-foo.svc.example.net:27017/admin`);
  assert.equal(valueAt(cluster(sharded), "spec", "clusterServiceDNSSuffix"), "svc.example.net");
});

test("while the operator's Secret is away, what was published of it stays, and its word goes before", () => {
  const { password = "", ...shown } = Object.fromEntries(
    Object.entries(login({ existing: [made("p@s/w:rd")] }) ?? {}).map(([key, value]) => [key, base64(String(value))]),
  );
  const published = Secret("mongodb-demo-credentials", { data: { ...shown, password } });
  assert.deepEqual(login({ existing: [published] }), login({ existing: [made("p@s/w:rd")] }));
  assert.deepEqual(login({ existing: [published, made("anew")] }), login({ existing: [made("anew")] }));
  assert.equal(valueAt(login({ existing: [Secret("mongodb-demo-credentials", { data: shown })] }), "uri"), "");
});

test("users have their roles over all databases, by name", () => {
  const spec = {
    users: { zoe: { password: "given" }, amy: {}, bob: {} },
    databases: {
      two: { roles: { readonly: ["amy", "stranger"], admin: ["bob"] } },
      one: { roles: { admin: ["amy"], readonly: ["amy", "zoe"] } },
    },
  };
  const user = (name: string, roles: readonly object[]) => ({
    name,
    db: "admin",
    passwordSecretRef: { name: `mongodb-demo-user-${name}`, key: "password" },
    roles,
  });
  assert.deepEqual(at(spec, "users"), [
    user("amy", [
      { name: "readWrite", db: "one" },
      { name: "dbAdmin", db: "one" },
      { name: "read", db: "one" },
      { name: "read", db: "two" },
    ]),
    user("bob", [
      { name: "readWrite", db: "two" },
      { name: "dbAdmin", db: "two" },
    ]),
    user("zoe", [{ name: "read", db: "one" }]),
  ]);
  const live = Secret("mongodb-demo-user-bob", { data: { password: base64("kept") } });
  const rendered = demo({ spec, existing: [live] });
  const password = (name: string) =>
    valueAt(rendered.object("Secret", `mongodb-demo-user-${name}`), "stringData", "password");
  assert.equal(password("zoe"), "given");
  assert.equal(password("bob"), "kept");
  assert.match(String(password("amy")), /^[A-Za-z0-9]{16}$/);
});

test("a database without roles is one that nobody was given", () => {
  const spec = { users: { a: {} }, databases: { one: { roles: { readonly: ["a"] } }, two: {} } };
  assert.deepEqual(at(spec, "users", 0, "roles"), [{ name: "read", db: "one" }]);
});

test("volumes and passwords are what is freed or kept", () => {
  const [volumes, secrets] = demo({
    spec: { users: { a: {} }, databases: { d: { roles: { admin: ["a"] } } } },
  }).instance.storage;
  assert.deepEqual(volumes?.labels, {
    "app.kubernetes.io/name": "percona-server-mongodb",
    "app.kubernetes.io/instance": "mongodb-demo",
  });
  assert.deepEqual(secrets?.names, [
    "mongodb-demo-percona-server-mongodb-users",
    "internal-mongodb-demo",
    "internal-mongodb-demo-users",
    "mongodb-demo-mongodb-encryption-key",
    "mongodb-demo-ssl",
    "mongodb-demo-ssl-internal",
    "mongodb-demo-ca-cert",
    "mongodb-demo-user-a",
  ]);
});

test("tenants see the three Services and the administrator, and no user's password", () => {
  assert.deepEqual(demo().instance.exposure, {
    services: ["mongodb-demo-rs0", "mongodb-demo-mongos", "mongodb-demo-external"],
    secrets: ["mongodb-demo-credentials"],
    monitors: ["mongodb-demo"],
  });
});

test("the monitor counts servers with data", () => {
  const monitor = demo({ spec: { replicas: 5 } }).object("WorkloadMonitor", "mongodb-demo");
  assert.deepEqual(valueAt(monitor, "spec"), {
    kind: "mongodb",
    type: "mongodb",
    version: "0.0.0",
    replicas: 5,
    minReplicas: 1,
    selector: {
      "app.kubernetes.io/name": "percona-server-mongodb",
      "app.kubernetes.io/instance": "mongodb-demo",
      "app.kubernetes.io/component": "mongod",
    },
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { redis } from "./index.ts";

const demo = (given: RenderGiven = {}, seed = "") => renderApp(redis, given, seed);
const failover = (given: RenderGiven = {}) => demo(given).object("RedisFailover", "redis-demo");
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const passwordOf = (rendered: ReturnType<typeof demo>) =>
  Buffer.from(String(valueAt(rendered.object("Secret", "redis-demo-auth"), "data", "password")), "base64").toString();

test("the default is two servers, three sentinels, a password and what observes them", () => {
  assert.deepEqual(names(), [
    "Secret/redis-demo-auth",
    "RedisFailover/redis-demo",
    "Service/redis-demo-metrics",
    "VMServiceScrape/redis-demo",
    "WorkloadMonitor/redis-demo-redis",
    "WorkloadMonitor/redis-demo-sentinel",
    "Role/redis-demo-dashboard-resources",
    "RoleBinding/redis-demo-dashboard-resources",
  ]);
  const spec = valueAt(failover(), "spec");
  assert.equal(valueAt(spec, "redis", "replicas"), 2);
  assert.equal(valueAt(spec, "sentinel", "replicas"), 3);
  assert.deepEqual(valueAt(spec, "auth"), { secretPath: "redis-demo-auth" });
});

const volumes = [
  { why: "a size is a volume", spec: { size: "3Gi" }, storage: "3Gi" },
  { why: "a number is a size in bytes", spec: { size: 1073741824 }, storage: 1073741824 },
  { why: "the number 0 means memory only", spec: { size: 0 }, storage: undefined },
  { why: "null means memory only", spec: { size: null }, storage: undefined },
] as const;

for (const { why, spec, storage } of volumes) {
  test(`size: ${why}`, () => {
    const server = valueAt(failover({ spec }), "spec", "redis");
    const claim = valueAt(server, "storage", "persistentVolumeClaim");
    assert.equal(valueAt(claim, "spec", "resources", "requests", "storage"), storage);
    const memoryOnly = ["appendonly no", 'save ""'];
    const config = ["tcp-keepalive 0", "loglevel notice", ...(storage === undefined ? memoryOnly : [])];
    assert.deepEqual(valueAt(server, "customConfig"), config);
  });
}

test("a storage class is named only when one is given", () => {
  const path = ["spec", "redis", "storage", "persistentVolumeClaim", "spec", "storageClassName"];
  assert.equal(valueAt(failover(), ...path), undefined);
  assert.equal(valueAt(failover({ spec: { storageClass: "local" } }), ...path), "local");
});

test("volumes that are to stay are not the operator's to delete, and are found by their labels", () => {
  const given = { spec: { reclaimPolicy: "Retain" } };
  assert.equal(valueAt(failover(given), "spec", "redis", "storage", "keepAfterDeletion"), true);
  assert.equal(valueAt(failover(), "spec", "redis", "storage", "keepAfterDeletion"), undefined);
  const labels = { "app.kubernetes.io/component": "redis", "app.kubernetes.io/instance": "redis-demo" };
  const claim = valueAt(failover(given), "spec", "redis", "storage", "persistentVolumeClaim", "metadata", "labels");
  assert.deepEqual(claim, labels);
  assert.deepEqual(demo(given).instance.storage, [
    { group: "", kind: "PersistentVolumeClaim", labels },
    { group: "", kind: "Secret", names: ["redis-demo-auth"] },
  ]);
});

test("external adds a load balancer that reaches the master", () => {
  const spec = valueAt(demo({ spec: { external: true } }).object("Service", "redis-demo-external-lb"), "spec");
  assert.equal(valueAt(spec, "allocateLoadBalancerNodePorts"), false);
  assert.deepEqual(valueAt(spec, "selector"), {
    "app.kubernetes.io/component": "redis",
    "app.kubernetes.io/name": "redis-demo",
    "app.kubernetes.io/part-of": "redis-failover",
    "redisfailovers-role": "master",
  });
  const robot = { spec: { external: true }, cluster: { "bundle-enable": "x,robotlb" } };
  const service = demo(robot).object("Service", "redis-demo-external-lb");
  assert.equal(valueAt(service, "spec", "allocateLoadBalancerNodePorts"), undefined, "that balancer needs node ports");
});

test("without authentication there is no password", () => {
  const given = { spec: { authEnabled: false } };
  assert.equal(demo(given).object("Secret", "redis-demo-auth"), undefined);
  assert.equal(valueAt(failover(given), "spec", "auth"), undefined);
  assert.deepEqual(demo(given).instance.needs, []);
});

test("the password is kept while its Secret lives, and is another one when it was gone", () => {
  const first = passwordOf(demo({}, "first"));
  assert.match(first, /^[A-Za-z0-9]{32}$/);
  const live = Secret("redis-demo-auth", { data: { password: Buffer.from(first).toString("base64") } });
  assert.equal(passwordOf(demo({ existing: [live] }, "second")), first);
  assert.notEqual(passwordOf(demo({}, "second")), first);
  assert.equal(demo().manifest("Secret", "redis-demo-auth")?.policy, "createOnly");
});

test("a password is in its Secret alone", () => {
  const rendered = demo();
  const password = passwordOf(rendered);
  const others = rendered.objects.filter(({ kind }) => kind !== "Secret");
  const text = JSON.stringify(others);
  assert.ok(!text.includes(password) && !text.includes(Buffer.from(password).toString("base64")));
});

test("monitors count servers and sentinels, and carry the preset even beside explicit resources", () => {
  const spec = { replicas: 5, resourcesPreset: "s1.small", resources: { cpu: "3" } };
  const servers = demo({ spec }).object("WorkloadMonitor", "redis-demo-redis");
  assert.equal(valueAt(servers, "metadata", "namespace"), "tenant-foo");
  assert.equal(valueAt(servers, "metadata", "labels", "workloads.cozystack.io/resource-preset"), "s1.small");
  assert.equal(valueAt(servers, "spec", "replicas"), 5);
  assert.equal(valueAt(servers, "spec", "minReplicas"), 1);
  const sentinels = demo({ spec }).object("WorkloadMonitor", "redis-demo-sentinel");
  assert.equal(valueAt(sentinels, "spec", "replicas"), 3);
  assert.equal(valueAt(sentinels, "spec", "minReplicas"), 2);
  assert.equal(valueAt(sentinels, "spec", "selector", "app.kubernetes.io/component"), "sentinel");
});

test("both servers and sentinels get the resources that were asked for", () => {
  const spec = { resources: { cpu: "1", memory: "1Gi" } };
  const wanted = {
    limits: { cpu: "1", memory: "1Gi", "ephemeral-storage": "2Gi" },
    requests: { cpu: "0.1", memory: "1073741824", "ephemeral-storage": "53687091" },
  };
  for (const part of ["redis", "sentinel"])
    assert.deepEqual(valueAt(failover({ spec }), "spec", part, "resources"), wanted);
});

const refused = [
  { why: "a version that does not exist", spec: { version: "v5" }, field: "spec.version", says: /v8, v7/ },
  {
    why: "a preset that does not exist",
    spec: { resourcesPreset: "t9.huge" },
    field: "spec.resourcesPreset",
    says: /t1\.nano/,
  },
  { why: "an empty size", spec: { size: "" }, field: "spec.size", says: /./ },
  { why: "no number of replicas", spec: { replicas: "two" }, field: "spec.replicas", says: /integer/ },
  { why: "a negative number of replicas", spec: { replicas: -1 }, field: "spec.replicas", says: /0/ },
] as const;

for (const { why, spec, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo({ spec }),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}

test("a name leaves room for the longest that the operator derives", () => {
  assert.equal(`rfr-redis-${"x".repeat(redis.longestName)}`.length, 52);
});

const spec = fc.record(
  {
    replicas: fc.nat(9),
    size: fc.constantFrom(null, 0, "1Gi", "500Mi"),
    storageClass: fc.constantFrom("", "local"),
    external: fc.boolean(),
    version: fc.constantFrom("v8", "v7"),
    authEnabled: fc.boolean(),
    reclaimPolicy: fc.constantFrom("Delete", "Retain"),
  },
  { requiredKeys: [] },
);

test("property: a render depends on nothing but its input, and every name has the release in it", () => {
  fc.assert(
    fc.property(spec, fc.stringMatching(/^[a-z][a-z0-9]{0,40}$/), (wanted, name) => {
      const rendered = renderApp(redis, { spec: wanted, name });
      assert.deepEqual(rendered.objects, renderApp(redis, { spec: wanted, name }).objects);
      for (const { metadata } of rendered.objects) assert.ok(metadata.name.startsWith(`redis-${name}`));
      assert.equal(rendered.object("Secret", `redis-${name}-auth`) === undefined, wanted.authEnabled === false);
    }),
    { numRuns: 100 },
  );
});

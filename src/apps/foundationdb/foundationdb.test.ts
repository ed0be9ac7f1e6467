import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { foundationdb } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(foundationdb, given);
const names = (spec: object = {}) => demo({ spec }).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const at = (given: RenderGiven, ...path: readonly string[]) =>
  valueAt(demo(given).object("FoundationDBCluster", "foundationdb-demo"), "spec", ...path);
const template = (given: RenderGiven, ...path: readonly string[]) =>
  at(given, "processes", "general", "podTemplate", ...path);

const access = ["ServiceAccount", "Role", "RoleBinding"].map((kind) => `${kind}/foundationdb-demo-foundationdb`);

test("the default is a cluster, the account of its pods, and what observes it; no role for tenants", () => {
  assert.deepEqual(names(), [
    ...access,
    "FoundationDBCluster/foundationdb-demo",
    "ConfigMap/foundationdb-demo-resourcemap",
    "WorkloadMonitor/foundationdb-demo",
  ]);
  assert.deepEqual(demo().instance.exposure, {});
  assert.equal(at({}, "version"), "7.3.63");
  assert.deepEqual(at({}, "databaseConfiguration"), { redundancy_mode: "double", storage_engine: "ssd-2" });
  assert.deepEqual(at({}, "processCounts"), { storage: 3, stateless: -1, cluster_controller: 1 });
  assert.deepEqual(at({}, "faultDomain"), { key: "kubernetes.io/hostname", valueFrom: "spec.nodeName" });
  assert.equal(at({}, "imageType"), "split");
  assert.equal(at({}, "processes", "general", "customParameters"), undefined);
  assert.deepEqual(at({}, "processes", "general", "volumeClaimTemplate"), {
    spec: { resources: { requests: { storage: "16Gi" } } },
  });
  assert.deepEqual(at({}, "routing"), { dnsDomain: "cozy.local", defineDNSLocalityFields: true });
  assert.deepEqual(at({}, "sidecarContainer"), { enableLivenessProbe: true, enableReadinessProbe: true });
  assert.equal(at({}, "minimumUptimeSecondsForBounce"), 60);
  assert.deepEqual(at({}, "labels"), {
    filterOnOwnerReference: false,
    matchLabels: { "foundationdb.org/fdb-cluster-name": "foundationdb-demo" },
    processClassLabels: ["foundationdb.org/fdb-process-class"],
    processGroupIDLabels: ["foundationdb.org/fdb-process-group-id"],
  });
});

test("every object has the chart's labels", () => {
  const given = {
    spec: { backup: { enabled: true, s3: { bucket: "fdb", credentials: { accessKeyId: "A", secretAccessKey: "S" } } } },
  };
  for (const { kind, metadata } of demo(given).objects) {
    assert.partialDeepStrictEqual(
      metadata.labels,
      { "app.kubernetes.io/name": "foundationdb", "app.kubernetes.io/instance": "foundationdb-demo" },
      kind,
    );
  }
});

test("what is said of the cluster reaches the operator", () => {
  const spec = {
    cluster: {
      version: "7.1.26",
      redundancyMode: "triple",
      storageEngine: "ssd-rocksdb-v1",
      processCounts: { storage: 5, stateless: 4, cluster_controller: 1, log: 6, strange: 1 },
      faultDomain: { key: "foundationdb.org/none", valueFrom: "" },
    },
    storage: { size: "32Gi", storageClass: "local" },
    customParameters: ["knob_a=1", "knob_b=2"],
    imageType: "unified",
    automaticReplacements: false,
  };
  const given = { spec, cluster: { "cluster-domain": "example.net" } };
  assert.equal(at(given, "version"), "7.1.26");
  assert.deepEqual(at(given, "databaseConfiguration"), { redundancy_mode: "triple", storage_engine: "ssd-rocksdb-v1" });
  assert.deepEqual(at(given, "processCounts"), { storage: 5, stateless: 4, cluster_controller: 1, log: 6 });
  assert.deepEqual(at(given, "faultDomain"), { key: "foundationdb.org/none" });
  assert.deepEqual(at(given, "automationOptions"), { replacements: { enabled: false } });
  assert.equal(at(given, "imageType"), "unified");
  assert.deepEqual(at(given, "processes", "general", "customParameters"), ["knob_a=1", "knob_b=2"]);
  assert.deepEqual(at(given, "processes", "general", "volumeClaimTemplate", "spec"), {
    resources: { requests: { storage: "32Gi" } },
    storageClassName: "local",
  });
  assert.equal(at(given, "routing", "dnsDomain"), "example.net");
});

test("processes have their size and run as who they are told to; what is beside them is small", () => {
  const securityContext = { runAsUser: 1001, runAsGroup: 1002 };
  const given = { spec: { securityContext, resourcesPreset: "s1.nano", resources: { cpu: 2 } } };
  const amounts = { cpu: "100m", memory: "128Mi" };
  const small = { limits: amounts, requests: amounts };
  const [main, sidecar] = [template(given, "spec", "containers")].flat();
  assert.deepEqual(sidecar, { name: "foundationdb-kubernetes-sidecar", resources: small, securityContext });
  assert.partialDeepStrictEqual(main, {
    name: "foundationdb",
    resources: { limits: { cpu: "2", memory: "512Mi" } },
    securityContext,
  });
  assert.deepEqual(template(given, "spec", "initContainers"), [
    { name: "foundationdb-kubernetes-init", resources: small, securityContext },
  ]);
  assert.deepEqual(template(given, "spec", "securityContext"), { fsGroup: 1002 });
  assert.equal(template(given, "spec", "serviceAccountName"), "foundationdb-demo-foundationdb");
  assert.deepEqual(template(given, "metadata", "labels"), { "policy.cozystack.io/allow-to-apiserver": "true" });
});

test("nothing but user and group of a security context reaches a pod", () => {
  const given = { spec: { securityContext: { privileged: true, runAsUser: 0 } } };
  const containers = [template(given, "spec", "containers"), template(given, "spec", "initContainers")].flat();
  assert.equal(containers.length, 3);
  for (const each of containers) {
    assert.deepEqual(valueAt(each, "securityContext"), { runAsUser: 0, runAsGroup: 4059 });
  }
});

test("the account may look after pods of its namespace, and nothing else", () => {
  const of = (kind: string) => demo().object(kind, "foundationdb-demo-foundationdb");
  const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];
  assert.deepEqual(valueAt(of("Role"), "rules"), [{ apiGroups: [""], resources: ["pods"], verbs }]);
  assert.deepEqual(valueAt(of("RoleBinding"), "subjects"), [
    { kind: "ServiceAccount", name: "foundationdb-demo-foundationdb", namespace: "tenant-foo" },
  ]);
});

const availability = [
  { mode: "single", storage: 3, least: 3 },
  { mode: "single", storage: 0, least: 0 },
  { mode: "double", storage: 3, least: 2 },
  { mode: "double", storage: 1, least: 1 },
  { mode: "triple", storage: 5, least: 3 },
  { mode: "triple", storage: 2, least: 1 },
  { mode: "three_data_hall", storage: 9, least: 7 },
] as const;

for (const { mode, storage, least } of availability) {
  test(`of ${storage} storage processes with redundancy ${mode}, ${least} must be there`, () => {
    const spec = { cluster: { redundancyMode: mode, processCounts: { storage } } };
    const monitor = demo({ spec }).object("WorkloadMonitor", "foundationdb-demo");
    assert.deepEqual(valueAt(monitor, "spec"), {
      kind: "foundationdb",
      type: "foundationdb",
      version: "0.0.0",
      replicas: storage,
      minReplicas: least,
      selector: {
        "foundationdb.org/fdb-cluster-name": "foundationdb-demo",
        "foundationdb.org/fdb-process-class": "storage",
      },
    });
    assert.equal(valueAt(monitor, "metadata", "labels", "workloads.cozystack.io/resource-preset"), "c1.small");
  });
}

const s3 = { bucket: "fdb", credentials: { accessKeyId: "AK", secretAccessKey: "SK" } };
const saved = (more: object = {}) => ({ backup: { enabled: true, s3: { ...s3, ...more } } });

test("the dashboard's list names the cluster, and the backup where there is one", () => {
  const list = (spec: object) =>
    valueAt(demo({ spec }).object("ConfigMap", "foundationdb-demo-resourcemap"), "data", "resources");
  const entry = (kind: string, name: string) =>
    `- apiVersion: apps.foundationdb.org/v1beta2\n  kind: ${kind}\n  name: ${name}\n`;
  const cluster = entry("FoundationDBCluster", "foundationdb-demo");
  assert.equal(list({}), cluster);
  assert.equal(list(saved()), cluster + entry("FoundationDBBackup", "foundationdb-demo-backup"));
});

test("without observation there is neither monitor nor list", () => {
  assert.deepEqual(names({ monitoring: { enabled: false } }), [...access, "FoundationDBCluster/foundationdb-demo"]);
});

test("volumes are what is freed or kept", () => {
  assert.deepEqual(demo().instance.storage, [
    {
      group: "",
      kind: "PersistentVolumeClaim",
      labels: { "foundationdb.org/fdb-cluster-name": "foundationdb-demo" },
    },
  ]);
});

const cluster = (spec: object) => ({ cluster: spec });
const refused = [
  {
    why: "a way to keep copies that the operator does not know",
    spec: cluster({ redundancyMode: "three_datacenter" }),
    field: "spec.cluster.redundancyMode",
  },
  {
    why: "an engine that it does not know",
    spec: cluster({ storageEngine: "x" }),
    field: "spec.cluster.storageEngine",
  },
  { why: "a version that is none", spec: cluster({ version: "7" }), field: "spec.cluster.version" },
  {
    why: "a negative number of storage processes",
    spec: cluster({ processCounts: { storage: -1 } }),
    field: "spec.cluster.processCounts.storage",
  },
  { why: "a parameter of two lines", spec: { customParameters: ["a\nb"] }, field: "spec.customParameters[0]" },
  { why: "a backup without a bucket", spec: saved({ bucket: "" }), field: "spec.backup.s3.bucket" },
  {
    why: "a backup without an access key",
    spec: saved({ credentials: { secretAccessKey: "SK" } }),
    field: "spec.backup.s3.credentials.accessKeyId",
  },
  {
    why: "a backup without a secret key",
    spec: saved({ credentials: { accessKeyId: "AK" } }),
    field: "spec.backup.s3.credentials.secretAccessKey",
  },
  { why: "a port that is none", spec: saved({ endpoint: "https://a:99999" }), field: "spec.backup.s3.endpoint" },
  {
    why: "an address that the operator does not take",
    spec: saved({ endpoint: `https://${"x".repeat(60)}.${"y".repeat(60)}` }),
    field: "spec.backup.s3.endpoint",
  },
] as const;

for (const { why, spec, field } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo({ spec }),
      (error) => error instanceof Refusal && error.field === field,
    );
  });
}

const spec = fc.record(
  {
    cluster: fc.record({
      redundancyMode: fc.constantFrom("single", "double", "triple"),
      version: fc.constant("7.3.1"),
    }),
    monitoring: fc.record({ enabled: fc.boolean() }),
    customParameters: fc.array(fc.stringMatching(/^[ -~]{0,20}$/), { maxLength: 3 }),
    automaticReplacements: fc.boolean(),
  },
  { requiredKeys: [] },
);

test("property: a render depends on nothing but its input", () => {
  fc.assert(
    fc.property(spec, (wanted) => {
      assert.deepEqual(demo({ spec: wanted }).objects, demo({ spec: wanted }).objects);
      for (const { metadata } of demo({ spec: wanted }).objects) {
        assert.ok(metadata.name.startsWith("foundationdb-demo"));
      }
    }),
    { numRuns: 100 },
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { etcd } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(etcd, { name: "etcd", ...given });
const cluster = (given: RenderGiven = {}) => valueAt(demo(given).object("EtcdCluster", "etcd"), "spec");
const specOf = (kind: string, name: string, given: RenderGiven = {}) => valueAt(demo(given).object(kind, name), "spec");

test("the default is three members with their certificates, the DataStore, and what tends and observes them", () => {
  assert.deepEqual(
    demo().objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    [
      "Issuer/etcd-selfsigning-issuer",
      "Issuer/etcd-peer-issuer",
      "Issuer/etcd-issuer",
      "Certificate/etcd-peer-ca",
      "Certificate/etcd-ca",
      "Certificate/etcd-server",
      "Certificate/etcd-peer",
      "Certificate/etcd-client",
      "Secret/etcd-ca-tls",
      "Secret/etcd-client-tls",
      "EtcdCluster/etcd",
      "Service/etcd-headless",
      "DataStore/tenant-foo",
      "VerticalPodAutoscaler/etcd",
      "CronJob/etcd-defrag",
      "VMPodScrape/etcd-pod-scrape",
      "PrometheusRule/etcd-rules",
      "WorkloadMonitor/etcd",
      "Role/etcd-dashboard-resources",
      "RoleBinding/etcd-dashboard-resources",
    ],
  );
  assert.partialDeepStrictEqual(cluster(), { version: "3.6.11", replicas: 3, storage: { size: "4Gi" } });
  assert.equal(valueAt(cluster(), "auth"), undefined);
});

const sizes = [
  { size: "4Gi", bytes: 4_080_218_931 },
  { size: "10Gi", bytes: 10_200_547_328 },
  { size: "512Mi", bytes: 510_027_366 },
  { size: "1048576Ki", bytes: 1_020_054_732 },
  { size: "1.5Gi", bytes: 1_530_082_099 },
] as const;

for (const { size, bytes } of sizes) {
  test(`95 % of ${size} may be used, as a whole number of bytes`, () => {
    assert.equal(valueAt(cluster({ spec: { size } }), "options", "quotaBackendBytes"), bytes);
    assert.equal(valueAt(cluster({ spec: { size } }), "storage", "size"), size);
  });
}

const resources = [
  {
    why: "the default",
    spec: {},
    becomes: { limits: { cpu: "1000m", memory: "512Mi" }, requests: { cpu: "0.1", memory: "536870912" } },
  },
  {
    why: "one of them",
    spec: { resources: { cpu: 2 } },
    becomes: { limits: { cpu: "2", memory: "512Mi" }, requests: { cpu: "0.2", memory: "536870912" } },
  },
  {
    why: "other ratios",
    spec: {},
    cluster: { "cpu-allocation-ratio": "4", "memory-allocation-ratio": 2 },
    becomes: { limits: { cpu: "1000m", memory: "512Mi" }, requests: { cpu: "0.25", memory: "268435456" } },
  },
  { why: "none, both taken away", spec: { resources: { cpu: null, memory: null } }, becomes: undefined },
] as const;

for (const { why, spec, becomes, ...given } of resources) {
  test(`resources: ${why}`, () => {
    assert.deepEqual(valueAt(cluster({ spec, ...given }), "resources"), becomes);
  });
}

test("the autoscaler's bounds are requests, and it only sizes new members", () => {
  const spec = specOf("VerticalPodAutoscaler", "etcd", { cluster: { "cpu-allocation-ratio": "5" } });
  assert.deepEqual(valueAt(spec, "updatePolicy"), { updateMode: "Initial" });
  assert.deepEqual(valueAt(spec, "resourcePolicy", "containerPolicies"), [
    {
      containerName: "etcd",
      minAllowed: { cpu: "0.05", memory: "268435456" },
      maxAllowed: { cpu: "1", memory: "8589934592" },
    },
  ]);
  assert.deepEqual(valueAt(spec, "targetRef"), {
    apiVersion: "etcd-operator.cozystack.io/v1alpha2",
    kind: "EtcdCluster",
    name: "etcd",
  });
});

test("a storage class is named only when one is given", () => {
  assert.deepEqual(valueAt(cluster(), "storage"), { size: "4Gi" });
  assert.deepEqual(valueAt(cluster({ spec: { storageClass: "local" } }), "storage"), {
    size: "4Gi",
    storageClassName: "local",
  });
});

const selector = { matchLabels: { "app.kubernetes.io/instance": "etcd" } };
const zone = { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule" };
const rack = { maxSkew: 2, topologyKey: "rack", whenUnsatisfiable: "ScheduleAnyway" };
const spreads = [
  { why: "nothing said", text: "", becomes: [{ ...rack, maxSkew: 1, topologyKey: "kubernetes.io/hostname" }] },
  {
    why: "the platform's replaces the default",
    text: JSON.stringify({ topologySpreadConstraints: [zone] }),
    becomes: [zone],
  },
  {
    why: "of several the last has the selector",
    text: JSON.stringify({ topologySpreadConstraints: [zone, rack] }),
    becomes: [zone, rack],
  },
] as const;

for (const { why, text, becomes } of spreads) {
  test(`where members run: ${why}`, () => {
    const given = { cluster: { scheduling: { globalAppTopologySpreadConstraints: text } } };
    const last = becomes.length - 1;
    assert.deepEqual(
      valueAt(cluster(given), "topologySpreadConstraints"),
      becomes.map((one, at) => (at === last ? { ...one, labelSelector: selector } : one)),
    );
  });
}

test("members are given their certificates as Secrets, and certificates fit members of any name", () => {
  assert.deepEqual(valueAt(cluster(), "tls"), {
    client: { serverSecretRef: { name: "etcd-server-tls" }, operatorClientSecretRef: { name: "etcd-client-tls" } },
    peer: { secretRef: { name: "etcd-peer-tls" } },
  });
  for (const name of ["etcd-server", "etcd-peer"]) {
    assert.deepEqual(valueAt(specOf("Certificate", name), "dnsNames"), [
      "etcd",
      "etcd.tenant-foo.svc",
      "*.etcd.tenant-foo.svc",
      "*.etcd-headless.tenant-foo.svc",
      "localhost",
    ]);
    assert.deepEqual(valueAt(specOf("Certificate", name), "ipAddresses"), ["127.0.0.1"]);
  }
  assert.equal(valueAt(specOf("Certificate", "etcd-client"), "commonName"), "root");
  assert.equal(valueAt(specOf("Certificate", "etcd-client"), "isCA"), undefined);
});

test("authorities last ten years and keep their keys; the others' keys change with them", () => {
  for (const name of ["etcd-ca", "etcd-peer-ca"]) {
    assert.equal(valueAt(specOf("Certificate", name), "duration"), "87600h");
    assert.equal(valueAt(specOf("Certificate", name), "privateKey", "rotationPolicy"), "Never");
  }
  for (const name of ["etcd-server", "etcd-peer", "etcd-client"]) {
    assert.equal(valueAt(specOf("Certificate", name), "duration"), undefined);
    assert.equal(valueAt(specOf("Certificate", name), "privateKey", "rotationPolicy"), "Always");
  }
});

test("the Secrets that the DataStore names are made before it, empty, and are never written again", () => {
  const rendered = demo();
  const store = rendered.manifest("DataStore", "tenant-foo");
  const refs = [...JSON.stringify(store?.object).matchAll(/"name":"([^"]+-tls)"/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(refs)].sort(), ["etcd-ca-tls", "etcd-client-tls"]);
  for (const name of new Set(refs)) {
    const secret = rendered.manifest("Secret", String(name));
    assert.equal(secret?.policy, "createOnly");
    assert.ok((secret?.wave ?? 9) < (store?.wave ?? 0));
    assert.equal(valueAt(secret?.object, "data") ?? valueAt(secret?.object, "stringData"), undefined);
  }
});

test("the DataStore is named as the namespace, so that tenants below find it by what they inherit", () => {
  const place = { namespace: "tenant-foo-bar", ancestors: ["tenant-root", "tenant-foo"] };
  const spec = specOf("DataStore", "tenant-foo-bar", { place });
  assert.deepEqual(valueAt(spec, "endpoints"), ["etcd.tenant-foo-bar.svc:2379"]);
  assert.equal(
    valueAt(spec, "tlsConfig", "clientCertificate", "privateKey", "secretReference", "namespace"),
    "tenant-foo-bar",
  );
});

const quorums = [
  { replicas: 0, least: 1 },
  { replicas: 1, least: 1 },
  { replicas: 3, least: 2 },
  { replicas: 4, least: 3 },
  { replicas: 5, least: 3 },
] as const;

for (const { replicas, least } of quorums) {
  test(`of ${replicas} members ${least} make a majority`, () => {
    assert.deepEqual(specOf("WorkloadMonitor", "etcd", { spec: { replicas } }), {
      kind: "etcd",
      type: "etcd",
      version: "0.0.0",
      replicas,
      minReplicas: least,
      selector: {
        "app.kubernetes.io/instance": "etcd",
        "app.kubernetes.io/managed-by": "etcd-operator",
        "app.kubernetes.io/name": "etcd",
      },
    });
  });
}

for (const { replicas } of quorums) {
  test(`the end of ${replicas} members takes volumes by exact name, never by none, and every certificate's Secret`, () => {
    const [named, labelled, secrets] = demo({ spec: { replicas } }).instance.storage;
    const volumes = Array.from({ length: Math.max(1, replicas) }, (_, index) => `data-etcd-${index}`);
    assert.deepEqual(named, { group: "", kind: "PersistentVolumeClaim", names: volumes });
    assert.deepEqual(labelled?.labels, { "etcd-operator.cozystack.io/cluster": "etcd" });
    assert.deepEqual(secrets?.names, [
      "etcd-peer-ca-tls",
      "etcd-ca-tls",
      "etcd-server-tls",
      "etcd-peer-tls",
      "etcd-client-tls",
    ]);
  });
}

test("only super-admins see it", () => {
  const subjects = JSON.stringify(valueAt(demo().object("RoleBinding", "etcd-dashboard-resources"), "subjects"));
  assert.ok(subjects.includes("tenant-root-super-admin"));
  assert.ok(!/tenant-(foo|root)-(view|use|admin)"/.test(subjects));
});

test("two severities of an alert are two rules, the warning first", () => {
  const groups = valueAt(specOf("PrometheusRule", "etcd-rules"), "groups");
  const rules = Array.isArray(groups) ? valueAt(groups[0], "rules") : undefined;
  assert.ok(Array.isArray(rules));
  assert.deepEqual(
    rules
      .filter((one) => String(valueAt(one, "alert")).includes("FailedHTTPRequests"))
      .map((one) => [valueAt(one, "labels", "severity"), valueAt(one, "for")]),
    [
      ["warning", "10m"],
      ["critical", "10m"],
    ],
  );
  assert.equal(rules.length, 12);
});

test("what the former schema had, such as dumps, changes nothing", () => {
  const legacy = { backup: { enabled: true, schedule: "0 1 * * *" }, options: { "auto-compaction-mode": "x" } };
  assert.deepEqual(demo({ spec: legacy }).objects, demo().objects);
});

test("nothing of the former operator's upgrade steps is rendered", () => {
  assert.ok(demo().objects.every(({ kind }) => kind !== "ConfigMap" && kind !== "Job"));
});

const refused = [
  { why: "another name", given: { name: "etcd-two" }, field: "metadata.name", says: /its name is etcd/ },
  { why: "a size in other units", given: { spec: { size: "4G" } }, field: "spec.size", says: /Ki, Mi or Gi/ },
  { why: "a size in tebibytes", given: { spec: { size: "1Ti" } }, field: "spec.size", says: /Ki, Mi or Gi/ },
  { why: "a size without a unit", given: { spec: { size: 4294967296 } }, field: "spec.size", says: /Ki, Mi or Gi/ },
  { why: "a negative number of members", given: { spec: { replicas: -1 } }, field: "spec.replicas", says: /0/ },
  { why: "a version that is none", given: { spec: { version: "v3.6" } }, field: "spec.version", says: /version/ },
] as const;

for (const { why, given, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo(given),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}

test("property: whatever it is like, immutable fields of the cluster stay, and no name depends on the spec", () => {
  const spec = fc.record(
    {
      replicas: fc.nat(9),
      size: fc.nat(1000).map((count) => `${count + 1}Mi`),
      version: fc.constantFrom("3.6.11", "3.5.21"),
      resources: fc.record({ cpu: fc.constantFrom("1", "250m", null) }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  );
  const plain = demo();
  fc.assert(
    fc.property(spec, (wanted) => {
      const rendered = demo({ spec: wanted });
      assert.deepEqual(valueAt(cluster({ spec: wanted }), "tls"), valueAt(cluster(), "tls"));
      const names = ({ objects }: typeof plain) => objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      assert.deepEqual(names(rendered), names(plain));
      assert.deepEqual(rendered.objects, demo({ spec: wanted }).objects);
    }),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { StatefulSet } from "../../contracts/apps.ts";
import { PersistentVolumeClaim, Secret } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { qdrant } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(qdrant, given);
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const release = (given: RenderGiven = {}) => valueAt(demo(given).object("HelmRelease", "qdrant-demo-system"), "spec");
const values = (given: RenderGiven = {}) => valueAt(release(given), "values", "qdrant");
const dnsNames = (given: RenderGiven = {}) =>
  valueAt(demo(given).object("Certificate", "qdrant-demo-tls"), "spec", "dnsNames");

test("the default is a release of the chart, and what observes it", () => {
  assert.deepEqual(names(), [
    "Secret/qdrant-demo-key",
    "HelmRelease/qdrant-demo-system",
    "WorkloadMonitor/qdrant-demo",
    "Role/qdrant-demo-dashboard-resources",
    "RoleBinding/qdrant-demo-dashboard-resources",
  ]);
  assert.deepEqual(valueAt(release(), "valuesFrom"), [
    { kind: "Secret", name: "cozystack-values" },
    { kind: "Secret", name: "qdrant-demo-key" },
  ]);
  assert.deepEqual(values(), {
    fullnameOverride: "qdrant-demo",
    replicaCount: 1,
    resources: {
      limits: { cpu: "1", "ephemeral-storage": "2Gi", memory: "512Mi" },
      requests: { cpu: "0.1", "ephemeral-storage": "53687091", memory: "536870912" },
    },
    livenessProbe: { enabled: true },
    persistence: { size: "10Gi" },
    metrics: { serviceMonitor: { enabled: true } },
    config: { service: { enable_tls: false }, cluster: { p2p: { enable_tls: false } } },
    additionalVolumes: [],
    additionalVolumeMounts: [],
  });
});

/** As cert-manager is asked for them, in this order. */
function expectedNames(servers: number, domain: string, outside: readonly string[]): readonly string[] {
  const service = (name: string) => [name, `${name}.tenant-foo.svc`, `${name}.tenant-foo.svc.${domain}`];
  const each = Array.from({ length: servers }, (_, at) => service(`qdrant-demo-${at}.qdrant-demo-headless`));
  const wildcard = `*.qdrant-demo-headless.tenant-foo.svc.${domain}`;
  return [...service("qdrant-demo"), ...service("qdrant-demo-headless"), wildcard, ...each.flat(), ...outside];
}

const outside = ["qdrant-demo.foo.example.org"];
const encryption = [
  { why: "inside it is off", spec: {}, count: undefined, outside: [] },
  { why: "outside it is on", spec: { external: true }, count: 11, outside },
  { why: "off is off, also outside", spec: { external: true, tls: { enabled: false } }, count: undefined, outside: [] },
  { why: "on is on, also inside", spec: { tls: { enabled: true } }, count: 10, outside: [] },
  { why: "every server has names", spec: { replicas: 3, tls: { enabled: true } }, count: 16, outside: [] },
  { why: "no server, no names of servers", spec: { replicas: 0, tls: { enabled: true } }, count: 7, outside: [] },
] as const;

for (const { why, spec, count, outside: external } of encryption) {
  test(`encryption: ${why}`, () => {
    const on = count !== undefined;
    const four = [
      "Issuer/qdrant-demo-selfsigned",
      "Certificate/qdrant-demo-ca",
      "Issuer/qdrant-demo-ca",
      "Certificate/qdrant-demo-tls",
    ];
    assert.deepEqual(
      names({ spec }).filter((name) => /^(Issuer|Certificate)/.test(name)),
      on ? four : [],
    );
    const rendered = values({ spec });
    assert.equal(valueAt(rendered, "config", "service", "enable_tls"), on);
    assert.equal(valueAt(rendered, "config", "cluster", "p2p", "enable_tls"), on, "with one server, too");
    const files = { cert: "/qdrant/tls/tls.crt", key: "/qdrant/tls/tls.key", ca_cert: "/qdrant/tls/ca.crt" };
    assert.deepEqual(valueAt(rendered, "config", "tls"), on ? files : undefined);
    const reload = { "secret.reloader.stakater.com/reload": "qdrant-demo-tls" };
    assert.deepEqual(valueAt(rendered, "podAnnotations"), on ? reload : undefined);
    assert.deepEqual(
      valueAt(rendered, "additionalVolumes"),
      on ? [{ name: "tls", secret: { secretName: "qdrant-demo-tls" } }] : [],
    );
    assert.deepEqual(
      valueAt(rendered, "additionalVolumeMounts"),
      on ? [{ name: "tls", mountPath: "/qdrant/tls", readOnly: true }] : [],
    );
    if (!on) return;
    assert.equal([dnsNames({ spec })].flat().length, count);
    const servers = "replicas" in spec ? spec.replicas : 1;
    assert.deepEqual(dnsNames({ spec }), expectedNames(servers, "cozy.local", external));
  });
}

test("external is a Service of type LoadBalancer, encrypted or not", () => {
  for (const spec of [{ external: true }, { external: true, tls: { enabled: false } }]) {
    assert.deepEqual(valueAt(values({ spec }), "service"), { type: "LoadBalancer" });
  }
  assert.equal(valueAt(values({ spec: { tls: { enabled: true } } }), "service"), undefined);
});

test("the authority keeps its key, the servers' certificate is no authority", () => {
  const rendered = demo({ spec: { tls: { enabled: true } } });
  const spec = (name: string) => valueAt(rendered.object("Certificate", name), "spec");
  assert.equal(valueAt(spec("qdrant-demo-ca"), "privateKey", "rotationPolicy"), "Never");
  assert.equal(valueAt(spec("qdrant-demo-tls"), "privateKey", "rotationPolicy"), "Always");
  assert.equal(valueAt(spec("qdrant-demo-tls"), "isCA"), false);
  const usages = ["digital signature", "key encipherment", "server auth", "client auth"];
  assert.deepEqual(valueAt(spec("qdrant-demo-tls"), "usages"), usages);
  assert.equal(valueAt(rendered.object("Issuer", "qdrant-demo-ca"), "metadata", "namespace"), "tenant-foo");
});

test("the cluster's domain is in the names", () => {
  const given = { spec: { tls: { enabled: true } }, cluster: { "cluster-domain": "example.net" } };
  assert.deepEqual(dnsNames(given), expectedNames(1, "example.net", []));
});

test("sizes, replicas and a storage class reach the chart", () => {
  const spec = { replicas: 3, size: "1Gi", storageClass: "local", resourcesPreset: "s1.nano", resources: { cpu: 2 } };
  const rendered = values({ spec });
  assert.equal(valueAt(rendered, "replicaCount"), 3);
  assert.deepEqual(valueAt(rendered, "persistence"), { size: "1Gi", storageClassName: "local" });
  assert.partialDeepStrictEqual(valueAt(rendered, "resources", "limits"), { cpu: "2", memory: "512Mi" });
});

const claim = (name: string, storage: string) =>
  PersistentVolumeClaim(name, {
    labels: { app: "qdrant", "app.kubernetes.io/instance": "qdrant-demo-system" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
  });
const set = StatefulSet("qdrant-demo", {
  spec: {
    selector: {},
    template: { spec: { containers: [] } },
    volumeClaimTemplates: [
      { metadata: { name: "qdrant-storage" }, spec: { resources: { requests: { storage: "1Gi" } } } },
    ],
  },
});

test("a volume that grows leaves the StatefulSet's template alone; the claims are patched, other claims are not", () => {
  const existing = [
    set,
    claim("qdrant-storage-qdrant-demo-0", "1Gi"),
    claim("qdrant-storage-qdrant-demo-1", "2Gi"),
    claim("other-qdrant-demo-0", "1Gi"),
  ];
  const given = { spec: { size: "2Gi" }, existing };
  assert.deepEqual(valueAt(values(given), "persistence"), { size: "1Gi" });
  const patches = demo(given).manifests.filter(({ policy }) => policy === "patchExisting");
  assert.deepEqual(
    patches.map(({ object }) => object.metadata.name),
    ["qdrant-storage-qdrant-demo-0"],
  );
  assert.equal(valueAt(patches[0]?.object, "spec", "resources", "requests", "storage"), "2Gi");
});

test("volumes and the authority are what is freed or kept, those of qdrant-demo-2 are not", () => {
  assert.deepEqual(demo().instance.storage, [
    { group: "", kind: "PersistentVolumeClaim", labels: { "app.kubernetes.io/instance": "qdrant-demo-system" } },
    { group: "", kind: "Secret", names: ["qdrant-demo-key", "qdrant-demo-ca", "qdrant-demo-tls"] },
  ]);
});

const base64 = (text: string) => Buffer.from(text).toString("base64");
const keyOf = (existing: RenderGiven["existing"] = []) => {
  const secret = demo({ existing }).object("Secret", "qdrant-demo-key");
  const [key, values] = ["api-key", "values.yaml"].map((name) => valueAt(secret, "stringData", name));
  assert.deepEqual(JSON.parse(String(values)), { qdrant: { apiKey: key } }, "the chart gets what clients get");
  return key;
};

test("the key is made once, stays, and is the one that a chart made before", () => {
  assert.match(String(keyOf()), /^[A-Za-z0-9]{32}$/);
  const made = Secret("qdrant-demo-apikey", { data: { "api-key": base64("by the chart") } });
  const ours = Secret("qdrant-demo-key", { data: { "api-key": base64("ours") } });
  assert.equal(keyOf([made]), "by the chart");
  assert.equal(keyOf([made, ours]), "ours", "also after it was made anew and the chart has not followed yet");
  const release = demo({ existing: [ours] }).object("HelmRelease", "qdrant-demo-system");
  assert.equal(valueAt(release, "spec", "values", "qdrant", "apiKey"), undefined);
});

test("tenants see both Services, the key and the monitor", () => {
  assert.deepEqual(demo({ spec: { tls: { enabled: true } } }).instance.exposure, {
    services: ["qdrant-demo", "qdrant-demo-headless"],
    secrets: ["qdrant-demo-apikey"],
    monitors: ["qdrant-demo"],
  });
});

test("the monitor counts the servers of the inner release", () => {
  const monitor = demo({ spec: { replicas: 3, resourcesPreset: "s1.small" } }).object("WorkloadMonitor", "qdrant-demo");
  assert.equal(valueAt(monitor, "metadata", "labels", "workloads.cozystack.io/resource-preset"), "s1.small");
  assert.deepEqual(valueAt(monitor, "spec"), {
    kind: "qdrant",
    type: "qdrant",
    version: "0.0.0",
    replicas: 3,
    minReplicas: 1,
    selector: { "app.kubernetes.io/instance": "qdrant-demo-system" },
  });
});

const refused = [
  { why: "a negative number of replicas", given: { spec: { replicas: -1 } }, field: "spec.replicas", says: /0/ },
  {
    why: "a certificate for outside without a host",
    given: { spec: { external: true }, values: { host: "" } },
    field: "_namespace.host",
    says: /host/,
  },
] as const;

for (const { why, given, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo(given),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}

test("without a certificate for outside no host is needed", () => {
  assert.doesNotThrow(() => demo({ spec: { external: true, tls: { enabled: false } }, values: { host: "" } }));
});

test("a name leaves room for the inner release's", () => {
  assert.equal(`qdrant-${"x".repeat(qdrant.longestName)}-system`.length, 53);
});

const spec = fc.record(
  {
    replicas: fc.nat(5),
    external: fc.boolean(),
    tls: fc.record({ enabled: fc.boolean() }, { requiredKeys: [] }),
    reclaimPolicy: fc.constantFrom("Delete", "Retain"),
  },
  { requiredKeys: [] },
);

test("property: a render depends on nothing but its input, and names no name twice in a certificate", () => {
  fc.assert(
    fc.property(spec, (wanted) => {
      assert.deepEqual(demo({ spec: wanted }).objects, demo({ spec: wanted }).objects);
      const all = [dnsNames({ spec: wanted })].flat();
      assert.equal(new Set(all).size, all.length);
      for (const { metadata } of demo({ spec: wanted }).objects) assert.ok(metadata.name.startsWith("qdrant-demo"));
    }),
    { numRuns: 100 },
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { Cluster } from "../../contracts/postgresql-cnpg-io.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { seaweedfs } from "./index.ts";

const clientCertificate = Secret("seaweedfs-client-cert", {});
const demo = (given: RenderGiven = {}) =>
  renderApp(seaweedfs, { name: "seaweedfs", existing: [clientCertificate], ...given });
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const release = (given: RenderGiven = {}, name = "seaweedfs") =>
  valueAt(demo(given).object("HelmRelease", `${name}-system`), "spec");
const values = (given: RenderGiven = {}, name = "seaweedfs") => valueAt(release(given, name), "values", "seaweedfs");
const monitor = (name: string, given: RenderGiven = {}) => valueAt(demo(given).object("WorkloadMonitor", name), "spec");
const rules = (given: RenderGiven = {}) =>
  valueAt(demo(given).object("Role", "seaweedfs-dashboard-resources"), "rules");
const item = (list: unknown, index: number): unknown => (Array.isArray(list) ? list[index] : undefined);
const monitored = (given: RenderGiven = {}) => valueAt(item(rules(given), 2), "resourceNames");

const sized = (cpu: string, request: string) => ({
  limits: { cpu, memory: "512Mi", "ephemeral-storage": "2Gi" },
  requests: { cpu: request, memory: "536870912", "ephemeral-storage": "53687091" },
});

test("the default is a release, its database, the record of its topology, and what observes it", () => {
  assert.deepEqual(names(), [
    "ConfigMap/seaweedfs-deployed-topology",
    "Cluster/seaweedfs-db",
    "HelmRelease/seaweedfs-system",
    ...["master", "filer", "db", "s3", "volume"].map((part) => `WorkloadMonitor/seaweedfs-${part}`),
    "Role/seaweedfs-dashboard-resources",
    "RoleBinding/seaweedfs-dashboard-resources",
  ]);
  assert.deepEqual(valueAt(release(), "interval"), "30s");
  assert.deepEqual(valueAt(release(), "values", "global"), { serviceAccountName: "tenant-foo-seaweedfs" });
  assert.equal(valueAt(values(), "volumes"), undefined);
  assert.equal(valueAt(values(), "volume", "enabled"), undefined);
});

test("the database keeps its image's major version, and is sized as said", () => {
  const database = (given: RenderGiven = {}) => valueAt(demo(given).object("Cluster", "seaweedfs-db"), "spec");
  const spec = { db: { replicas: 3, size: "20Gi", storageClass: "local", resources: { cpu: "500m" } } };
  assert.partialDeepStrictEqual(database({ spec }), {
    instances: 3,
    imageName: "ghcr.io/cloudnative-pg/postgresql:17.7-standard-trixie",
    storage: { size: "20Gi", storageClass: "local" },
    resources: sized("500m", "0.05"),
    monitoring: { enablePodMonitor: true },
    inheritedMetadata: { labels: { "policy.cozystack.io/allow-to-apiserver": "true" } },
  });
  assert.equal(valueAt(database({ spec }), "bootstrap"), undefined);
  assert.equal(valueAt(database(), "storage", "storageClass"), undefined);
  const old = Cluster("seaweedfs-db", { spec: { instances: 2, imageName: "ghcr.io/cloudnative-pg/postgresql:16.4" } });
  assert.equal(
    valueAt(database({ existing: [old] }), "imageName"),
    "ghcr.io/cloudnative-pg/postgresql:16.4-standard-trixie",
  );
});

test("servers are counted and sized each for itself", () => {
  const spec = {
    master: { replicas: 1, resources: { cpu: "500m" } },
    filer: { replicas: 3 },
    s3: { replicas: 4, resourcesPreset: "t1.small", resources: { cpu: "2" } },
  };
  assert.partialDeepStrictEqual(values({ spec }), {
    master: { replicas: 1, resources: sized("500m", "0.05") },
    filer: { replicas: 3, resources: sized("1", "0.1") },
    s3: { replicas: 4, resources: sized("2", "0.2") },
  });
});

const placements = [
  { why: "two copies on servers", spec: {}, placement: "001" },
  { why: "one copy", spec: { replicationFactor: 1 }, placement: "000" },
  { why: "ten copies", spec: { replicationFactor: 10 }, placement: "009" },
  {
    why: "two copies in zones",
    spec: { topology: "MultiZone", volume: { zones: { a: {}, b: {} } } },
    placement: "100",
  },
] as const;

for (const { why, spec, placement } of placements)
  test(`where copies are: ${why}`, () => {
    assert.equal(valueAt(values({ spec }), "filer", "defaultReplicaPlacement"), placement);
    assert.equal(valueAt(values({ spec }), "master", "defaultReplicaPlacement"), placement);
  });

const ingress = (given: RenderGiven = {}) => valueAt(values(given), "s3", "ingress");
const annotations = (given: RenderGiven = {}) => {
  const all = valueAt(ingress(given), "annotations");
  return isRecord(all) ? Object.keys(all).filter((key) => !key.startsWith("nginx.")) : [];
};
const issuer = "cert-manager.io/cluster-issuer";
const http01 = "acme.cert-manager.io/http01-ingress-ingressclassname";

test("S3 is published under the tenant's domain, or the host that is said", () => {
  assert.equal(valueAt(ingress(), "host"), "s3.foo.example.org");
  const own = ingress({ spec: { host: "s3.example.net" } });
  assert.deepEqual(valueAt(own, "tls"), [{ hosts: ["s3.example.net"], secretName: "seaweedfs-s3-ingress-tls" }]);
  assert.equal(valueAt(values({ spec: { host: "s3.example.net" } }), "filer", "s3", "domainName"), "s3.example.net");
});

const certificates = [
  { why: "by HTTP", cluster: {}, keys: [issuer, http01] },
  { why: "by DNS", cluster: { solver: "dns01" }, keys: [issuer] },
  { why: "one for all hosts", cluster: { "wildcard-secret-name": "wildcard" }, keys: [] },
] as const;

for (const { why, cluster, keys } of certificates)
  test(`the certificate of S3: ${why}`, () => {
    assert.deepEqual(annotations({ cluster }), keys);
    const secretName = keys.length === 0 ? {} : { secretName: "seaweedfs-s3-ingress-tls" };
    assert.deepEqual(valueAt(ingress({ cluster }), "tls"), [{ hosts: ["s3.foo.example.org"], ...secretName }]);
  });

test("the tenant's own ingress controller comes first, another one's does not count", () => {
  const own = { values: { ingress: "tenant-foo" } };
  assert.deepEqual(valueAt(release(own), "dependsOn"), [{ name: "ingress-nginx-system", namespace: "tenant-foo" }]);
  assert.equal(valueAt(release(), "dependsOn"), undefined);
});

const directory = (size: string, storageClass?: string) => [
  {
    name: "data1",
    type: "persistentVolumeClaim",
    size,
    maxVolumes: 0,
    ...(storageClass === undefined ? {} : { storageClass }),
  },
];

const simple = {
  volume: {
    replicas: 3,
    size: "100Gi",
    storageClass: "local",
    diskType: "hdd",
    resources: { cpu: "2" },
    pools: {
      fast: { diskType: "ssd", replicas: 0, size: "50Gi", storageClass: "nvme", resources: { cpu: "500m" } },
      cold: { diskType: "tape", storageClass: "" },
    },
  },
};

test("a pool has what it says, and of the volumes what it leaves out, but for their cpu and memory", () => {
  assert.deepEqual(valueAt(values({ spec: simple }), "volumes"), {
    fast: {
      replicas: 0,
      resources: sized("500m", "0.05"),
      dataDirs: directory("50Gi", "nvme"),
      extraArgs: ["-disk=ssd"],
    },
    cold: {
      replicas: 3,
      resources: sized("1", "0.1"),
      dataDirs: directory("100Gi", "local"),
      extraArgs: ["-disk=tape"],
    },
  });
  assert.deepEqual(valueAt(values({ spec: simple }), "volume", "extraArgs"), ["-disk=hdd"]);
  assert.deepEqual(monitored({ spec: simple }), [
    ...["master", "filer", "db", "s3", "volume", "volume-cold", "volume-fast"].map((part) => `seaweedfs-${part}`),
  ]);
  assert.partialDeepStrictEqual(monitor("seaweedfs-volume-fast", { spec: simple }), {
    kind: "seaweedfs",
    type: "volume",
    replicas: 0,
    minReplicas: 1,
    selector: { "app.kubernetes.io/name": "seaweedfs", "app.kubernetes.io/component": "volume-fast" },
  });
});

test("each pool has its classes, for all tenants that use this store", () => {
  const rendered = demo({ spec: simple });
  const cold = rendered.object("BucketClass", "tenant-foo-cold-lock");
  assert.partialDeepStrictEqual(cold, {
    driverName: "tenant-foo.seaweedfs.objectstorage.k8s.io",
    deletionPolicy: "Retain",
    parameters: {
      disk: "tape",
      objectLockEnabled: "true",
      objectLockRetentionMode: "COMPLIANCE",
      objectLockRetentionDays: "365",
    },
  });
  assert.deepEqual(valueAt(rendered.object("BucketClass", "tenant-foo-fast"), "parameters"), { disk: "ssd" });
  assert.deepEqual(valueAt(rendered.object("BucketAccessClass", "tenant-foo-fast-readonly"), "parameters"), {
    accessPolicy: "readonly",
  });
  assert.equal(rendered.object("BucketClass", "tenant-foo"), undefined, "the chart's own");
});

const zoned = {
  topology: "MultiZone",
  volume: {
    diskType: "hdd",
    zones: {
      b: {
        replicas: 5,
        size: "2Gi",
        storageClass: "local",
        dataCenter: "east",
        nodeSelector: "rack: r1\n",
        pools: {
          p: { diskType: "ssd" },
          q: { diskType: "nvme", replicas: 1, size: "3Gi", resourcesPreset: "t1.small" },
        },
      },
      a: { pools: { p: { diskType: "ssd", storageClass: "fast" } } },
    },
  },
};

test("a zone has its own servers, and so has each of its pools; those outside zones are off", () => {
  const all = valueAt(values({ spec: zoned }), "volumes");
  const a = { dataCenter: "a", nodeSelector: "topology.kubernetes.io/zone: a\n" };
  const b = { dataCenter: "east", nodeSelector: "rack: r1\n" };
  const resources = sized("1", "0.1");
  assert.deepEqual(all, {
    a: { ...a, replicas: 2, resources, dataDirs: directory("10Gi"), extraArgs: ["-disk=hdd"] },
    "a-p": { ...a, replicas: 2, resources, dataDirs: directory("10Gi", "fast"), extraArgs: ["-disk=ssd"] },
    b: { ...b, replicas: 5, resources, dataDirs: directory("2Gi", "local"), extraArgs: ["-disk=hdd"] },
    "b-p": { ...b, replicas: 5, resources, dataDirs: directory("2Gi", "local"), extraArgs: ["-disk=ssd"] },
    "b-q": { ...b, replicas: 1, resources, dataDirs: directory("3Gi", "local"), extraArgs: ["-disk=nvme"] },
  });
  assert.partialDeepStrictEqual(valueAt(values({ spec: zoned }), "volume"), {
    enabled: false,
    replicas: 2,
    resources,
    dataDirs: directory("10Gi"),
  });
  assert.deepEqual(monitored({ spec: zoned }), [
    ...["master", "filer", "db", "s3", "volume-a", "volume-a-p", "volume-b", "volume-b-p", "volume-b-q"].map(
      (part) => `seaweedfs-${part}`,
    ),
  ]);
  const classes = names({ spec: zoned }).filter((name) => name.startsWith("BucketClass/"));
  assert.deepEqual(
    classes,
    ["p", "p-lock", "q", "q-lock"].map((name) => `BucketClass/tenant-foo-${name}`),
  );
});

test("a zone whose name is no text to YAML is in quotes among its nodes' labels", () => {
  const spec = { topology: "MultiZone", volume: { zones: { 1: {}, null: {} } } };
  const volumes = valueAt(values({ spec }), "volumes");
  assert.equal(valueAt(volumes, "1", "nodeSelector"), 'topology.kubernetes.io/zone: "1"\n');
  assert.equal(valueAt(volumes, "null", "nodeSelector"), 'topology.kubernetes.io/zone: "null"\n');
});

test("zones of a simple store have no effect", () => {
  const spec = { volume: { zones: zoned.volume.zones } };
  assert.deepEqual(demo({ spec }).objects, demo().objects);
});

const majorities = [
  { masters: 1, least: 1 },
  { masters: 2, least: 2 },
  { masters: 3, least: 2 },
  { masters: 5, least: 3 },
];

for (const { masters, least } of majorities)
  test(`of ${masters} masters ${least} must run`, () =>
    assert.equal(
      valueAt(monitor("seaweedfs-master", { spec: { master: { replicas: masters } } }), "minReplicas"),
      least,
    ));

test("another name is that of the release, not of what the chart makes", () => {
  const given = { name: "objstore" };
  const master = valueAt(demo(given).object("WorkloadMonitor", "objstore-master"), "spec", "selector");
  assert.deepEqual(master, { "app.kubernetes.io/name": "seaweedfs", "app.kubernetes.io/component": "master" });
  assert.ok(names(given).includes("Cluster/seaweedfs-db"));
  const database = valueAt(demo(given).object("WorkloadMonitor", "objstore-db"), "spec", "selector");
  assert.deepEqual(database, { "cnpg.io/cluster": "seaweedfs-db", "cnpg.io/podRole": "instance" });
  const secrets = demo(given).instance.storage[1]?.names ?? [];
  assert.ok(secrets.includes("objstore-system-seaweedfs-ca-cert") && secrets.includes("seaweedfs-ca-cert"));
});

const outside = (given: RenderGiven) => demo(given).object("Ingress", "seaweedfs-filer-external");

test("filers are reachable from outside under their host, by the networks listed and nobody else", () => {
  const filer = { grpcHost: "filer.example.org", whitelist: ["10.0.0.0/8", "192.0.2.1"] };
  const range = (spec: object) =>
    valueAt(outside({ spec }), "metadata", "annotations", "nginx.ingress.kubernetes.io/whitelist-source-range");
  assert.equal(range({ filer }), "10.0.0.0/8,192.0.2.1");
  assert.equal(range({ filer: { grpcHost: "filer.example.org" } }), "0.0.0.0/32");
  assert.equal(valueAt(outside({ spec: { filer } }), "spec", "ingressClassName"), "tenant-root");
  const service = demo({ spec: { filer } }).object("Service", "seaweedfs-filer-external");
  assert.equal(valueAt(service, "spec", "type"), undefined);
  assert.equal(outside({ spec: {} }), undefined);
});

const client = { topology: "Client", host: "s3.remote.org", filer: { grpcHost: "filer.remote.org", grpcPort: 8443 } };

test("a client is the driver alone, with the classes of its tenant; nothing is observed", () => {
  assert.deepEqual(names({ spec: client }), [
    "ConfigMap/seaweedfs-deployed-topology",
    "Deployment/seaweedfs-objectstorage-provisioner",
    "ServiceAccount/seaweedfs-objectstorage-provisioner",
    "ClusterRole/tenant-foo-objectstorage-provisioner",
    "ClusterRoleBinding/tenant-foo-objectstorage-provisioner",
    "BucketClass/tenant-foo",
    "BucketClass/tenant-foo-lock",
    "BucketAccessClass/tenant-foo",
    "BucketAccessClass/tenant-foo-readonly",
    "Role/seaweedfs-dashboard-resources",
    "RoleBinding/seaweedfs-dashboard-resources",
  ]);
  const driver = demo({ spec: client }).object("Deployment", "seaweedfs-objectstorage-provisioner");
  const env = valueAt(item(valueAt(driver, "spec", "template", "spec", "containers"), 0), "env");
  assert.partialDeepStrictEqual(env, [
    { name: "DRIVERNAME", value: "tenant-foo.seaweedfs.objectstorage.k8s.io" },
    { name: "ENDPOINT", value: "https://s3.remote.org" },
    { name: "SEAWEEDFS_FILER", value: "filer.remote.org:8443" },
  ]);
  assert.deepEqual(rules({ spec: client }), []);
});

test("a client waits for the certificate that its user brings", () => {
  assert.throws(() => demo({ spec: client, existing: [] }), /seaweedfs-client-cert/);
});

test("a client never touches a database", () => {
  const { objects, instance } = demo({ spec: client });
  assert.ok(!JSON.stringify([objects, instance.storage]).includes("postgresql"));
});

test("volumes, certificates and the database go with the store, or stay", () => {
  assert.deepEqual(demo().instance.storage[0], {
    group: "",
    kind: "PersistentVolumeClaim",
    labels: { "app.kubernetes.io/name": "seaweedfs", "app.kubernetes.io/instance": "seaweedfs-system" },
  });
  const of = (name: string) => [
    ...["admin", "ca", "client", "filer", "master", "volume", "worker"].map((part) => `${name}-${part}-cert`),
    `${name}-db-secret`,
  ];
  const secrets = ["seaweedfs-s3-ingress-tls", ...of("seaweedfs-system"), ...of("seaweedfs")];
  assert.deepEqual(demo().instance.storage[1], { group: "", kind: "Secret", names: secrets });
  assert.equal(demo().manifest("Cluster", "seaweedfs-db")?.policy, "managed");
  const kept = demo({ spec: { reclaimPolicy: "Retain" } });
  assert.equal(kept.manifest("Cluster", "seaweedfs-db")?.policy, "keep");
});

const place = fc.record(
  { replicas: fc.nat(5), size: fc.constantFrom("1Gi", "2Gi"), storageClass: fc.constantFrom("", "local") },
  { requiredKeys: [] },
);
const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
const poolOf = (name: string, given: object) => [name, { ...given, diskType: `d${name}` }] as const;
const pools = fc
  .dictionary(label, place, { maxKeys: 3, noNullPrototype: true })
  .map((map) => Object.fromEntries(Object.entries(map).map(([name, given]) => poolOf(name, given))));
const zones = fc.dictionary(
  label,
  fc.tuple(place, pools).map(([given, own]) => ({ ...given, pools: own })),
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
);

test("property: every group of volume servers has one entry in the values and one monitor", () => {
  const spec = fc.oneof(
    pools.map((some) => ({ volume: { pools: some } })),
    zones.map((some) => ({ topology: "MultiZone", replicationFactor: 1, volume: { zones: some } })),
  );
  fc.assert(
    fc.property(spec, (wanted) => {
      const rendered = demo({ spec: wanted });
      assert.deepEqual(rendered.objects, demo({ spec: wanted }).objects);
      const groups = Object.keys(valueAt(values({ spec: wanted }), "volumes") ?? {});
      const observed = rendered.objects
        .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
        .filter((name) => name.startsWith("WorkloadMonitor/seaweedfs-volume-"));
      assert.deepEqual(observed.toSorted(), groups.map((key) => `WorkloadMonitor/seaweedfs-volume-${key}`).toSorted());
    }),
    { numRuns: 100 },
  );
});

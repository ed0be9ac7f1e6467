import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { OpenSearchCluster } from "../../contracts/opensearch-opster-io.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { opensearch } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(opensearch, given);
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const at = (given: RenderGiven, ...path: readonly string[]) =>
  valueAt(demo(given).object("OpenSearchCluster", "opensearch-demo"), "spec", ...path);
const pool = (given: RenderGiven): unknown => [at(given, "nodePools")].flat()[0];
test("the default is a cluster with its administrator, and what observes it", () => {
  assert.deepEqual(names(), [
    "OpenSearchCluster/opensearch-demo",
    "Secret/opensearch-demo-admin-credentials",
    "Secret/opensearch-demo-security-config",
    "Secret/opensearch-demo-credentials",
    "WorkloadMonitor/opensearch-demo",
    "Role/opensearch-demo-dashboard-resources",
    "RoleBinding/opensearch-demo-dashboard-resources",
  ]);
  assert.deepEqual(at({}, "general"), {
    serviceName: "opensearch-demo",
    version: "2.11.1",
    httpPort: 9200,
    setVMMaxMapCount: true,
    drainDataNodes: true,
  });
  assert.equal(at({}, "dashboards"), undefined);
  assert.deepEqual(at({}, "security", "tls"), {
    transport: { generate: true, perNode: true },
    http: { generate: true },
  });
  assert.deepEqual(at({}, "bootstrap", "resources"), valueAt(pool({}), "resources"));
  assert.partialDeepStrictEqual(pool({}), {
    component: "nodes",
    replicas: 3,
    diskSize: "10Gi",
    roles: ["cluster_manager", "data", "ingest"],
    resources: { limits: { cpu: "2", memory: "2Gi" } },
  });
});

const versions = [
  { version: "v1", program: "1.3.20" },
  { version: "v2", program: "2.11.1" },
  { version: "v3", program: "3.0.0" },
  { version: null, program: "2.11.1" },
] as const;

for (const { version, program } of versions) {
  test(`version ${version} is ${program}, of Dashboards as well`, () => {
    const given = { spec: { version, dashboards: { enabled: true } } };
    assert.equal(at(given, "general", "version"), program);
    assert.equal(at(given, "dashboards", "version"), program);
  });
}

test("an image of one's own, and none where it is empty", () => {
  assert.equal(at({ spec: { images: { opensearch: "example.org/os:1" } } }, "general", "image"), "example.org/os:1");
  assert.equal(at({ spec: { images: { opensearch: "" } } }, "general", "image"), undefined);
});

const roles = [
  { why: "all", spec: { ml: true }, expected: ["cluster_manager", "data", "ingest", "ml"] },
  { why: "no manager", spec: { master: false }, expected: ["data", "ingest"] },
  { why: "machine learning alone", spec: { master: false, data: false, ingest: false, ml: true }, expected: ["ml"] },
] as const;

for (const { why, spec, expected } of roles) {
  test(`roles: ${why}`, () => assert.deepEqual(valueAt(pool({ spec: { nodeRoles: spec } }), "roles"), expected));
}

const live = (storageClass: string) =>
  OpenSearchCluster("opensearch-demo", {
    spec: {
      nodePools: [{ component: "nodes", replicas: 1, roles: [], persistence: { pvc: { storageClass } } }],
    },
  });

const classes = [
  { why: "several nodes", spec: {}, expected: "local" },
  { why: "one node", spec: { replicas: 1 }, expected: "replicated" },
  { why: "a class of one's own", spec: { replicas: 1, storageClass: "fast" }, expected: "fast" },
] as const;

for (const { why, spec, expected } of classes) {
  test(`storage class: ${why}`, () => {
    assert.deepEqual(valueAt(pool({ spec }), "persistence", "pvc"), {
      accessModes: ["ReadWriteOnce"],
      storageClass: expected,
    });
  });
}

test("another number of nodes does not move the volumes that exist to another class", () => {
  const of = (spec: object) =>
    valueAt(pool({ spec, existing: [live("replicated")] }), "persistence", "pvc", "storageClass");
  assert.equal(of({ replicas: 3 }), "replicated");
  assert.equal(of({ replicas: 3, storageClass: "fast" }), "fast");
});

test("nodes are spread where it is possible, or must be", () => {
  const spread = (spec: object) => valueAt(pool({ spec }), "topologySpreadConstraints");
  const expected = (whenUnsatisfiable: string) =>
    ["kubernetes.io/hostname", "topology.kubernetes.io/zone"].map((topologyKey) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable,
      labelSelector: { matchLabels: { "opster.io/opensearch-cluster": "opensearch-demo" } },
    }));
  assert.deepEqual(spread({}), expected("ScheduleAnyway"));
  assert.deepEqual(spread({ topologySpreadPolicy: "hard" }), expected("DoNotSchedule"));
});

test("Dashboards have sizes of their own, and are never none", () => {
  const of = (dashboards: object) => at({ spec: { dashboards: { enabled: true, ...dashboards } } }, "dashboards");
  assert.partialDeepStrictEqual(of({ replicas: 0 }), {
    enable: true,
    replicas: 1,
    tls: { enable: true, generate: true },
  });
  assert.partialDeepStrictEqual(of({}), { resources: { limits: { cpu: "1", memory: "1Gi" } } });
  assert.deepEqual(valueAt(of({ resourcesPreset: "medium" }), "resources"), valueAt(of({}), "resources"));
  const sized = of({ replicas: 2, resources: { memory: "3Gi" } });
  assert.partialDeepStrictEqual(sized, { replicas: 2, resources: { limits: { cpu: "1", memory: "3Gi" } } });
  assert.deepEqual(
    valueAt(pool({ spec: { resourcesPreset: "large" } }), "resources"),
    valueAt(pool({}), "resources"),
    "large is c1.medium",
  );
});

test("a size as a number is a text to the operator", () => {
  assert.equal(valueAt(pool({ spec: { size: 1073741824 } }), "diskSize"), "1073741824");
});

const lb = (hostname: string, port: number, selector: object) => ({
  hostname,
  spec: {
    type: "LoadBalancer",
    selector,
    ports: [{ name: "https", port, targetPort: port, protocol: "TCP" }],
  },
});

const outside = [
  { why: "inside", spec: { dashboards: { enabled: true } }, nodes: false, dashboards: false },
  { why: "nodes", spec: { external: true }, nodes: true, dashboards: false },
  {
    why: "nodes and Dashboards",
    spec: { external: true, dashboards: { enabled: true } },
    nodes: true,
    dashboards: true,
  },
] as const;

for (const { why, spec, nodes, dashboards } of outside) {
  test(`from outside: ${why}`, () => {
    const given = { spec, cluster: { "cluster-domain": "example.net" } };
    const found = (name: string) => {
      const service = demo(given).object("Service", name);
      const hostname = valueAt(service, "metadata", "annotations", "external-dns.alpha.kubernetes.io/hostname");
      return service === undefined ? undefined : { hostname, spec: valueAt(service, "spec") };
    };
    const selector = { "opster.io/opensearch-cluster": "opensearch-demo", "opster.io/opensearch-nodepool": "nodes" };
    const toNodes = lb("opensearch-demo.tenant-foo.example.net", 9200, selector);
    assert.deepEqual(found("opensearch-demo-external"), nodes ? toNodes : undefined);
    const toDashboards = lb("opensearch-demo-dashboards.tenant-foo.example.net", 5601, {
      "opensearch.cluster.dashboards": "opensearch-demo",
    });
    assert.deepEqual(found("opensearch-demo-dashboards-external"), dashboards ? toDashboards : undefined);
  });
}

test("tenants see the Services that may be there, and the administrator's credentials", () => {
  const services = (spec: object) => demo({ spec }).instance.exposure.services;
  const nodes = ["opensearch-demo", "opensearch-demo-external"];
  assert.deepEqual(services({}), nodes);
  assert.deepEqual(services({ dashboards: { enabled: true } }), [
    ...nodes,
    "opensearch-demo-dashboards",
    "opensearch-demo-dashboards-external",
  ]);
  assert.deepEqual(demo().instance.exposure.secrets, ["opensearch-demo-credentials"]);
});

test("documents and passwords are what is freed or kept", () => {
  assert.deepEqual(demo({ spec: { users: { a: {} } } }).instance.storage, [
    { group: "", kind: "PersistentVolumeClaim", labels: { "opster.io/opensearch-cluster": "opensearch-demo" } },
    {
      group: "",
      kind: "Secret",
      names: ["opensearch-demo-admin-credentials", "opensearch-demo-security-config", "opensearch-demo-user-a"],
    },
  ]);
});

test("the monitor counts nodes", () => {
  const monitor = demo({ spec: { replicas: 5 } }).object("WorkloadMonitor", "opensearch-demo");
  assert.deepEqual(valueAt(monitor, "spec"), {
    kind: "opensearch",
    type: "opensearch",
    version: "0.0.0",
    replicas: 5,
    minReplicas: 1,
    selector: { "opster.io/opensearch-cluster": "opensearch-demo" },
  });
});

const none = { master: false, data: false, ingest: false, ml: false };
const refused = [
  { why: "a negative number of replicas", spec: { replicas: -1 }, field: "spec.replicas" },
  { why: "a node that does nothing", spec: { nodeRoles: none }, field: "spec.nodeRoles" },
  { why: "a user whose name is in no Secret's", spec: { users: { "a b": {} } }, field: "spec.users" },
] as const;

for (const { why, spec, field } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo({ spec }),
      (error) => error instanceof Refusal && error.field === field,
    );
  });
}

test("a name leaves room for the operator's Job", () => {
  assert.equal(`opensearch-${"x".repeat(opensearch.longestName)}-securityconfig-update`.length, 63);
});

const spec = fc.record(
  {
    replicas: fc.nat(5),
    external: fc.boolean(),
    dashboards: fc.record({ enabled: fc.boolean() }, { requiredKeys: [] }),
    users: fc.dictionary(fc.stringMatching(/^[a-z][-a-z0-9]{0,6}[a-z0-9]$/), fc.record({ password: fc.string() }), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  },
  { requiredKeys: [] },
);

test("property: a render depends on nothing but its input, and passwords are in Secrets alone", () => {
  // With files that exist nothing is hashed.
  const existing = [Secret("opensearch-demo-security-config", { data: { "internal_users.yml": "" } })];
  fc.assert(
    fc.property(spec, (wanted) => {
      const rendered = demo({ spec: wanted, existing });
      assert.deepEqual(rendered.objects, demo({ spec: wanted, existing }).objects);
      const users = Object.fromEntries(Object.keys(wanted.users ?? {}).map((name) => [name, { password: "plain" }]));
      const others = ({ objects }: ReturnType<typeof demo>) => objects.filter(({ kind }) => kind !== "Secret");
      assert.deepEqual(others(rendered), others(demo({ spec: { ...wanted, users }, existing })));
      for (const { metadata } of rendered.objects) assert.ok(metadata.name.startsWith("opensearch-demo"));
    }),
    { numRuns: 100 },
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { StatefulSet } from "../../contracts/apps.ts";
import { PersistentVolumeClaim } from "../../contracts/core.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { openbao } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(openbao, given);
const values = (given: RenderGiven = {}) =>
  valueAt(demo(given).object("HelmRelease", "openbao-demo-system"), "spec", "values", "openbao");
const server = (given: RenderGiven = {}) => valueAt(values(given), "server");
const config = (given: RenderGiven = {}): string => {
  const found = valueAt(server(given), "standalone", "config") ?? valueAt(server(given), "ha", "raft", "config");
  return String(found);
};

test("the default is a release of the chart with one server, and what observes it", () => {
  assert.deepEqual(
    demo().objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    [
      "HelmRelease/openbao-demo-system",
      "ClusterRoleBinding/tenant-foo-openbao-demo-server-binding",
      "WorkloadMonitor/openbao-demo",
      "Role/openbao-demo-dashboard-resources",
      "RoleBinding/openbao-demo-dashboard-resources",
    ],
  );
  assert.partialDeepStrictEqual(values(), {
    fullnameOverride: "openbao-demo",
    global: { tlsDisable: true },
    injector: { enabled: false },
    csi: { enabled: false },
    ui: { enabled: true },
    server: {
      podManagementPolicy: "Parallel",
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" },
      dataStorage: { enabled: true, size: "10Gi" },
      ha: { enabled: false },
    },
  });
});

test("one server keeps its data in files, and registers nowhere", () => {
  assert.equal(
    config(),
    [
      "ui = true",
      "",
      'listener "tcp" {',
      '  address = "[::]:8200"',
      '  cluster_address = "[::]:8201"',
      "  tls_disable = true",
      "}",
      "",
      'storage "file" {',
      '  path = "/openbao/data"',
      "}",
      "",
    ].join("\n"),
  );
  assert.match(config({ spec: { ui: false } }), /^ui = false\n/);
});

test("several servers share their data, and each is told of all by name", () => {
  const given = { spec: { replicas: 2 } };
  assert.deepEqual(valueAt(server(given), "standalone"), { enabled: false });
  assert.partialDeepStrictEqual(valueAt(server(given), "ha"), {
    enabled: true,
    replicas: 2,
    raft: { enabled: true, setNodeId: true },
  });
  const shared = config(given).slice(config(given).indexOf("storage"));
  assert.equal(
    shared,
    [
      'storage "raft" {',
      '  path = "/openbao/data"',
      ...[0, 1].flatMap((index) => [
        "  retry_join {",
        `    leader_api_addr = "http://openbao-demo-${index}.openbao-demo-internal:8200"`,
        "  }",
      ]),
      "}",
      "",
      'service_registration "kubernetes" {}',
      "",
    ].join("\n"),
  );
});

const modes = [
  { replicas: 0, shared: false },
  { replicas: 1, shared: false },
  { replicas: 2, shared: true },
  { replicas: 5, shared: true },
];

for (const { replicas, shared } of modes)
  test(`${replicas} servers ${shared ? "share" : "do not share"} their data`, () => {
    assert.equal(valueAt(server({ spec: { replicas } }), "ha", "enabled"), shared);
    assert.equal(config({ spec: { replicas } }).split("retry_join").length - 1, shared ? replicas : 0);
  });

test("outside are the servers and the web interface, where it is served", () => {
  const given = { spec: { external: true, ui: false } };
  assert.deepEqual(valueAt(server(given), "service"), { type: "LoadBalancer" });
  assert.deepEqual(valueAt(values(given), "ui"), { enabled: false, serviceType: "LoadBalancer" });
  assert.equal(valueAt(server(), "service"), undefined);
});

test("servers are sized, and their volumes have a class where one is said", () => {
  const spec = { resources: { cpu: "2" }, resourcesPreset: "s1.small", storageClass: "local", size: "1Gi" };
  assert.deepEqual(valueAt(server({ spec }), "resources", "limits"), {
    cpu: "2",
    memory: "2Gi",
    "ephemeral-storage": "2Gi",
  });
  assert.deepEqual(valueAt(server({ spec }), "dataStorage"), { enabled: true, size: "1Gi", storageClass: "local" });
});

test("the right to ask whose a token is has the namespace in its name: tenants do not share it", () => {
  const binding = (namespace: string) => {
    const place = { namespace, ancestors: ["tenant-root"] };
    return demo({ place }).objects.find(({ kind }) => kind === "ClusterRoleBinding");
  };
  assert.notEqual(binding("tenant-a")?.metadata.name, binding("tenant-b")?.metadata.name);
  assert.partialDeepStrictEqual(binding("tenant-a"), {
    roleRef: { kind: "ClusterRole", name: "system:auth-delegator" },
    subjects: [{ kind: "ServiceAccount", name: "openbao-demo", namespace: "tenant-a" }],
  });
  assert.deepEqual(valueAt(server(), "authDelegator"), { enabled: false });
});

test("volumes grow, and the servers' set goes on as it was made", () => {
  const labels = { "app.kubernetes.io/instance": "openbao-demo-system" };
  const claim = (name: string, storage: string) =>
    PersistentVolumeClaim(name, {
      labels,
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
      status: { phase: "Bound" },
    });
  const set = StatefulSet("openbao-demo", {
    spec: {
      serviceName: "x",
      selector: {},
      template: { spec: { containers: [] } },
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { resources: { requests: { storage: "1Gi" } } } }],
    },
  });
  const existing = [
    set,
    claim("data-openbao-demo-0", "1Gi"),
    claim("data-openbao-demo-1", "2Gi"),
    claim("audit-openbao-demo-0", "1Gi"),
  ];
  const rendered = demo({ spec: { size: "2Gi" }, existing });
  assert.equal(valueAt(server({ spec: { size: "2Gi" }, existing }), "dataStorage", "size"), "1Gi");
  const grown = rendered.manifests.filter(({ policy }) => policy === "patchExisting").map(({ object }) => object);
  assert.deepEqual(
    grown.map(({ metadata }) => metadata.name),
    ["data-openbao-demo-0"],
  );
  assert.deepEqual(valueAt(grown[0], "spec", "resources", "requests"), { storage: "2Gi" });
});

test("volumes go with the servers, or are kept", () => {
  const whenDeleted = (spec: object) =>
    valueAt(server({ spec }), "persistentVolumeClaimRetentionPolicy", "whenDeleted");
  assert.equal(whenDeleted({ reclaimPolicy: "Retain" }), "Retain");
  assert.equal(whenDeleted({}), "Delete");
  assert.deepEqual(demo().instance.storage, [
    { group: "", kind: "PersistentVolumeClaim", labels: { "app.kubernetes.io/instance": "openbao-demo-system" } },
  ]);
});

test("the monitor counts servers; people see the Services, and no Secret", () => {
  const monitor = demo({ spec: { replicas: 3 } }).object("WorkloadMonitor", "openbao-demo");
  assert.deepEqual(valueAt(monitor, "spec"), {
    kind: "openbao",
    type: "openbao",
    version: "0.0.0",
    replicas: 3,
    minReplicas: 1,
    selector: { "app.kubernetes.io/instance": "openbao-demo-system" },
  });
  assert.deepEqual(demo().instance.exposure, {
    services: ["openbao-demo", "openbao-demo-internal"],
    monitors: ["openbao-demo"],
  });
});

const refused = [
  { why: "a negative number of replicas", spec: { replicas: -1 }, field: "spec.replicas" },
  { why: "a storage class that is none", spec: { storageClass: "a\n---" }, field: "spec.storageClass" },
  { why: "a volume of nothing", spec: { size: "0Gi" }, field: "spec.size" },
  { why: "a preset that is none", spec: { resourcesPreset: "x" }, field: "spec.resourcesPreset" },
] as const;

for (const { why, spec, field } of refused)
  test(`refuses ${why}`, () =>
    assert.throws(
      () => demo({ spec }),
      (error) => error instanceof Refusal && error.field === field,
    ));

test("a name leaves room for the inner release's", () => {
  assert.equal(`openbao-${"x".repeat(openbao.longestName)}-system`.length, 53);
});

const spec = fc.record(
  { replicas: fc.nat(5), external: fc.boolean(), ui: fc.boolean(), reclaimPolicy: fc.constantFrom("Delete", "Retain") },
  { requiredKeys: [] },
);

test("property: one way of keeping data is on, and a render depends on nothing but its input", () => {
  fc.assert(
    fc.property(spec, (wanted) => {
      assert.deepEqual(demo({ spec: wanted }).objects, demo({ spec: wanted }).objects);
      const found = server({ spec: wanted });
      assert.ok(isRecord(found));
      assert.notEqual(valueAt(found, "standalone", "enabled"), valueAt(found, "ha", "enabled"));
    }),
    { numRuns: 50 },
  );
});

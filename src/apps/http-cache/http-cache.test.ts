import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Deployment } from "../../contracts/apps.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { httpCache } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(httpCache, given);
const haproxyName = "http-cache-demo-haproxy";
const nginxName = "http-cache-demo-nginx-cache";
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const pods = (name: string, given: RenderGiven = {}) =>
  valueAt(demo(given).object("Deployment", name), "spec", "template");

test("the default is two HAProxy pods before two nginx servers with a volume each", () => {
  assert.deepEqual(names(), [
    `ConfigMap/${haproxyName}`,
    `Deployment/${haproxyName}`,
    `Service/${haproxyName}`,
    `ConfigMap/${nginxName}`,
    `PodDisruptionBudget/${nginxName}`,
    ...[0, 1].flatMap((at) =>
      ["PersistentVolumeClaim", "Deployment", "Service"].map((kind) => `${kind}/${nginxName}-${at}`),
    ),
    `VMServiceScrape/${nginxName}`,
    `WorkloadMonitor/${haproxyName}`,
    "WorkloadMonitor/http-cache-demo-nginx",
    "WorkloadMonitor/http-cache-demo",
  ]);
});

test("an nginx pod has its volume, its probes and the program that has it reload", () => {
  const spec = valueAt(pods(`${nginxName}-1`), "spec");
  assert.deepEqual(valueAt(spec, "imagePullSecrets"), [{ name: "http-cache-demo-regsecret" }]);
  assert.deepEqual(valueAt(spec, "volumes"), [
    { name: "config", configMap: { name: nginxName } },
    { name: "data", persistentVolumeClaim: { claimName: `${nginxName}-1` } },
    { name: "run", emptyDir: {} },
  ]);
  assert.equal(valueAt(spec, "shareProcessNamespace"), true);
  const required = valueAt(spec, "affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
  assert.deepEqual(required, [
    {
      labelSelector: {
        matchExpressions: [
          { key: "app", operator: "In", values: [nginxName] },
          { key: "instance", operator: "NotIn", values: ["1"] },
        ],
      },
      topologyKey: "kubernetes.io/hostname",
    },
  ]);
  assert.deepEqual(valueAt(pods(`${nginxName}-1`), "metadata", "labels"), { app: nginxName, instance: "1" });
});

test("both kinds of pods have sizes of their own", () => {
  const spec = {
    haproxy: { replicas: 3, resourcesPreset: "c1.nano" },
    nginx: { replicas: 1, resourcesPreset: "c1.small", resources: { cpu: "3" } },
  };
  const limits = (name: string) => {
    const containers = valueAt(pods(name, { spec }), "spec", "containers");
    return valueAt(Array.isArray(containers) ? containers[0] : undefined, "resources", "limits");
  };
  assert.deepEqual(limits(haproxyName), { cpu: "250m", memory: "256Mi", "ephemeral-storage": "2Gi" });
  assert.deepEqual(limits(`${nginxName}-0`), { cpu: "3", memory: "1Gi", "ephemeral-storage": "2Gi" });
  assert.equal(valueAt(demo({ spec }).object("Deployment", haproxyName), "spec", "replicas"), 3);
  const label = (name: string) =>
    valueAt(
      demo({ spec }).object("WorkloadMonitor", name),
      "metadata",
      "labels",
      "workloads.cozystack.io/resource-preset",
    );
  assert.deepEqual([haproxyName, "http-cache-demo-nginx", "http-cache-demo"].map(label), [
    "c1.nano",
    "c1.small",
    undefined,
  ]);
});

const monitors = [
  { name: haproxyName, replicas: 2, minReplicas: 1, selector: { app: haproxyName } },
  { name: "http-cache-demo-nginx", replicas: 2, minReplicas: 1, selector: { app: nginxName } },
  { name: "http-cache-demo", minReplicas: 0, selector: { "app.kubernetes.io/instance": "http-cache-demo" } },
] as const;

for (const { name, ...rest } of monitors) {
  test(`the monitor ${name} looks at what it is for`, () => {
    const spec = valueAt(demo().object("WorkloadMonitor", name), "spec");
    assert.deepEqual(spec, { kind: "http-cache", type: "http-cache", version: "0.0.0", ...rest });
  });
}

test("a number of replicas for the whole is shown by its monitor and nowhere else", () => {
  const given = { spec: { replicas: 7 } };
  assert.equal(valueAt(demo(given).object("WorkloadMonitor", "http-cache-demo"), "spec", "replicas"), 7);
  assert.equal(valueAt(demo(given).object("Deployment", haproxyName), "spec", "replicas"), 2);
});

test("a claim names a storage class only when one is given, and is found again by its labels", () => {
  const claim = (spec: object) => valueAt(demo({ spec }).object("PersistentVolumeClaim", `${nginxName}-0`), "spec");
  assert.deepEqual(claim({}), { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Gi" } } });
  assert.equal(valueAt(claim({ storageClass: "local" }), "storageClassName"), "local");
  const labels = valueAt(demo().object("PersistentVolumeClaim", `${nginxName}-0`), "metadata", "labels");
  const [stored] = demo().instance.storage;
  assert.partialDeepStrictEqual(labels, stored?.labels);
});

for (const [bundles, nodePorts] of [
  ["", false],
  ["robotlb", undefined],
] as const) {
  test(`from outside, with bundles ${bundles || "of none"}`, () => {
    const given = { spec: { external: true }, cluster: { "bundle-enable": bundles } };
    const service = valueAt(demo(given).object("Service", haproxyName), "spec");
    assert.equal(valueAt(service, "type"), "LoadBalancer");
    assert.equal(valueAt(service, "allocateLoadBalancerNodePorts"), nodePorts);
    assert.equal(valueAt(demo(given).object("Service", `${nginxName}-0`), "spec", "type"), "ClusterIP");
  });
}

test("the scrape of an application is its own, and looks where its servers are", () => {
  const scrape = valueAt(demo().object("VMServiceScrape", nginxName), "spec");
  assert.deepEqual(valueAt(scrape, "namespaceSelector"), { matchNames: ["tenant-foo"] });
  assert.deepEqual(valueAt(scrape, "selector"), { matchLabels: { app: nginxName } });
});

test("pods restart for what they read, and for nothing else", () => {
  const sums = (spec: object) =>
    [haproxyName, `${nginxName}-0`].map((name) =>
      valueAt(pods(name, { spec }), "metadata", "annotations", "checksum/config"),
    );
  const [haproxySum, nginxSum] = sums({});
  assert.deepEqual(sums({ external: true, haproxy: { replicas: 4 }, storageClass: "x" }), [haproxySum, nginxSum]);
  const [more, same] = sums({ nginx: { replicas: 3 } });
  assert.ok(more !== haproxySum && same === nginxSum, "another server is known to HAProxy alone");
  const [, other] = sums({ endpoints: ["a"] });
  assert.notEqual(other, nginxSum);
});

test("a running Deployment that is taken over does not restart", () => {
  const annotations = { "checksum/config": "f".repeat(64) };
  const running = Deployment(`${nginxName}-1`, {
    spec: { selector: {}, template: { metadata: { annotations }, spec: { containers: [] } } },
  });
  const template = (existing: readonly KubeObject[], spec = {}) =>
    valueAt(
      demo({ spec, existing }).object("Deployment", `${nginxName}-1`),
      "spec",
      "template",
      "metadata",
      "annotations",
    );
  assert.deepEqual(template([running]), annotations);
  const ours = demo({ existing: [running] }).objects.map((object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { "internal.cozystack.io/owner": "x", ...object.metadata.annotations },
    },
  }));
  assert.deepEqual(template(ours), annotations, "nor later");
  assert.notDeepEqual(template(ours, { endpoints: ["a"] }), annotations);
});

test("the longest name has Services of the longest name", () => {
  const name = "x".repeat(httpCache.longestName);
  const services = demo({ name, spec: { nginx: { replicas: 100 } } }).objects.filter(({ kind }) => kind === "Service");
  assert.equal(Math.max(...services.map((service) => service.metadata.name.length)), 63);
});

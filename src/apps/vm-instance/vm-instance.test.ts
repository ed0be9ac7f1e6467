import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { IP } from "../../contracts/kubeovn-io.ts";
import { VirtualMachine } from "../../contracts/kubevirt-io.ts";
import { valueAt } from "../../kube/json.ts";
import { catalogue, disk } from "./fixture.ts";
import { vmInstance } from "./index.ts";

const demo = (given: RenderGiven = {}) =>
  renderApp(vmInstance, { ...given, existing: [...catalogue, ...(given.existing ?? [])] });

const machine = (given: RenderGiven = {}) => demo(given).object("VirtualMachine", "vm-instance-demo");
const inside = (given: RenderGiven = {}) => valueAt(machine(given), "spec", "template", "spec");
const service = (given: RenderGiven = {}) => demo(given).object("Service", "vm-instance-demo");
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);

test("the default is a machine of the default size without disks, and a name for it", () => {
  assert.deepEqual(names(), [
    "VirtualMachine/vm-instance-demo",
    "Service/vm-instance-demo",
    "WorkloadMonitor/vm-instance-demo",
    "Role/vm-instance-demo-dashboard-resources",
    "RoleBinding/vm-instance-demo-dashboard-resources",
  ]);
  assert.deepEqual(valueAt(machine(), "spec", "instancetype"), {
    kind: "VirtualMachineClusterInstancetype",
    name: "u1.medium",
  });
  assert.deepEqual(valueAt(inside(), "domain", "devices"), { interfaces: [{ name: "default", bridge: {} }] });
  assert.equal(valueAt(inside(), "volumes"), undefined, "an empty list, where upstream's null is refused");
  assert.equal(valueAt(machine(), "spec", "runStrategy"), "Always");
});

// feature 210: an instance that names a disk of its namespace has it attached.
test("feature 210: disks of the namespace are attached in order of booting, optical ones as CD drives", () => {
  const existing = [disk("root"), disk("iso", "true"), disk("data", "false")];
  const spec = {
    disks: [{ name: "root" }, { name: "iso", bus: "sata" }, { name: "data", bus: "" }],
    sshKeys: ["ssh-ed25519 AAAA"],
  };
  assert.deepEqual(valueAt(inside({ spec, existing }), "domain", "devices", "disks"), [
    { name: "disk-root", bootOrder: 1, disk: {} },
    { name: "disk-iso", bootOrder: 2, cdrom: { bus: "sata" } },
    { name: "disk-data", bootOrder: 3, disk: {} },
    { name: "cloudinitdisk", disk: {} },
  ]);
  assert.deepEqual(valueAt(inside({ spec, existing }), "volumes"), [
    { name: "disk-root", dataVolume: { name: "vm-disk-root" } },
    { name: "disk-iso", dataVolume: { name: "vm-disk-iso" } },
    { name: "disk-data", dataVolume: { name: "vm-disk-data" } },
    { name: "cloudinitdisk", cloudInitNoCloud: { secretRef: { name: "vm-instance-demo-cloud-init" } } },
  ]);
  const { references } = demo({ spec, existing }).instance;
  assert.deepEqual(
    references.map(({ kind, name }) => `${kind}/${name}`),
    ["VMDisk/root", "VMDisk/iso", "VMDisk/data"],
  );
});

const waits = [
  { why: "a disk", spec: { disks: [{ name: "later" }] }, for: /DataVolume vm-disk-later/ },
  { why: "an instance type", spec: { instanceType: "u9.huge" }, for: /VirtualMachineClusterInstancetype u9.huge/ },
  { why: "a profile", spec: { instanceProfile: "beos" }, for: /VirtualMachineClusterPreference beos/ },
] as const;

for (const { why, spec, for: named } of waits) {
  test(`waits for ${why} that does not exist, by its name`, () => assert.throws(() => demo({ spec }), named));
}

test("networks win over their old spelling, and are attached besides the pod network", () => {
  const attached = (spec: object) => valueAt(inside({ spec }), "networks");
  const pod = { name: "default", pod: {} };
  const other = (name: string) => ({ name, multus: { networkName: `tenant-foo/${name}` } });
  assert.deepEqual(attached({ networks: [{ name: "a" }, { name: "b" }], subnets: [{ name: "c" }] }), [
    pod,
    other("a"),
    other("b"),
  ]);
  assert.deepEqual(attached({ subnets: [{ name: "c" }] }), [pod, other("c")]);
  const interfaces = valueAt(inside({ spec: { subnets: [{ name: "c" }] } }), "domain", "devices", "interfaces");
  assert.deepEqual(interfaces, [
    { name: "default", bridge: {} },
    { name: "c", bridge: {} },
  ]);
});

const ownSizes = [
  {
    why: "all three instead of an instance type",
    spec: { instanceType: "", resources: { cpu: "4", sockets: 2, memory: "8Gi" } },
    cpu: { cores: 4, sockets: 2 },
    memory: "8Gi",
  },
  {
    why: "with a model of processor",
    spec: { instanceType: "", cpuModel: "host-model", resources: { cpu: 1, sockets: "1", memory: 1073741824 } },
    cpu: { cores: 1, sockets: 1, model: "host-model" },
    memory: 1073741824,
  },
  {
    why: "a model beside an instance type",
    spec: { cpuModel: "Haswell" },
    cpu: { model: "Haswell" },
    memory: undefined,
  },
  {
    why: "half a size says nothing beside an instance type",
    spec: { resources: { cpu: 4 } },
    cpu: undefined,
    memory: undefined,
  },
] as const;

for (const { why, spec, cpu, memory } of ownSizes) {
  test(`size: ${why}`, () => {
    assert.deepEqual(valueAt(inside({ spec }), "domain", "cpu"), cpu);
    assert.equal(valueAt(inside({ spec }), "domain", "resources", "requests", "memory"), memory);
  });
}

test("graphics processors are numbered; one may be listed twice", () => {
  const spec = { gpus: [{ name: "nvidia.com/A400" }, { name: "nvidia.com/A400" }] };
  assert.deepEqual(valueAt(inside({ spec }), "domain", "devices", "gpus"), [
    { name: "gpu1", deviceName: "nvidia.com/A400" },
    { name: "gpu2", deviceName: "nvidia.com/A400" },
  ]);
});

test("the address a machine got is asked for from then on", () => {
  const annotations = (existing: RenderGiven["existing"] = []) =>
    valueAt(machine({ existing }), "spec", "template", "metadata", "annotations");
  const always = { "kubevirt.io/allow-pod-bridge-network-live-migration": "true" };
  assert.deepEqual(annotations(), always);
  const address = IP("vm-instance-demo.tenant-foo", {
    spec: { macAddress: "00:00:00:01:02:03", ipAddress: "10.244.0.9" },
  });
  assert.deepEqual(annotations([address]), {
    ...always,
    "ovn.kubernetes.io/mac_address": "00:00:00:01:02:03",
    "ovn.kubernetes.io/ip_address": "10.244.0.9",
  });
});

const services = [
  { why: "inside only: a name", spec: {}, type: "ClusterIP", ports: [{ port: 65535 }], annotations: undefined },
  {
    why: "listed ports, pings answered",
    spec: { external: true, externalPorts: [22, 443] },
    type: "LoadBalancer",
    ports: [
      { name: "port-22", port: 22, targetPort: 22 },
      { name: "port-443", port: 443, targetPort: 443 },
    ],
    annotations: { "networking.cozystack.io/wholeIP": "false", "networking.cozystack.io/allowICMP": "true" },
  },
  {
    why: "listed ports, no pings",
    spec: { external: true, externalAllowICMP: false },
    type: "LoadBalancer",
    ports: [{ name: "port-22", port: 22, targetPort: 22 }],
    annotations: { "networking.cozystack.io/wholeIP": "false", "networking.cozystack.io/allowICMP": "false" },
  },
  {
    why: "a whole address keeps the default port list, as upstream does",
    spec: { external: true, externalMethod: "WholeIP", externalAllowICMP: false },
    type: "LoadBalancer",
    ports: [{ name: "port-22", port: 22, targetPort: 22 }],
    annotations: { "networking.cozystack.io/wholeIP": "true" },
  },
  {
    why: "a whole address without ports",
    spec: { external: true, externalMethod: "WholeIP", externalPorts: [] },
    type: "LoadBalancer",
    ports: [{ port: 65535 }],
    annotations: { "networking.cozystack.io/wholeIP": "true" },
  },
] as const;

for (const { why, spec, type, ports, annotations } of services) {
  test(`service: ${why}`, () => {
    const object = service({ spec });
    assert.equal(valueAt(object, "spec", "type"), type);
    assert.deepEqual(valueAt(object, "spec", "ports"), ports);
    assert.deepEqual(valueAt(object, "metadata", "annotations"), annotations);
    const proxy = valueAt(object, "metadata", "labels", "service.kubernetes.io/service-proxy-name");
    assert.equal(proxy, type === "LoadBalancer" ? "cozy-proxy" : undefined);
    assert.equal(valueAt(object, "spec", "clusterIP"), type === "LoadBalancer" ? undefined : "None");
    assert.deepEqual(demo({ spec }).manifest("Service", "vm-instance-demo")?.replaceOn, ["/spec/type"]);
  });
}

test("a balancer that needs node ports gets them", () => {
  const given = { spec: { external: true }, cluster: { "bundle-enable": "robotlb" } };
  assert.equal(valueAt(service(given), "spec", "allocateLoadBalancerNodePorts"), undefined);
  assert.equal(valueAt(service({ spec: { external: true } }), "spec", "allocateLoadBalancerNodePorts"), false);
});

const places = [
  { why: "Windows must", profile: "windows.11", flag: "true", rule: "requiredDuringSchedulingIgnoredDuringExecution" },
  {
    why: "others rather not",
    profile: "ubuntu",
    flag: "true",
    rule: "preferredDuringSchedulingIgnoredDuringExecution",
  },
  { why: "nobody cares", profile: "windows.11", flag: "false", rule: undefined },
] as const;

for (const { why, profile, flag, rule } of places) {
  test(`nodes for Windows set aside (${flag}): ${why}`, () => {
    const cluster = { scheduling: { dedicatedNodesForWindowsVMs: flag } };
    const affinity = valueAt(inside({ spec: { instanceProfile: profile }, cluster }), "affinity", "nodeAffinity");
    assert.deepEqual(affinity === undefined ? undefined : Object.keys(Object(affinity))[0], rule);
  });
}

const monitored = [
  { runStrategy: "Always", minReplicas: 1 },
  { runStrategy: "RerunOnFailure", minReplicas: 1 },
  { runStrategy: "Halted", minReplicas: 0 },
] as const;

for (const { runStrategy, minReplicas } of monitored) {
  test(`a machine with strategy ${runStrategy} is operational with ${minReplicas} pods`, () => {
    const monitor = demo({ spec: { runStrategy } }).object("WorkloadMonitor", "vm-instance-demo");
    assert.equal(valueAt(monitor, "spec", "minReplicas"), minReplicas);
    assert.equal(valueAt(monitor, "spec", "replicas"), 1);
    assert.equal(valueAt(monitor, "spec", "kind"), "virtual-machine");
  });
}

test("property: the set of objects does not depend on any text", () => {
  const shape = (spec: object) => names({ spec });
  const plain = shape({ cloudInit: "x", cloudInitSeed: "x", cpuModel: "x", sshKeys: ["x"] });
  const line = fc.string({ minLength: 1, maxLength: 60, unit: "binary" }).filter((text) => !/[\r\n]/.test(text));
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "binary" }), line, (text, key) => {
      const spec = { cloudInit: text, cloudInitSeed: text, cpuModel: text.slice(0, 20), sshKeys: [key] };
      assert.deepEqual(shape(spec), plain);
      assert.deepEqual(demo({ spec }).objects, demo({ spec }).objects);
    }),
    { numRuns: 100 },
  );
});

test("a live machine without a template is no reason to fail", () => {
  const existing = [VirtualMachine("vm-instance-demo", { spec: { template: {} } })];
  assert.ok(machine({ existing }));
});

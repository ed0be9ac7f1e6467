import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { renderApp } from "../../../test/support/render.ts";
import {
  VirtualMachineClusterInstancetype,
  VirtualMachineClusterPreference,
} from "../../contracts/instancetype-kubevirt-io.ts";
import { VirtualMachine } from "../../contracts/kubevirt-io.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Machine } from "./changes.ts";
import { firmwareUuid, stableUuid } from "./firmware.ts";
import { vmInstance } from "./index.ts";

const catalogue = [
  ...["u1.medium", "u1.large"].map((name) =>
    VirtualMachineClusterInstancetype(name, { spec: { cpu: { guest: 1 }, memory: { guest: "4Gi" } } }),
  ),
  ...["ubuntu", "debian"].map((name) => VirtualMachineClusterPreference(name, { spec: {} })),
];

const render = (spec: object, live?: KubeObject, chartVersion = "0.0.0") =>
  renderApp(vmInstance, {
    spec,
    chartVersion,
    existing: [...catalogue, ...(live === undefined ? [] : [live])],
  }).manifest("VirtualMachine", "vm-instance-demo");

/** A machine as KubeVirt keeps one: its references pinned to revisions. */
const live = (spec: Partial<Machine["spec"]>): KubeObject =>
  VirtualMachine("vm-instance-demo", {
    spec: { runStrategy: "Always", template: { spec: { domain: { devices: {} } } }, ...spec },
  });
const size = (name: string) => ({ kind: "VirtualMachineClusterInstancetype", name, revisionName: `${name}-1` });
const guest = (name: string) => ({ kind: "VirtualMachineClusterPreference", name, revisionName: `${name}-1` });
const byNumber = { cpu: { cores: 2, sockets: 1 }, resources: { requests: { memory: "2Gi" } }, devices: {} };
const asNumber = { instanceType: "", resources: { cpu: 2, sockets: 1, memory: "2Gi" } };

const transitions = [
  { why: "no live machine", spec: {}, live: undefined, transition: undefined },
  {
    why: "nothing differs",
    spec: {},
    live: { instancetype: size("u1.medium"), preference: guest("ubuntu") },
    transition: undefined,
  },
  {
    why: "another size: the pinned revision goes in the same request",
    spec: { instanceType: "u1.large" },
    live: { instancetype: size("u1.medium"), preference: guest("ubuntu") },
    transition: { spec: { instancetype: { name: "u1.large", revisionName: null } } },
  },
  {
    why: "another guest system",
    spec: { instanceProfile: "debian" },
    live: { instancetype: size("u1.medium"), preference: guest("ubuntu") },
    transition: { spec: { preference: { name: "debian", revisionName: null } } },
  },
  {
    why: "no guest system any more",
    spec: { instanceProfile: "" },
    live: { instancetype: size("u1.medium"), preference: guest("ubuntu") },
    transition: { spec: { preference: null } },
  },
  {
    why: "from a type to a size by number",
    spec: asNumber,
    live: { instancetype: size("u1.medium"), preference: guest("ubuntu") },
    transition: {
      spec: {
        instancetype: null,
        template: { spec: { domain: { cpu: { cores: 2, sockets: 1 }, resources: { requests: { memory: "2Gi" } } } } },
      },
    },
  },
  {
    why: "the same, and no guest system",
    spec: { ...asNumber, instanceProfile: "" },
    live: { instancetype: size("u1.medium"), preference: guest("ubuntu") },
    transition: {
      spec: {
        instancetype: null,
        preference: null,
        template: { spec: { domain: { cpu: { cores: 2, sockets: 1 }, resources: { requests: { memory: "2Gi" } } } } },
      },
    },
  },
  {
    why: "from a size by number to a type: the machine has one or the other at any moment",
    spec: {},
    live: { template: { spec: { domain: byNumber } } },
    transition: {
      spec: {
        instancetype: { kind: "VirtualMachineClusterInstancetype", name: "u1.medium", revisionName: null },
        template: { spec: { domain: { cpu: null, resources: null } } },
      },
    },
  },
  {
    why: "the switch of an old machine: one or the other at any moment",
    spec: {},
    live: { running: true, instancetype: size("u1.medium"), preference: guest("ubuntu") },
    transition: { spec: { running: null, runStrategy: "Always" } },
  },
  { why: "a type where there was nothing", spec: {}, live: {}, transition: undefined },
  {
    why: "another size by number, which an apply does",
    spec: asNumber,
    live: { template: { spec: { domain: byNumber } } },
    transition: undefined,
  },
] as const;

for (const { why, spec, live: machine, transition } of transitions) {
  test(`before the apply: ${why}`, () => {
    assert.deepEqual(render(spec, machine === undefined ? undefined : live(machine))?.transition, transition);
  });
}

const vectors = [
  { namespace: "tenant-test", release: "vm-instance-t", seed: "", uuid: "d42593b0-ed13-4ad9-920c-98d2d58fd53b" },
  { namespace: "tenant-foo", release: "vm-instance-demo", seed: "", uuid: "87792801-ceb5-4984-90c9-ed05f9acfe17" },
  { namespace: "tenant-foo", release: "vm-instance-demo", seed: "upd1", uuid: "b1f0ed5f-22ae-4eae-90de-ea0194736019" },
] as const;

for (const { namespace, release, seed, uuid } of vectors) {
  test(`the UUID of ${namespace}/${release} with seed ${JSON.stringify(seed)}`, () => {
    assert.equal(stableUuid(namespace, release, seed), uuid);
  });
}

test("a live UUID is kept until a seed is set", () => {
  const own = "11111111-2222-4333-9444-555555555555";
  const machine = live({ template: { spec: { domain: { devices: {}, firmware: { uuid: own } } } } });
  const uuid = (spec: object) =>
    valueAt(render(spec, machine)?.object, "spec", "template", "spec", "domain", "firmware", "uuid");
  assert.equal(uuid({}), own);
  assert.equal(uuid({ cloudInitSeed: "upd1" }), "b1f0ed5f-22ae-4eae-90de-ea0194736019");
});

test("property: a UUID is a UUID, and follows from its inputs", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (namespace, release, seed) => {
      const uuid = firmwareUuid(namespace, release, seed, undefined);
      assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(firmwareUuid(namespace, release, seed, ""), uuid);
    }),
  );
});

const labelsOf = (manifest: ReturnType<typeof render>) =>
  valueAt(manifest?.object, "spec", "template", "metadata", "labels");
const chartOf = (manifest: ReturnType<typeof render>) => valueAt(labelsOf(manifest), "helm.sh/chart");

test("a new version of the product leaves the label of a machine that does not change", () => {
  const before = render({ runStrategy: "Always" }, undefined, "1.0.0")?.object;
  assert.ok(before !== undefined);
  assert.equal(chartOf(render({}, before, "2.0.0")), "vm-instance-1.0.0");
  assert.equal(chartOf(render({ runStrategy: "Halted" }, before, "2.0.0")), "vm-instance-1.0.0", "not in the template");
  assert.equal(chartOf(render({ gpus: [{ name: "x" }] }, before, "2.0.0")), "vm-instance-2.0.0");
  assert.equal(chartOf(render({ cloudInitSeed: "x" }, before, "2.0.0")), "vm-instance-2.0.0");
  assert.equal(
    valueAt(render({}, before, "2.0.0")?.object, "metadata", "labels", "helm.sh/chart"),
    "vm-instance-2.0.0",
  );
});

test("what the server fills in is no change", () => {
  const rendered = JSON.parse(JSON.stringify(render({}, undefined, "1.0.0")?.object));
  rendered.spec.template.spec.architecture = "amd64";
  rendered.spec.template.spec.domain.machine.type = "";
  rendered.spec.template.spec.domain.resources = {};
  rendered.spec.template.metadata.creationTimestamp = null;
  assert.equal(chartOf(render({}, rendered, "2.0.0")), "vm-instance-1.0.0");
});

test("a version in a label has no character that a label cannot have", () => {
  assert.equal(chartOf(render({}, undefined, "1.0.0+build.5")), "vm-instance-1.0.0_build.5");
  const long = chartOf(render({}, undefined, `1.0.0-${"x".repeat(80)}`));
  assert.equal(String(long).length, 63);
});

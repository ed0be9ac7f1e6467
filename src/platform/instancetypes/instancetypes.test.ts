import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { parseQuantity } from "../../sdk/quantity.ts";
import { instancetypeManifests, preferenceManifests, virtualMachineSizes } from "./index.ts";

const sizes = new Map(instancetypeManifests.map((each) => [each.metadata.name, each.spec]));
const guests = new Map(preferenceManifests.map((each) => [each.metadata.name, each.spec]));

test("every size of every series is there, and no other", () => {
  const count = new Map<string, number>();
  for (const name of sizes.keys()) {
    const series = name.split(".")[0] ?? "";
    count.set(series, (count.get(series) ?? 0) + 1);
  }
  assert.deepEqual(Object.fromEntries(count), { u1: 10, o1: 9, d1: 10, rt1: 8, cx1: 12, m1: 10, n1: 6, gn1: 4 });
  assert.equal(virtualMachineSizes.length, sizes.size + guests.size);
});

const cases = [
  { name: "u1.medium", why: "the default of a VMInstance", spec: { cpu: { guest: 1 }, memory: { guest: "4Gi" } } },
  {
    name: "u1.2xmedium",
    why: "two processors, the memory of medium",
    spec: { cpu: { guest: 2 }, memory: { guest: "4Gi" } },
  },
  {
    name: "o1.8xlarge",
    why: "overcommitted",
    spec: { cpu: { guest: 32 }, memory: { guest: "128Gi", overcommitPercent: 50 } },
  },
  {
    name: "cx1.large1gi",
    why: "the same size in larger pages",
    spec: {
      cpu: {
        guest: 2,
        dedicatedCPUPlacement: true,
        isolateEmulatorThread: true,
        numa: { guestMappingPassthrough: {} },
      },
      memory: { guest: "4Gi", hugepages: { pageSize: "1Gi" } },
    },
  },
  {
    name: "n1.8xlarge",
    why: "twice the processors of other series",
    spec: {
      cpu: { guest: 64, dedicatedCPUPlacement: true, isolateEmulatorThread: true },
      memory: { guest: "128Gi", hugepages: { pageSize: "1Gi" } },
    },
  },
  {
    name: "gn1.xlarge",
    why: "kept for old machines",
    spec: {
      cpu: { guest: 4 },
      memory: { guest: "16Gi" },
      gpus: [{ name: "gpu1", deviceName: "nvidia.com/A400" }],
    },
  },
] as const;

for (const { name, why, spec } of cases) test(`${name}: ${why}`, () => assert.deepEqual(sizes.get(name), spec));

test("memory in huge pages is a whole number of them", () => {
  for (const [name, { memory }] of sizes) {
    const page = parseQuantity(memory.hugepages?.pageSize ?? "1Mi");
    const all = parseQuantity(memory.guest);
    assert.ok(page !== undefined && all !== undefined && all.nano % page.nano === 0n, name);
  }
});

test("systems that only run on another processor say so", () => {
  for (const [name, spec] of guests) {
    const architecture = /\.(arm64|s390x)$/.exec(name)?.[1];
    assert.equal(spec.preferredArchitecture, architecture, name);
    assert.equal(spec.requirements?.architecture, architecture, name);
  }
});

test("Windows has its clock and tastes, Linux is not told that it is Windows", () => {
  for (const [name, spec] of guests) {
    const windows = name.startsWith("windows.");
    assert.equal(spec.annotations?.["vm.kubevirt.io/os"], windows ? "windows" : "linux", name);
    if (!windows) assert.equal(spec.features?.preferredHyperv, undefined, name);
  }
  assert.equal(guests.get("windows.10.virtio")?.devices?.preferredDiskBus, "virtio");
  assert.equal(guests.get("windows.10")?.devices?.preferredDiskBus, "sata");
});

test("Windows 11 starts only with secure boot and a TPM", () => {
  const spec = guests.get("windows.11.virtio");
  assert.deepEqual(spec?.firmware, { preferredEfi: { secureBoot: true } });
  assert.deepEqual(spec?.features?.preferredSmm, { enabled: true });
  assert.equal(spec?.devices?.preferredTPM?.enabled, true);
  assert.equal(spec?.requirements?.cpu?.guest, 2);
});

const recorded = resolve(import.meta.dirname, "../../../../shared/parity/vm-instance/defaults.json");

test("the default size and guest are what installations have", { skip: !existsSync(recorded) }, () => {
  const { existing } = JSON.parse(readFileSync(join(recorded), "utf8"));
  const spec = (kind: string) => existing.find((object: { kind: string }) => object.kind === kind)?.spec;
  assert.deepEqual(sizes.get("u1.medium"), spec("VirtualMachineClusterInstancetype"));
  assert.deepEqual(guests.get("ubuntu"), spec("VirtualMachineClusterPreference"));
});

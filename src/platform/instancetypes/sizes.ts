/**
 * The sizes in which virtual machines come: series of instance types that differ in how their processors and memory are held.
 */
import { VirtualMachineClusterInstancetype } from "../../contracts/instancetype-kubevirt-io.ts";

type Spec = ReturnType<typeof VirtualMachineClusterInstancetype>["spec"];

/** Size name -> processors and memory (quantity). */
type Sizes = Readonly<Record<string, readonly [cpu: number, memory: string]>>;

const general: Sizes = {
  nano: [1, "512Mi"],
  micro: [1, "1Gi"],
  small: [1, "2Gi"],
  medium: [1, "4Gi"],
  "2xmedium": [2, "4Gi"],
  large: [2, "8Gi"],
  xlarge: [4, "16Gi"],
  "2xlarge": [8, "32Gi"],
  "4xlarge": [16, "64Gi"],
  "8xlarge": [32, "128Gi"],
};

function without(sizes: Sizes, ...names: readonly string[]): Sizes {
  return Object.fromEntries(Object.entries(sizes).filter(([name]) => !names.includes(name)));
}

/** What a series adds to its sizes. */
interface Traits {
  readonly cpu?: Omit<Spec["cpu"], "guest">;
  readonly memory?: Omit<Spec["memory"], "guest">;
  readonly rest?: Pick<Spec, "ioThreadsPolicy" | "gpus">;
}

interface Series {
  readonly name: string;
  readonly sizes: Sizes;
  readonly traits: Traits;
  /** Appended to each name. */
  readonly suffix?: string;
  /** Shown to people. */
  readonly description: string;
}

const dedicated = { dedicatedCPUPlacement: true, isolateEmulatorThread: true } as const;
/** The guest's memory lies where its processors are; needs huge pages. */
const numa = { numa: { guestMappingPassthrough: {} } } as const;
const pages = (pageSize: "2Mi" | "1Gi") => ({ hugepages: { pageSize } });

const compute: Sizes = {
  medium: [1, "2Gi"],
  large: [2, "4Gi"],
  xlarge: [4, "8Gi"],
  "2xlarge": [8, "16Gi"],
  "4xlarge": [16, "32Gi"],
  "8xlarge": [32, "64Gi"],
};
const memoryHeavy: Sizes = {
  large: [2, "16Gi"],
  xlarge: [4, "32Gi"],
  "2xlarge": [8, "64Gi"],
  "4xlarge": [16, "128Gi"],
  "8xlarge": [32, "256Gi"],
};
const network: Sizes = {
  medium: [4, "4Gi"],
  large: [4, "8Gi"],
  xlarge: [8, "16Gi"],
  "2xlarge": [16, "32Gi"],
  "4xlarge": [32, "64Gi"],
  "8xlarge": [64, "128Gi"],
};
const computeTraits = (pageSize: "2Mi" | "1Gi"): Traits => ({
  cpu: { ...dedicated, ...numa },
  memory: pages(pageSize),
});

const series: readonly Series[] = [
  { name: "u1", sizes: general, traits: {}, description: "General purpose: shared processors" },
  {
    name: "o1",
    sizes: without(general, "2xmedium"),
    traits: { memory: { overcommitPercent: 50 } },
    description: "Overcommitted: memory is shared with other machines",
  },
  {
    name: "d1",
    sizes: general,
    traits: { cpu: dedicated, rest: { ioThreadsPolicy: "auto" } },
    description: "Dedicated processors",
  },
  {
    name: "rt1",
    sizes: without(general, "nano", "2xmedium"),
    traits: { cpu: { ...dedicated, ...numa, realtime: {} }, memory: pages("1Gi") },
    description: "Realtime: dedicated processors and memory beside them",
  },
  { name: "cx1", sizes: compute, traits: computeTraits("2Mi"), description: "Compute: dedicated processors" },
  { name: "cx1", suffix: "1gi", sizes: compute, traits: computeTraits("1Gi"), description: "Compute, in pages of 1Gi" },
  { name: "m1", sizes: memoryHeavy, traits: { memory: pages("2Mi") }, description: "Much memory" },
  {
    name: "m1",
    suffix: "1gi",
    sizes: memoryHeavy,
    traits: { memory: pages("1Gi") },
    description: "Much memory, in pages of 1Gi",
  },
  {
    name: "n1",
    sizes: network,
    traits: { cpu: dedicated, memory: pages("1Gi") },
    description: "Network functions: dedicated processors and pages of 1Gi",
  },
  {
    name: "gn1",
    sizes: Object.fromEntries(Object.entries(general).filter(([name]) => /^[0-9]?xlarge$/.test(name))),
    traits: { rest: { gpus: [{ name: "gpu1", deviceName: "nvidia.com/A400" }] } },
    description: "One graphics processor. Deprecated: name the device in the machine's `gpus`",
  },
];

function instancetypes({ name, suffix = "", sizes, traits, description }: Series) {
  return Object.entries(sizes).map(([size, [cpu, memory]]) =>
    VirtualMachineClusterInstancetype(`${name}.${size}${suffix}`, {
      labels: {
        "instancetype.kubevirt.io/class": name,
        "instancetype.kubevirt.io/size": `${size}${suffix}`,
        "instancetype.kubevirt.io/cpu": String(cpu),
        "instancetype.kubevirt.io/memory": memory,
      },
      annotations: { "instancetype.kubevirt.io/description": `${description}: ${cpu} CPU, ${memory}` },
      spec: { cpu: { guest: cpu, ...traits.cpu }, memory: { guest: memory, ...traits.memory }, ...traits.rest },
    }),
  );
}

/** Every instance type, by series. */
export const instancetypeManifests = series.flatMap(instancetypes);

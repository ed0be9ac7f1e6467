/**
 * The fields by which people describe a pool of worker machines, for the kinds that have them.
 */
import { Type } from "typebox";
import { group, open, quantity, text } from "../fields.ts";
import type { KubeletSettings } from "./pool.ts";
import { talosDefaults } from "./versions.ts";

/** A map whose inside is somebody else's. */
export const foreign = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    default: {},
    description,
  });

const reserved = (what: string) => text({ maxLength: 64, description: `${what} Absent: a twentieth of the machine.` });

const eviction = { evictionHardMemory: "7%", evictionSoftMemory: "10%" } as const;

const reservations = {
  systemReservedMemory: reserved("Memory for the system."),
  kubeReservedMemory: reserved("Memory for Kubernetes."),
  systemReservedCpu: reserved("CPU for the system."),
  kubeReservedCpu: reserved("CPU for Kubernetes."),
};

const hard = "Free memory below which pods are evicted at once: a percentage, or an amount.";
const soft = "Free memory below which pods are evicted after a while, in the same unit.";

/** Settings of the kubelet, where they have their defaults in the specification. */
export const kubeletFields = group(
  {
    ...reservations,
    evictionHardMemory: text({ default: eviction.evictionHardMemory, maxLength: 64, description: hard }),
    evictionSoftMemory: text({ default: eviction.evictionSoftMemory, maxLength: 64, description: soft }),
  },
  { description: "Settings of the kubelet." },
);

/** The same where they may be absent as a whole. */
export const optionalKubelet = Type.Optional(
  open(
    {
      ...reservations,
      evictionHardMemory: text({ maxLength: 64, description: `${hard} Absent: ${eviction.evictionHardMemory}.` }),
      evictionSoftMemory: text({ maxLength: 64, description: `${soft} Absent: ${eviction.evictionSoftMemory}.` }),
    },
    { description: "Settings of the kubelet." },
  ),
);

/** What is said of the kubelet, with what is left out. */
export const kubeletOf = (given: Partial<KubeletSettings> | undefined): KubeletSettings => ({ ...eviction, ...given });

/** A role is the last part of a label's key. */
export const role = Type.String({ maxLength: 63, pattern: "^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$" });

export const roles = {
  maxItems: 32,
  description: "What the machines are for: each becomes a label node-role.kubernetes.io/ROLE.",
} as const;

const gpu = open({
  name: text({ required: true, maxLength: 253, options: "gpu", description: "Name of the device." }),
});

export const gpuList = { item: gpu, options: { maxItems: 32, description: "Graphics processors of each machine." } };

const sizes = {
  cpu: quantity({ description: "Cores of each machine." }),
  memory: quantity({ description: "Memory of each machine." }),
};
const sizesText = { description: "Size of each machine, instead of that of the instance type. Both or neither." };

export const machineResources = group(sizes, sizesText);
export const optionalResources = Type.Optional(open(sizes, sizesText));

/** Fields that are the same in both kinds, and that nobody needs to set. */
export const commonFields = {
  podCpuLimit: quantity({ description: "CPU limit of each machine's pod. Only where resources are given." }),
  podCpuRequest: quantity({ description: "CPU request of each machine's pod. Only where resources are given." }),
};

/** One line, whatever it says. RE2. */
const line = "^[^\\x00-\\x1f\\x7f]*$";

/** Talos Linux, from where it comes and which. */
export const talosFields = group(
  {
    version: text({
      default: talosDefaults.version,
      pattern: line,
      maxLength: 64,
      description: "Version of Talos Linux.",
    }),
    schematicID: text({
      default: talosDefaults.schematicID,
      pattern: line,
      maxLength: 253,
      description: "Which image the factory makes.",
    }),
    imageFactoryURL: text({
      default: talosDefaults.imageFactoryURL,
      pattern: line,
      maxLength: 2048,
      description: "Where disks of new machines are fetched from.",
    }),
    installerRepository: text({
      default: talosDefaults.installerRepository,
      pattern: line,
      maxLength: 2048,
      description: "Where Talos' installer is fetched from.",
    }),
    registryMirrors: foreign("Mirrors of registries, as Talos' `machine.registries.mirrors`."),
  },
  { description: "What the machines run." },
);

/** An image that is used instead of the one that this release names. */
export const imageField = (of: string) =>
  text({ default: "", maxLength: 1024, description: `Image ${of}. Empty: the one that this release names.` });

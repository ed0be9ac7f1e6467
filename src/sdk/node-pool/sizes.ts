/**
 * How much of a machine is left for pods: what the kubelet sets aside, and what the autoscaler may count on.
 */
import { refuse } from "../errors.ts";
import { toFloat } from "../go-number.ts";
import type { NodePool } from "./pool.ts";

/** What a machine has; undefined: not known. */
export interface MachineSize {
  /** Bytes. */
  readonly memory: number | undefined;
  readonly cores: number | undefined;
}

export interface Reservations {
  readonly systemReserved: { readonly cpu: string; readonly memory: string };
  readonly kubeReserved: { readonly cpu: string; readonly memory: string };
}

export interface Capacity {
  readonly cpu?: string;
  readonly memory?: string;
}

const MiB = 1024 * 1024;

/** As the kubelet reads amounts of memory. */
const memoryPattern = /^[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?(Ki|Mi|Gi|Ti|Pi|Ei|k|M|G|T|P|E)?$/;
const cpuPattern = /^([0-9]+m|[0-9]+(\.[0-9]+)?)$/;
const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

const no = (pool: NodePool, field: string, message: string, remedy: string): never =>
  refuse({
    code: "InvalidValue",
    field: `${pool.field}.${field}`,
    message: `node group ${pool.name}: ${message}`,
    remedy,
  });

/** A reservation that the user gives: refused when it is no amount above 0. */
function reservation(pool: NodePool, name: keyof NodePool["kubelet"], pattern: RegExp): string | undefined {
  const text = pool.kubelet[name];
  if (text === undefined || text === "") return undefined;
  const field = `kubelet.${name}`;
  if (!pattern.test(text))
    return no(pool, field, `${JSON.stringify(text)} is no amount`, "Write 256Mi, or 100m for cpu.");
  if (toFloat(text) <= 0) return no(pool, field, "a reservation must be above 0", "Leave it out for the default.");
  return text;
}

interface Threshold {
  readonly unit: "percent" | "bytes";
  readonly value: number;
}

function threshold(pool: NodePool, name: "evictionHardMemory" | "evictionSoftMemory"): Threshold {
  const text = pool.kubelet[name];
  const field = `kubelet.${name}`;
  const remedy = "Write a percentage such as 7%, or an amount such as 500Mi.";
  if (text.endsWith("%")) {
    const digits = text.slice(0, -1);
    const value = /^[0-9]+(\.[0-9]+)?$/.test(digits) ? Number(digits) : Number.NaN;
    if (Number.isNaN(value)) return no(pool, field, `${JSON.stringify(text)} is no percentage`, remedy);
    if (value <= 0 || value > 100) return no(pool, field, "a percentage is above 0 and at most 100", remedy);
    return { unit: "percent", value };
  }
  if (!memoryPattern.test(text)) return no(pool, field, `${JSON.stringify(text)} is no threshold`, remedy);
  return { unit: "bytes", value: toFloat(text) };
}

/** The hard threshold, after both were checked against each other. */
function hardThreshold(pool: NodePool): Threshold {
  const hard = threshold(pool, "evictionHardMemory");
  const soft = threshold(pool, "evictionSoftMemory");
  if (hard.unit !== soft.unit) {
    return no(
      pool,
      "kubelet.evictionHardMemory",
      "one threshold is a percentage and the other an amount",
      "Write evictionHardMemory and evictionSoftMemory in the same unit.",
    );
  }
  if (hard.value >= soft.value) {
    return no(
      pool,
      "kubelet.evictionHardMemory",
      "the hard threshold must be below the soft one",
      "Lower evictionHardMemory or raise evictionSoftMemory.",
    );
  }
  return hard;
}

/** A twentieth of the machine each, within bounds. */
const automaticMemory = (memory: number | undefined): string =>
  `${memory === undefined ? 256 : clamp(Math.trunc(Math.trunc(memory / MiB) * 0.05), 256, 1024)}Mi`;

function automaticCpu(cores: string | number | undefined): string {
  const text = cores === undefined ? "" : String(cores);
  const milli = text.endsWith("m") ? Number(text.slice(0, -1)) : Math.trunc(toFloat(text) * 1000);
  return `${cores === undefined ? 50 : clamp(Math.trunc(milli * 0.05), 50, 500)}m`;
}

/** Size of a pool's machines: what is said explicitly, else what the instance type says. */
export function machineSize(
  pool: NodePool,
  instanceType:
    | {
        readonly spec: {
          readonly cpu: { readonly guest: number };
          readonly memory: { readonly guest: string | number };
        };
      }
    | undefined,
): MachineSize & { readonly cpuText: string | number | undefined } {
  const { cpu, memory } = pool.resources;
  const known = (value: string | number | undefined) => (value === undefined || value === "" ? undefined : value);
  const cores = known(cpu) ?? instanceType?.spec.cpu.guest;
  const bytes = known(memory) ?? instanceType?.spec.memory.guest;
  return {
    memory: bytes === undefined ? undefined : toFloat(bytes),
    cores: cores === undefined ? undefined : toFloat(cores),
    cpuText: cores,
  };
}

/** What is set aside and what is left. Refuses settings that leave nothing, or that need a size which nobody said. */
export function reserve(
  pool: NodePool,
  size: ReturnType<typeof machineSize>,
): { readonly reservations: Reservations; readonly capacity: Capacity } {
  const { kubelet } = pool;
  const memory = {
    system: reservation(pool, "systemReservedMemory", memoryPattern),
    kube: reservation(pool, "kubeReservedMemory", memoryPattern),
  };
  const cpu = {
    system: reservation(pool, "systemReservedCpu", cpuPattern),
    kube: reservation(pool, "kubeReservedCpu", cpuPattern),
  };
  const hard = hardThreshold(pool);
  const evicting = kubelet.evictionHardMemory !== "7%" || kubelet.evictionSoftMemory !== "10%";
  const remedy = "Name an instanceType, or give resources.cpu and resources.memory.";
  if (size.memory === undefined && (memory.system !== undefined || memory.kube !== undefined || evicting))
    no(pool, "kubelet", "settings of memory need machines of known memory", remedy);
  if (size.cores === undefined && (cpu.system !== undefined || cpu.kube !== undefined))
    no(pool, "kubelet", "reservations of cpu need machines of known cpu", remedy);
  const reservations: Reservations = {
    systemReserved: {
      cpu: cpu.system ?? automaticCpu(size.cpuText),
      memory: memory.system ?? automaticMemory(size.memory),
    },
    kubeReserved: { cpu: cpu.kube ?? automaticCpu(size.cpuText), memory: memory.kube ?? automaticMemory(size.memory) },
  };
  return { reservations, capacity: capacity(pool, size, reservations, hard) };
}

function capacity(
  pool: NodePool,
  size: MachineSize,
  { systemReserved, kubeReserved }: Reservations,
  hard: Threshold,
): Capacity {
  const evicted = hard.unit === "percent" ? ((size.memory ?? 0) * hard.value) / 100 : hard.value;
  const bytes = toFloat(systemReserved.memory) + toFloat(kubeReserved.memory) + evicted;
  const cores = toFloat(systemReserved.cpu) + toFloat(kubeReserved.cpu);
  if (size.memory !== undefined && bytes >= size.memory)
    no(pool, "kubelet", "nothing of the machine's memory is left for pods", "Reserve less, or take larger machines.");
  if (size.cores !== undefined && cores >= size.cores)
    no(pool, "kubelet", "nothing of the machine's cpu is left for pods", "Reserve less, or take larger machines.");
  // Rounded first: half a millionth of a core is not a core more.
  const milli = (value: number) => Math.ceil(Number((value * 1000).toFixed(6)));
  return {
    ...(size.memory === undefined ? {} : { memory: `${Math.floor((size.memory - bytes) / MiB)}Mi` }),
    ...(size.cores === undefined ? {} : { cpu: `${milli(size.cores - cores)}m` }),
  };
}

/** What a piece of work costs: wall time, our CPU, and the CPU of the API server on the same machine. */
import { readdirSync, readFileSync } from "node:fs";
import { processFigures } from "./process-figures.ts";

export interface Cost {
  readonly operations: number;
  readonly wallMs: number;
  readonly clientCpuMs: number;
  /** Undefined when the API server's process cannot be found. */
  readonly serverCpuMs: number | undefined;
}

/** The process of the API server that listens on the port of `server`, if it runs here. */
export function apiServerProcess(server: string): number | undefined {
  const port = `--secure-port=${new URL(server).port}`;
  if (process.platform !== "linux") return undefined;
  return readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .find((pid) => commandOf(pid).includes(port));
}

function commandOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    // The process ended since its directory was listed.
    return [];
  }
}

/** Runs `work` once for each of `operations`, `concurrency` at a time. */
export async function measure(
  operations: number,
  concurrency: number,
  serverPid: number | undefined,
  work: (index: number) => Promise<unknown>,
): Promise<Cost> {
  const server = () => (serverPid === undefined ? 0 : processFigures(serverPid).cpuSeconds * 1000);
  const [wall, cpu, serverCpu] = [performance.now(), process.cpuUsage(), server()];
  let next = 0;
  const worker = async () => {
    while (next < operations) await work(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const used = process.cpuUsage(cpu);
  return {
    operations,
    wallMs: performance.now() - wall,
    clientCpuMs: (used.user + used.system) / 1000,
    serverCpuMs: serverPid === undefined ? undefined : server() - serverCpu,
  };
}

/** The median; costs of repeated runs scatter by a third on a busy machine. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

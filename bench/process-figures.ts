/** What a process has used so far, as Linux counts it: also for processes that are not ours to ask. */
import { readFileSync } from "node:fs";

export interface ProcessFigures {
  /** User and system time since the process began. */
  readonly cpuSeconds: number;
  readonly rssBytes: number;
  /** The most it ever had. */
  readonly peakRssBytes: number;
}

/** Linux counts process time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Reads /proc. Throws when the process has ended. */
export function processFigures(pid: number): ProcessFigures {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    rssBytes: kib("VmRSS") * 1024,
    peakRssBytes: kib("VmHWM") * 1024,
  };
}

/** By process name. */
export type AllFigures = ReadonlyMap<string, ProcessFigures>;

/** Figures of several processes at this moment. */
export function figuresOf(pids: ReadonlyMap<string, number>): AllFigures {
  return new Map([...pids].map(([name, pid]) => [name, processFigures(pid)]));
}

/** CPU seconds of each process since an earlier look at the same. */
export function cpuSince(before: AllFigures, now: AllFigures): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...now].map(([name, figures]) => [name, figures.cpuSeconds - (before.get(name)?.cpuSeconds ?? 0)]),
  );
}

/** Wall time of `work`, and what processes used meanwhile. */
export async function measureProcesses(
  pids: ReadonlyMap<string, number>,
  work: () => Promise<void>,
): Promise<{ readonly seconds: number; readonly cpuSeconds: Readonly<Record<string, number>> }> {
  const [before, started] = [figuresOf(pids), performance.now()];
  await work();
  return { seconds: (performance.now() - started) / 1000, cpuSeconds: cpuSince(before, figuresOf(pids)) };
}

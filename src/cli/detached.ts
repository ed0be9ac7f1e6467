/**
 * `up --detach`: the same `up` in a process of its own, which `down` ends.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runningEngine } from "../../embedded/engine.ts";
import { EngineError } from "../../embedded/errors.ts";
import { detach } from "../../embedded/supervisor.ts";
import { systemWorld } from "../kube/world.ts";
import { dataDirectoryOf, isGiven, openTarget } from "./cluster.ts";
import { runDemo } from "./demo.ts";
import { type ExitCode, exitCodes } from "./exit.ts";
import { appsOf, UsageError } from "./flags.ts";
import { tellEnd } from "./follow-end.ts";
import { nextSteps } from "./next-steps.ts";
import { interruptible } from "./signals.ts";
import type { Terminal } from "./terminal.ts";
import { clustersDirectory, runningLine, type UpFlags } from "./up-flags.ts";

/** Where a detached `up` writes: beside the data, which belongs to the engine. */
export function logFileOf(dataDir: string): string {
  return `${dataDir}.log`;
}

/** Starts it and waits until the platform is up. */
export async function detached(flags: UpFlags, terminal: Terminal): Promise<ExitCode> {
  if (isGiven(flags)) throw new UsageError("--detach is for the embedded control plane, not for a cluster of yours");
  // Read here first: what cannot be loaded is no reason to start a control plane.
  const apps = await appsOf(flags);
  const dataDir = dataDirectoryOf(flags);
  const before = runningEngine(dataDir);
  if (before !== undefined) {
    throw new EngineError(
      "EngineInUse",
      `Process ${before.pid} runs a control plane on ${dataDir}.`,
      "Use that one, end it with `cozystack down`, or give another directory with `--data-dir`.",
    );
  }
  mkdirSync(dirname(dataDir), { recursive: true });
  const logFile = logFileOf(dataDir);
  let passed = 0;
  const log = (line: string): void => {
    passed += 1;
    terminal.progress(line);
  };
  const pid = await interruptible(
    terminal.progress,
    () =>
      "No longer followed. It goes on starting in the background: `cozystack status` shows it, `cozystack down` ends it.",
    async () => {
      const started = await detach({ command: commandOf(flags, dataDir), dataDir, logFile, log });
      await untilUp(started.pid, dataDir, logFile, passed, terminal);
      return started.pid;
    },
  );
  terminal.progress(`It goes on in the background as process ${pid}; what it says is in ${logFile}.`);
  const target = openTarget(flags);
  try {
    terminal.progress(nextSteps(target, flags, terminal.paintProgress));
    if (flags.demo !== true) return exitCodes.ok;
    const signal = new AbortController().signal;
    const { end } = await runDemo({ target, apps, terminal, timeout: flags.timeout, signal });
    return tellEnd(end, flags.timeout, terminal);
  } finally {
    await target.client.close();
  }
}

function commandOf(flags: UpFlags, dataDir: string): readonly [string, ...string[]] {
  const words = [
    ...(flags.twin ? [] : ["--no-twin"]),
    clustersDirectory(flags, dataDir) === undefined ? "--no-tenant-clusters" : "--tenant-clusters",
    ...(flags.seed === undefined ? [] : ["--seed", flags.seed]),
    ...(flags.apps === undefined ? [] : ["--apps", flags.apps]),
    ...(flags.tenantQuotaBufferPercent === undefined
      ? []
      : ["--tenant-quota-buffer-percent", String(flags.tenantQuotaBufferPercent)]),
  ];
  return [process.execPath, join(import.meta.dirname, "main.ts"), "up", "--data-dir", dataDir, ...words];
}

/** What it says once it is up speaks of its own terminal. */
function isForUs(line: string): boolean {
  return ["SIMULATION", "Install", "The platform is inst"].some((start) => line.startsWith(start));
}

/** Passes on what it says until it is up. */
async function untilUp(pid: number, dataDir: string, logFile: string, from: number, terminal: Terminal): Promise<void> {
  for (let passed = from; ; await systemWorld.sleep(100)) {
    const alive = runningEngine(dataDir)?.pid === pid;
    const lines = existsSync(logFile) ? readFileSync(logFile, "utf8").split("\n").slice(0, -1) : [];
    const fresh = lines.slice(passed);
    passed = lines.length;
    if (fresh.includes(runningLine)) return;
    for (const line of fresh.filter(isForUs)) terminal.progress(line);
    if (alive) continue;
    throw new EngineError(
      "EngineStartFailed",
      `The control plane started, but the platform did not:\n${lines.slice(-10).join("\n")}`,
      `All it said is in ${logFile}.`,
    );
  }
}

/**
 * An engine that outlives the command that started it: the supervisor is an ordinary process that holds the engine's
 * leashes, so that ending it (or killing it) ends everything. Run as a program it keeps an engine and nothing else:
 *
 *     node embedded/supervisor.ts DATA_DIR [--no-fsync] [--components=etcd,kube-apiserver,...]
 */
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Engine, runningEngine, startEngine } from "./engine.ts";
import { EngineError } from "./errors.ts";
import { components } from "./flags.ts";
import { identify, isAlive } from "./lock.ts";

export interface DetachOptions {
  /** Program and arguments of the supervisor: something that calls `startEngine` on the data directory. */
  readonly command: readonly [string, ...string[]];
  readonly dataDir: string;
  /** Where its output goes; the file is begun anew. */
  readonly logFile: string;
  readonly log?: (line: string) => void;
}

/**
 * Starts a supervisor in a session of its own and waits until its engine is ready. Its output is passed on meanwhile.
 * @throws EngineError `EngineStartFailed` with its last lines when it ends before that
 */
export async function detach({ command: [program, ...args], dataDir, logFile, log }: DetachOptions) {
  const output = openSync(logFile, "w", 0o600);
  const child = spawn(program, args, { detached: true, stdio: ["ignore", output, output] });
  closeSync(output);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  let how: string | undefined;
  void ended.then((value) => {
    how = value;
  });
  for (let passed = 0; ; await sleep(50)) {
    const lines = readFileSync(logFile, "utf8").split("\n").slice(0, -1);
    for (const line of lines.slice(passed)) log?.(line);
    passed = lines.length;
    if (how !== undefined) {
      throw new EngineError(
        "EngineStartFailed",
        `The supervisor ended (${how}):\n${lines.slice(-10).join("\n")}`,
        `Its whole output is in ${logFile}.`,
      );
    }
    const engine = runningEngine(dataDir);
    if (engine?.ready === true && engine.pid === child.pid) {
      child.unref();
      return engine;
    }
  }
}

/**
 * Ends the engine of a data directory, whichever process runs it, and waits until it has gone. False when none runs.
 * @throws EngineError `EngineStopTimeout` when its process still lives after `patience` ms (default 60,000)
 */
export async function stopRunning(dataDir: string, patience = 60_000): Promise<boolean> {
  const engine = runningEngine(dataDir);
  const supervisor = engine === undefined ? undefined : identify(engine.pid);
  if (supervisor === undefined) return false;
  process.kill(supervisor.pid, "SIGTERM");
  const deadline = performance.now() + patience;
  while (isAlive(supervisor)) {
    if (performance.now() > deadline) {
      const seconds = Math.round(patience / 1000);
      throw new EngineError(
        "EngineStopTimeout",
        `Process ${supervisor.pid} still runs ${seconds} s after it was asked to end.`,
        `See what holds it up, or end it with \`kill -9 ${supervisor.pid}\`.`,
      );
    }
    await sleep(20);
  }
  return true;
}

/**
 * Starts an engine and stops it on SIGINT, SIGTERM and SIGHUP, whenever they come: while it starts, too. Resolves as
 * `Engine.ended` does, and with undefined where it was asked to end before it had started.
 */
export async function untilSignalled(
  start: (signal: AbortSignal) => Promise<Engine>,
): Promise<EngineError | undefined> {
  const asked = new AbortController();
  const stop = () => asked.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  try {
    const engine = await start(asked.signal);
    asked.signal.addEventListener("abort", () => void engine.stop());
    if (asked.signal.aborted) await engine.stop();
    return await engine.ended;
  } catch (error) {
    if (asked.signal.aborted) return undefined;
    throw error;
  } finally {
    for (const signal of signals) process.removeListener(signal, stop);
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "no-fsync": { type: "boolean", default: false },
      components: { type: "string", default: components.join(",") },
    },
  });
  const [dataDir] = positionals;
  if (dataDir === undefined) throw new Error("usage: supervisor.ts DATA_DIR [--no-fsync] [--components=NAME,...]");
  const names = values.components.split(",");
  const crash = await untilSignalled((signal) =>
    startEngine({
      dataDir,
      fsync: !values["no-fsync"],
      components: components.filter((name) => names.includes(name)),
      log: (line) => console.error(line),
      signal,
    }),
  );
  if (crash !== undefined) throw crash;
}

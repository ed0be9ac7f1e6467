/**
 * The engine that test files share when they are run by hand, so that not each of them waits for its own start.
 * Run as a program it keeps one and ends it when no test has asked for it in ten minutes.
 */
import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { purge, runningEngine, startEngine } from "../../embedded/engine.ts";
import { EngineError } from "../../embedded/errors.ts";
import { detach, untilSignalled } from "../../embedded/supervisor.ts";

const directory = resolve(import.meta.dirname, "../../.cache/test-engine");
const dataDir = join(directory, "data");
const usedFile = join(directory, "used");
const idleMinutes = 10;

/** Path of the kubeconfig of the shared engine; starts it when it does not run. */
export async function sharedEngine(): Promise<string> {
  mkdirSync(directory, { recursive: true });
  touch();
  for (let failures = 0; ; await sleep(100)) {
    const engine = runningEngine(dataDir);
    if (engine?.ready === true && engine.kubeconfigPath !== undefined) return engine.kubeconfigPath;
    if (engine !== undefined) continue; // another test file has just started it
    const logFile = join(directory, `supervisor-${process.pid}.log`);
    try {
      const command: [string, string] = [process.execPath, import.meta.filename];
      await detach({ command, dataDir, logFile, log: (line) => console.error(line) });
    } catch (error) {
      // Another test file may have been first: its engine serves us as well.
      failures += 1;
      if (!(error instanceof EngineError) || failures > 3) throw error;
    } finally {
      rmSync(logFile, { force: true });
    }
  }
}

function touch(): void {
  const now = new Date();
  if (existsSync(usedFile)) utimesSync(usedFile, now, now);
  else writeFileSync(usedFile, "");
}

if (import.meta.main) {
  if (runningEngine(dataDir) !== undefined) process.exit(3); // lost the race to be the one
  purge(dataDir); // each starts from nothing, as the runner's does
  let idle: NodeJS.Timeout | undefined;
  const crash = await untilSignalled(async (signal) => {
    const engine = await startEngine({ dataDir, fsync: false, log: (line) => console.error(line), signal });
    idle = setInterval(() => {
      if (Date.now() - statSync(usedFile).mtimeMs > idleMinutes * 60_000) void engine.stop();
    }, 10_000);
    return engine;
  });
  clearInterval(idle);
  rmSync(dataDir, { recursive: true, force: true });
  if (crash !== undefined) throw crash;
}

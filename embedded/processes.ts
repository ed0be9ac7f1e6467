/** The control plane's processes: started, watched, ended together. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { EngineError } from "./errors.ts";
import { type Component, environment, flags, type Settings } from "./flags.ts";

export interface Running {
  readonly component: Component;
  readonly pid: number;
  /** Resolves when the process has ended, with how. */
  readonly ended: Promise<string>;
  /** Asks it to end, by closing the pipe it watches; kills it after `patience` ms. */
  end(patience: number): Promise<void>;
}

const startRemedy = "See whether the machine is short of memory or processes, then start it again.";

/** Starts one component in the data directory. Its output goes to `logs/COMPONENT.log`, the previous run's to `.log.1`. */
export async function startComponent(
  binary: string,
  component: Component,
  dataDirectory: string,
  settings: Settings,
): Promise<Running> {
  const logFile = logPath(dataDirectory, component);
  mkdirSync(join(dataDirectory, "logs"), { recursive: true });
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, "w", 0o600);
  let child: ChildProcess;
  try {
    child = spawn(binary, [component, ...flags(component, settings)], {
      cwd: dataDirectory,
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment(component, settings.totalMemory) },
      // The pipe is the leash: it closes with this process, however that ends, and then the component ends itself.
      stdio: ["pipe", log, log],
      // Out of the terminal's process group, so that Ctrl-C reaches only us and components end in order.
      detached: true,
    });
  } finally {
    closeSync(log);
  }
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) =>
      reject(
        new EngineError("EngineStartFailed", `${component} could not be started: ${cause.message}`, startRemedy, {
          cause,
        }),
      ),
    );
  });
  const { pid, stdin } = child;
  if (pid === undefined || stdin === null)
    throw new EngineError("EngineStartFailed", `${component} could not be started.`, startRemedy);
  stdin.on("error", () => undefined); // the component ended first: `ended` tells
  return {
    component,
    pid,
    ended,
    async end(patience) {
      stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), patience);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Ends all in the order that lets each finish what it writes: clients first, etcd last. */
export async function endAll(running: readonly Running[]): Promise<void> {
  const rank: Record<Component, number> = {
    "kube-scheduler": 0,
    "kube-controller-manager": 0,
    "kube-apiserver": 1,
    etcd: 2,
  };
  for (const level of [0, 1, 2]) {
    await Promise.all(running.filter(({ component }) => rank[component] === level).map((one) => one.end(8000)));
  }
}

/** What a component wrote last, for an error message. */
export function lastLines(dataDirectory: string, component: Component, count = 5): string {
  const path = logPath(dataDirectory, component);
  const text = existsSync(path) ? readFileSync(path, "utf8").trimEnd() : "";
  return `${text.split("\n").slice(-count).join("\n")}\n(all of it: ${path})`;
}

function logPath(dataDirectory: string, component: Component): string {
  return join(dataDirectory, "logs", `${component}.log`);
}

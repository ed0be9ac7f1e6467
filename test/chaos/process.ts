/**
 * A life of the controller in a process of its own, to be killed. Run as a program it is that process.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { begin, type LifeOptions } from "./life.ts";
import { scenarios } from "./scenarios.ts";

export interface Process {
  /** SIGKILL; resolves when it is dead. */
  kill(): Promise<void>;
}

/** Starts a process; resolves when its controller has seen everything, and begins to act. */
export async function beginProcess({ kubeconfig, namespace, scenario }: LifeOptions): Promise<Process> {
  const child = fork(import.meta.filename, [kubeconfig, namespace, scenario.name], { stdio: "inherit" });
  const dead = once(child, "exit");
  await Promise.race([once(child, "message"), dead]);
  return {
    async kill() {
      child.kill("SIGKILL");
      await dead;
    },
  };
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  const [kubeconfig = "", namespace = "", name = ""] = process.argv.slice(2);
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  const life = await begin({ kubeconfig, namespace, scenario });
  // Its stores fill within moments; from the first one on it acts.
  while (life.progress().writes === 0 && !life.progress().idle) await sleep(1);
  process.send("alive");
  process.on("disconnect", () => process.exit());
}

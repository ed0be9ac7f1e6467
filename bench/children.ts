/** Child processes of a measurement, from the parent's side. */
import { fork } from "node:child_process";
import { join } from "node:path";
import type { ChildCounts, Role } from "./child.ts";

export interface Child {
  readonly pid: number;
  counts(): Promise<ChildCounts>;
  stop(): Promise<void>;
}

const nothing: ChildCounts = { writes: 0, reads: 0, requests: {}, errors: [] };

/** Starts a child; resolves when it works. `profile`: a directory for its CPU profile. */
export async function startChild(role: Role, kubeconfig: string, profile?: string): Promise<Child> {
  const child = fork(join(import.meta.dirname, "child.ts"), [role, kubeconfig], {
    execArgv: profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`],
    serialization: "json",
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      const early = () => reject(new Error(`${role} ended by itself`));
      child.once("exit", early);
      child.once("message", (message) => {
        child.off("exit", early);
        resolve(message);
      });
    });
  await next();
  return {
    pid: child.pid ?? 0,
    async counts() {
      const answer = next();
      child.send("counts");
      return Object.assign({ ...nothing }, await answer);
    },
    async stop() {
      if (child.exitCode === null && child.connected) child.send("stop");
      await ended;
    },
  };
}

/** Counts since an earlier answer of the same child. */
export function countsSince(before: ChildCounts, now: ChildCounts): ChildCounts {
  const requests = Object.entries(now.requests).flatMap(([key, count]): [string, number][] => {
    const more = count - (before.requests[key] ?? 0);
    return more === 0 ? [] : [[key, more]];
  });
  return {
    writes: now.writes - before.writes,
    reads: now.reads - before.reads,
    requests: Object.fromEntries(requests.sort()),
    errors: now.errors.slice(before.errors.length),
  };
}

/**
 * A lock that is one file, naming its holder by pid and start time. A holder that was killed cannot remove it, so
 * a lock counts only while that very process lives: a pid that another process has got since does not hold it.
 */
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isErrno } from "./errors.ts";

/** A process, told apart from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from boot to the process's start, as `/proc/PID/stat` says; empty where there is no `/proc`. */
  readonly startTime: string;
}

/** A held lock; `record` is what others read in it. */
export interface Lock<R> {
  /** Replaces the record; a reader sees the old or the new one, never a part. */
  update(record: R): void;
  /** Removes the file if it is still ours. Never throws because it is gone already. */
  release(): void;
}

interface Held<R> {
  readonly holder: ProcessIdentity;
  readonly token: string;
  readonly record: R;
}

/** The running process's identity, or undefined when no process has that pid. A zombie does not count as running. */
export function identify(pid: number): ProcessIdentity | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    if (!isErrno(error, "ENOENT") && !isErrno(error, "ESRCH")) throw error;
    return procless(pid);
  }
  // The second field is the command in brackets and may hold spaces and brackets itself: count from its end.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined || state === "Z" || state === "X") return undefined;
  return { pid, startTime };
}

function procless(pid: number): ProcessIdentity | undefined {
  if (process.platform === "linux") return undefined;
  try {
    process.kill(pid, 0);
    return { pid, startTime: "" };
  } catch (error) {
    if (isErrno(error, "EPERM")) return { pid, startTime: "" };
    return undefined;
  }
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startTime === identity.startTime;
}

/**
 * Takes the lock, or gives the living holder's record. A lock whose holder is dead is taken over.
 * @param path file to lock by, in an existing directory
 */
export function acquire<R>(
  path: string,
  record: R,
): Lock<R> | { readonly heldBy: ProcessIdentity; readonly record: R } {
  const token = randomUUID();
  const holder = identify(process.pid) ?? { pid: process.pid, startTime: "" };
  const write = (value: R): string => {
    const temporary = `${path}.${token}`;
    writeFileSync(temporary, JSON.stringify({ holder, token, record: value }), { mode: 0o600 });
    return temporary;
  };
  const ours = (): boolean => readHeld<R>(path)?.token === token;

  for (;;) {
    const temporary = write(record);
    try {
      linkSync(temporary, path); // fails where the lock exists, and the file appears whole
      return {
        update: (value) => renameSync(write(value), path),
        release: () => {
          if (ours()) rmSync(path, { force: true });
        },
      };
    } catch (error) {
      if (!isErrno(error, "EEXIST")) throw error;
    } finally {
      rmSync(temporary, { force: true });
    }
    const held = readHeld<R>(path);
    if (held !== undefined && isAlive(held.holder)) return { heldBy: held.holder, record: held.record };
    removeStale(path, held?.token);
  }
}

/** The record and holder of a lock whose holder lives; undefined when nobody holds it. */
export function holderOf<R>(path: string): { readonly heldBy: ProcessIdentity; readonly record: R } | undefined {
  const held = readHeld<R>(path);
  return held !== undefined && isAlive(held.holder) ? { heldBy: held.holder, record: held.record } : undefined;
}

/** Moves a dead holder's file away. Two that try at once may move a fresh lock: what was moved is looked at and put back. */
function removeStale(path: string, token: string | undefined): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return;
    throw error;
  }
  if (readHeld(aside)?.token !== token) {
    try {
      linkSync(aside, path);
    } catch (error) {
      if (!isErrno(error, "EEXIST")) throw error;
    }
  }
  rmSync(aside, { force: true });
}

function readHeld<R>(path: string): Held<R> | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    // Files appear whole, so text that does not parse was never a lock of ours: nobody holds it.
    if (isErrno(error, "ENOENT") || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The command line as people and scripts run it: a process of its own, without a screen. */
import { type ChildProcess, spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

export const root = resolve(import.meta.dirname, "../..");

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** Standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningCli {
  readonly child: ChildProcess;
  readonly result: Promise<CliResult>;
}

/** Starts `cozystack WORDS`. */
export function startCli(words: readonly string[], { input, env = {} }: CliOptions = {}): RunningCli {
  const child = spawn(process.execPath, [join(root, "src/cli/main.ts"), ...words], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((end, fail) => {
    child.once("error", fail);
    child.once("exit", end);
  });
  child.stdin.end(input ?? "");
  const result = Promise.all([ended, text(child.stdout), text(child.stderr)]).then(([code, stdout, stderr]) => ({
    code,
    stdout,
    stderr,
  }));
  return { child, result };
}

/** Runs `cozystack WORDS` to its end. */
export function cli(words: readonly string[], options?: CliOptions): Promise<CliResult> {
  return startCli(words, options).result;
}

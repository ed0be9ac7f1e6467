/** The command line as people and scripts run it: a process of its own, without a screen. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
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
  child.stdin.end(input ?? "");
  return { child, result: resultOf(child) };
}

async function resultOf(child: ChildProcessWithoutNullStreams): Promise<CliResult> {
  const ended = new Promise<number | null>((end, fail) => {
    child.once("error", fail);
    child.once("exit", end);
  });
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** Whether a screen can be had (`script` of util-linux). */
export const haveScreen = spawnSync("script", ["--version"]).status === 0;

/**
 * Starts `cozystack WORDS` on a screen of its own, as a person has it. All that it says is in `stdout`, lines ending in CR LF;
 * `press` types. Its exit code is what a shell would see.
 */
export function startOnScreen(words: readonly string[]): RunningCli & { press(keys: string): void } {
  const quoted = [process.execPath, join(root, "src/cli/main.ts"), ...words].map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  const child = spawn("script", ["--quiet", "--return", "--command", `exec ${quoted.join(" ")}`, "/dev/null"], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], TERM: "xterm", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  return { child, result: resultOf(child), press: (keys) => void child.stdin.write(keys) };
}

/** Runs `cozystack WORDS` to its end. */
export function cli(words: readonly string[], options?: CliOptions): Promise<CliResult> {
  return startCli(words, options).result;
}

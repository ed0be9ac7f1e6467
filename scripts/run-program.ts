/**
 * A program whose output is ours and whose end is all that matters.
 */
import { spawn } from "node:child_process";

export interface ProgramOptions {
  readonly cwd: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Its exit code; null when a signal ended it, which is no failure of ours when we were asked to end. Rejects when it cannot be started. */
export function exitCodeOf(
  program: string,
  args: readonly string[],
  { cwd, signal }: ProgramOptions,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: "inherit", signal });
    // An abort is told as an error before the program has gone: only its end says that nothing is left.
    child.on("error", (error) => {
      if (!signal.aborted) reject(error);
      else if (child.pid === undefined) resolve(null);
    });
    child.on("close", resolve);
  });
}

/**
 * How following everything ended, as people and scripts are told.
 */
import { type ExitCode, exitCodes } from "./exit.ts";
import type { FollowEnd } from "./follow.ts";
import type { Terminal } from "./terminal.ts";

/** Says it, and gives the exit code. `timeout`: milliseconds that were waited at most. */
export function tellEnd(end: FollowEnd, timeout: number, terminal: Terminal): ExitCode {
  const paint = terminal.paintProgress;
  if (end === "done") {
    terminal.progress(paint.good("Everything is ready."));
    return exitCodes.ok;
  }
  if (end === "interrupted") return exitCodes.interrupted;
  const why =
    end === "timeout" ? `not everything is ready after ${Math.round(timeout / 1000)} s` : "an application needs help";
  terminal.progress(`${paint.bad("error:")} ${why}; \`cozystack why KIND NAME\` says what it waits for.`);
  return exitCodes.error;
}

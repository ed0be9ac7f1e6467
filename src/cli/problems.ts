/**
 * Failures as people read them: what failed, its code, and what to do.
 */
import { isRecord } from "../kube/json.ts";
import { oneLine } from "./table.ts";

/** An error that somebody raised on purpose: those of the program and of the embedded engine look alike. */
interface Known {
  readonly message: string;
  readonly code: string;
  readonly remedy: string;
}

function isKnown(error: unknown): error is Error & Known {
  if (!(error instanceof Error)) return false;
  const fields: unknown = error;
  return isRecord(fields) && typeof fields["code"] === "string" && typeof fields["remedy"] === "string";
}

/** The lines to print for an error. `debug`: with the stack of an unexpected one. */
export function problemLines(error: unknown, debug = false): readonly string[] {
  if (isKnown(error)) return [`error: ${error.message} (${error.code})`, `  ${error.remedy}`];
  const message = error instanceof Error ? error.message : String(error);
  if (!debug || !(error instanceof Error)) {
    return [`error: ${message}`, "  This was not expected. Set COZYSTACK_DEBUG=1 to see where it comes from."];
  }
  return [`error: ${message}`, error.stack ?? ""];
}

/** One line that names an error, for progress and logs: without a stack, whatever its message holds. */
export function problemLine(error: unknown): string {
  if (isKnown(error)) return `${oneLine(error.message.trim())} (${error.code})`;
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split(/\n\s+at /);
  return `${oneLine(first.trim())} (unexpected)`;
}

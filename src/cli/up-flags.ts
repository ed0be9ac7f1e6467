/**
 * What `up` is told, and what it says, in the foreground and detached.
 */
import type { CommonFlags } from "./flags.ts";

export interface UpFlags extends CommonFlags {
  readonly detach?: boolean;
  readonly demo?: boolean;
  readonly exitWhenReady?: boolean;
  readonly twin: boolean;
  readonly seed?: string;
  readonly tenantQuotaBufferPercent?: number;
  readonly timeout: number;
}

/** The last line that `up` says before it only waits. */
export const runningLine = "Running. Ctrl-C ends it.";

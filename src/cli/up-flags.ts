/**
 * What `up` is told, and what it says, in the foreground and detached.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CommonFlags } from "./flags.ts";

export interface UpFlags extends CommonFlags {
  readonly detach?: boolean;
  readonly demo?: boolean;
  readonly exitWhenReady?: boolean;
  readonly twin: boolean;
  readonly seed?: string;
  /** Undefined: with the demonstration, and where there are some already. */
  readonly tenantClusters?: boolean;
  readonly tenantQuotaBufferPercent?: number;
  readonly timeout: number;
}

/**
 * Where API servers that play tenants' clusters keep their data: within the engine's own, so that it goes with that. Undefined where
 * there are to be none.
 */
export function clustersDirectory(
  flags: Pick<UpFlags, "tenantClusters" | "demo">,
  dataDir: string,
): string | undefined {
  const directory = join(dataDir, "tenant-clusters");
  return (flags.tenantClusters ?? (flags.demo === true || existsSync(directory))) ? directory : undefined;
}

/** The last line that `up` says before it only waits. */
export const runningLine = "Running. Ctrl-C ends it.";

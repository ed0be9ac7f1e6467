/**
 * `down`: ends the embedded control plane, wherever it runs.
 */
import { rmSync } from "node:fs";
import type { Command } from "commander";
import { purge } from "../../../embedded/engine.ts";
import { stopRunning } from "../../../embedded/supervisor.ts";
import { dataDirectoryOf } from "../cluster.ts";
import { logFileOf } from "../detached.ts";
import { exitCodes } from "../exit.ts";
import { type CommonFlags, does, withExamples } from "../flags.ts";

interface DownFlags extends CommonFlags {
  readonly purge?: boolean;
}

/** Adds the command. */
export function down(root: Command): void {
  const command = root
    .command("down")
    .summary("end the embedded control plane")
    .description("Ends the embedded control plane and all it runs, and waits until it has gone. Its data is kept.")
    .option("--purge", "remove its data as well");
  withExamples(command, "cozystack down", "cozystack down --purge    # as if it had never run");
  does<DownFlags>(command, async (_, flags, terminal) => {
    const dataDir = dataDirectoryOf(flags);
    const ended = await stopRunning(dataDir);
    terminal.progress(ended ? "The control plane is stopped." : `No control plane runs on ${dataDir}.`);
    if (flags.purge === true) {
      const removed = purge(dataDir);
      rmSync(logFileOf(dataDir), { force: true });
      terminal.progress(removed ? `Removed ${dataDir}.` : "There is no data to remove.");
    } else if (ended) {
      terminal.progress(`Its data is kept in ${dataDir}.`);
    }
    return exitCodes.ok;
  });
}

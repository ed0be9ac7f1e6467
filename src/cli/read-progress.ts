/**
 * Reads under way: on a screen one line that is written over, elsewhere a line at the start and at the end.
 */
import { cut } from "./table.ts";
import type { Terminal } from "./terminal.ts";

export interface ReadProgress {
  /** A read has ended. */
  read(what: string): void;
  end(): void;
}

/** @param place the cluster, for people */
export function readProgress(terminal: Terminal, place: string): ReadProgress {
  const { screen } = terminal;
  let reads = 0;
  if (screen === undefined) terminal.progress(`Reading ${place}.`);
  return {
    read(what) {
      reads += 1;
      if (screen !== undefined) terminal.write(`\r\u001b[2K${cut(`Read ${reads}: ${what}`, screen.columns - 1)}`);
    },
    end() {
      if (screen === undefined) terminal.progress(`Read ${reads} lists and objects.`);
      else terminal.write("\r\u001b[2K");
    },
  };
}

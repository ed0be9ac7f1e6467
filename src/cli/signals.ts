/**
 * Being asked to end: by Ctrl-C, a closed terminal, or `cozystack down`.
 */
import { exitCodes } from "./exit.ts";

export interface StopRequest {
  readonly signal: AbortSignal;
  /** Gives the signals back their usual meaning. */
  forget(): void;
}

/** The first request aborts; a second one ends the process at once. */
export function stopRequest(told: (signal: NodeJS.Signals) => void): StopRequest {
  const controller = new AbortController();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const stop = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    told(name);
    controller.abort(new Error(`ended by ${name}`));
  };
  for (const name of names) process.on(name, stop);
  return {
    signal: controller.signal,
    forget() {
      for (const name of names) process.removeListener(name, stop);
    },
  };
}

/**
 * Does work that Ctrl-C may end at any moment, as nothing is held that must be given back. Whoever ends it is told how far it
 * came, which `howFar` says at that moment.
 */
export async function interruptible<T>(
  say: (line: string) => void,
  howFar: () => string,
  work: () => Promise<T>,
): Promise<T> {
  const names = ["SIGINT", "SIGTERM"] as const;
  const stop = (): void => {
    say(`\n${howFar()}`);
    process.exit(exitCodes.interrupted);
  };
  for (const name of names) process.on(name, stop);
  try {
    return await work();
  } finally {
    for (const name of names) process.removeListener(name, stop);
  }
}

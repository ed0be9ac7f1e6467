/**
 * Credentials that are renewed while the program runs.
 */
import { readFile } from "node:fs/promises";
import type { CredentialSource, Credentials } from "./access.ts";
import type { World } from "./world.ts";

/** Credentials, and when they end by the wall clock (milliseconds); undefined: when they are refused. */
export interface Expiring {
  readonly credentials: Credentials;
  readonly until: number | undefined;
}

/** Renewed this long before they end. */
const margin = 10_000;

/** Keeps what `fetch` gives until it expires or is refused. Calls at the same time share one fetch. */
export function renewing(fetch: () => Promise<Expiring>, world: World, certificates: boolean): CredentialSource {
  let held: Expiring | undefined;
  let pending: Promise<Expiring> | undefined;
  const renew = async (): Promise<Expiring> => {
    try {
      held = await fetch();
      return held;
    } finally {
      pending = undefined;
    }
  };
  return {
    certificates,
    async current() {
      const fresh = held !== undefined && (held.until === undefined || world.now() < held.until - margin);
      if (held !== undefined && fresh) return held.credentials;
      pending ??= renew();
      return (await pending).credentials;
    },
    invalidate() {
      held = undefined;
    },
  };
}

/** A token in a file is read again after this time, as the kubelet and others renew such files in place. */
const rereadAfter = 60_000;

export function tokenFile(path: string, world: World): CredentialSource {
  const read = async (): Promise<Expiring> => ({
    credentials: { token: (await readFile(path, "utf8")).trim() },
    until: world.now() + rereadAfter + margin,
  });
  return renewing(read, world, false);
}

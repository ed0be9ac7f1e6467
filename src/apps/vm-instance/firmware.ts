/**
 * The machine's identity as its guest sees it. Cloud-init runs anew when it changes, and licences are bound to it.
 */
import { sha256hex } from "../../sdk/hash.ts";

/** The UUID that follows from where the machine is, what it is called and the user's seed. Stable for ever: guests rely on it. */
export function stableUuid(namespace: string, release: string, seed: string): string {
  const hex = sha256hex(`${namespace}-${release}-${seed}`);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `9${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

/** Without a seed a machine keeps the UUID that it has. */
export function firmwareUuid(namespace: string, release: string, seed: string, live: string | undefined): string {
  return seed === "" && live !== undefined && live !== "" ? live : stableUuid(namespace, release, seed);
}

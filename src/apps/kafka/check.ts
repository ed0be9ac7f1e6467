/**
 * What is refused of names.
 */
import { checkName } from "../../sdk/names.ts";
import type { Input } from "./spec.ts";

/** The Service through which clients outside find the brokers. */
export const externalBootstrap = (release: string): string => `${release}-kafka-external-bootstrap`;

/** Refuses a name that is too long for what is wanted of it. */
export function check({ release, spec }: Input): void {
  if (spec.external)
    checkName(externalBootstrap(release), "DNS-1035 label", "the name of the Service for clients outside");
}

/**
 * What the rules refuse, for documents that no API server has seen.
 */
import { checkEndpoints, checkPrefixes } from "../../sdk/addresses.ts";
import type { Spec } from "./spec.ts";

/** Refuses what the rules refuse of addresses: neither proxy would start. */
export function check({ endpoints, whitelist = [] }: Spec): void {
  checkEndpoints(endpoints, "spec.endpoints");
  checkPrefixes(whitelist, "spec.whitelist");
}

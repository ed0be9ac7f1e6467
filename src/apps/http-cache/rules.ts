/**
 * What is refused beyond the types of fields, as CEL for the API server. check.ts refuses the same.
 */
import { endpointRule, prefixRule } from "../../sdk/addresses.ts";
import { growOnly, type PlacedRule } from "../../sdk/spec.ts";

/** Each nginx server is a Deployment with a Service of its own. */
export const mostServers = 100;

/** The Service of a server is <release>-nginx-cache-<number>, and names of Services have 63 characters. */
export const longestRelease = 48;

export const rules: readonly PlacedRule[] = [growOnly("size"), endpointRule("endpoints"), prefixRule("whitelist")];

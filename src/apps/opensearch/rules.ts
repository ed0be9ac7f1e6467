/**
 * What is refused beyond the types of fields, as CEL for the API server. check.ts refuses the same, but for edits.
 */
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";

/** Longest name of a Job, by which its pods are labelled. */
const longestJob = 63;

/** The operator configures security by a Job of this name. */
const longestSuffix = "-securityconfig-update";

export const longestRelease = longestJob - longestSuffix.length;

export const messages = {
  roles: "at least one of nodeRoles must be on",
  version: "version can only go up, by one: the operator refuses other changes",
};

export const rules: readonly PlacedRule[] = [
  growOnly("size"),
  rule({ path: "nodeRoles", rule: "self.master || self.data || self.ingest || self.ml", message: messages.roles }),
  rule({
    path: "version",
    rule: "self == oldSelf || (oldSelf == 'v1' && self == 'v2') || (oldSelf == 'v2' && self == 'v3')",
    message: messages.version,
  }),
];

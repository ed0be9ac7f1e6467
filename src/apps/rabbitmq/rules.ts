/**
 * What is refused beyond the types of fields, as CEL for the API server. check.ts refuses the same.
 */
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";

/** Names of users and virtual hosts, from which the name of a Kubernetes object can be made. */
export const entryName = "^[-_ A-Za-z0-9]*[A-Za-z0-9]([.][A-Za-z0-9]([-_ A-Za-z0-9]*[A-Za-z0-9])?)*$";

/** The operator's StatefulSet is <release>-server, and pods of one with more than 52 characters cannot be made. */
export const longestRelease = 45;

/** What the operator puts behind a user's name for a Secret of its own. */
export const operatorSuffix = "-user";

export const clash = "users x and x-user cannot both exist: the operator's own Secret of x has the name of the other's";

export const rules: readonly PlacedRule[] = [
  growOnly("size"),
  rule({
    path: "replicas",
    rule: "self >= oldSelf",
    message: "replicas can grow but not shrink: the operator takes no server out of a running cluster",
  }),
  rule({ path: "users", rule: `self.all(user, !((user + '${operatorSuffix}') in self))`, message: clash }),
];

/**
 * What is refused beyond the types of fields: as CEL for the API server, and again for documents it has not seen.
 */
import { refuse } from "../../sdk/errors.ts";
import { kebabCase } from "../../sdk/kebab.ts";
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";
import type { Spec } from "./spec.ts";

/** Names of users and virtual hosts, from which the name of a Kubernetes object can be made. */
export const entryName = "^[-_ A-Za-z0-9]*[A-Za-z0-9]([.][A-Za-z0-9]([-_ A-Za-z0-9]*[A-Za-z0-9])?)*$";

/** The operator's StatefulSet is <release>-server, and pods of one with more than 52 characters cannot be made. */
export const longestRelease = 45;

/** What the operator puts behind a user's name for a Secret of its own. */
const operatorSuffix = "-user";

const clash = "users x and x-user cannot both exist: the operator's own Secret of x has the name of the other's";

export const rules: readonly PlacedRule[] = [
  growOnly("size"),
  rule({
    path: "replicas",
    rule: "self >= oldSelf",
    message: "replicas can grow but not shrink: the operator takes no server out of a running cluster",
  }),
  rule({ path: "users", rule: `self.all(user, !((user + '${operatorSuffix}') in self))`, message: clash }),
];

/** Refuses what {@link rules} refuse of names, and a user with two roles in one virtual host. */
export function check({ users, vhosts }: Spec): void {
  const names = new Set(Object.keys(users).map(kebabCase));
  const user = [...names].find((name) => names.has(`${name}${operatorSuffix}`));
  if (user !== undefined) {
    refuse({
      code: "InvalidValue",
      field: `spec.users.${user}${operatorSuffix}`,
      message: clash,
      remedy: "Rename one of them.",
    });
  }
  for (const [vhost, { roles }] of Object.entries(vhosts)) {
    const both = (roles.admin ?? []).find((name) => roles.readonly?.includes(name) === true);
    if (both === undefined) continue;
    refuse({
      code: "InvalidValue",
      field: `spec.vhosts.${vhost}.roles.readonly`,
      message: `the user ${both} is both admin and readonly`,
      remedy: "List the user under one role.",
    });
  }
}

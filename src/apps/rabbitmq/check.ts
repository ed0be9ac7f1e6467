/**
 * What the rules refuse, for documents that no API server has seen.
 */
import { refuse } from "../../sdk/errors.ts";
import { kebabCase } from "../../sdk/kebab.ts";
import { clash, operatorSuffix } from "./rules.ts";
import type { Spec } from "./spec.ts";

/** Refuses what the rules refuse of names, and a user with two roles in one virtual host. */
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

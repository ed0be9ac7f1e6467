/**
 * What the rules refuse, for documents that no API server has seen.
 */
import { refuse } from "../../sdk/errors.ts";
import { message, unquoted } from "./rules.ts";
import type { Spec } from "./spec.ts";

/** Refuses what the rules refuse, and accounts from two places: CEL cannot see the inside of the configuration. */
export function check(spec: Spec): void {
  for (const [name, { password }] of Object.entries(spec.users)) {
    if (!unquoted.every((part) => password?.includes(part))) continue;
    refuse({
      code: "InvalidValue",
      field: `spec.users.${name}.password`,
      message,
      remedy: "Choose another password.",
    });
  }
  checkAccounts(spec);
}

function checkAccounts({ users, config }: Spec): void {
  if (Object.keys(users).length === 0 || config.merge["accounts"] === undefined) return;
  refuse({
    code: "InvalidValue",
    field: "spec.config.merge.accounts",
    message: "users and config.merge.accounts both say which accounts there are",
    remedy: "List the users in config.merge.accounts, or take the accounts out of config.merge.",
  });
}

/**
 * What is refused beyond the types of fields: as CEL for the API server, and again for documents it has not seen.
 */
import { refuse } from "../../sdk/errors.ts";
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";
import type { Spec } from "./spec.ts";

/** Users are keys of a Secret. */
export const userName = "^([-_a-zA-Z0-9]|[.][-_a-zA-Z0-9])[-._a-zA-Z0-9]{0,251}$";

/** What the chart takes for a text to be written without quotes, and would run into the configuration. */
const unquoted = ["<< ", " >>"] as const;

const message = `a password cannot have both ${JSON.stringify(unquoted[0])} and ${JSON.stringify(unquoted[1])} in it: the NATS chart would not quote it`;

export const rules: readonly PlacedRule[] = [
  growOnly("jetstream.size"),
  rule({
    path: "users.*",
    rule: `!has(self.password) || ${unquoted.map((part) => `!self.password.contains('${part}')`).join(" || ")}`,
    message,
  }),
];

/** Refuses what {@link rules} refuse, and accounts from two places: CEL cannot see the inside of the configuration. */
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

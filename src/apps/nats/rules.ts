/**
 * What is refused beyond the types of fields, as CEL for the API server. check.ts refuses the same.
 */
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";

/** Users are keys of a Secret. */
export const userName = "^([-_a-zA-Z0-9]|[.][-_a-zA-Z0-9])[-._a-zA-Z0-9]{0,251}$";

/** What the chart takes for a text to be written without quotes, and would run into the configuration. */
export const unquoted = ["<< ", " >>"] as const;

export const message = `a password cannot have both ${JSON.stringify(unquoted[0])} and ${JSON.stringify(unquoted[1])} in it: the NATS chart would not quote it`;

export const rules: readonly PlacedRule[] = [
  growOnly("jetstream.size"),
  rule({
    path: "users.*",
    field: "password",
    rule: `!has(self.password) || ${unquoted.map((part) => `!self.password.contains('${part}')`).join(" || ")}`,
    message,
  }),
];

/**
 * A module of a tenant is there once, under the name that its tenant looks for.
 */
import type { App } from "../app.ts";
import { adoptionGroup, callerIn } from "./callers.ts";
import { applications, celText, policy } from "./policy.ts";

export function moduleNames(apps: readonly Pick<App, "group" | "plural" | "kind" | "module">[]) {
  const modules = apps.filter(({ group, module }) => module && group === "apps.cozystack.io");
  const names = modules.map(({ plural, kind }) => `${celText(plural)}: ${celText(kind.toLowerCase())}`).join(", ");
  return policy("cozystack-module-names", {
    matchConstraints: {
      resourceRules: [
        applications(
          ["CREATE"],
          modules.map(({ plural }) => plural),
        ),
      ],
    },
    matchConditions: [{ name: "not-taken-over", expression: `!(${callerIn([adoptionGroup])})` }],
    variables: [{ name: "name", expression: `{${names}}[request.resource.resource]` }],
    validations: [
      {
        expression: "object.metadata.name == variables.name",
        message: "metadata.name: this module has a fixed name",
        messageExpression:
          "'metadata.name: ' + object.metadata.name + ': a tenant has one ' + request.kind.kind + ', and its name is ' + variables.name",
        reason: "Invalid",
      },
    ],
  });
}

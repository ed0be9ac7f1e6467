/**
 * What a definition brings into being keeps its names: under another kind, plural or prefix, what was ordered before would be
 * left with nobody to look after it.
 */
import { policy } from "./policy.ts";

const fixed = (path: string) => ({
  expression: `object.spec.${path} == oldObject.spec.${path}`,
  message: `spec.${path} cannot be changed: what was ordered under the old one would be left behind; make another definition`,
  reason: "Invalid" as const,
});

export function definitionNames() {
  return policy("cozystack-definition-names", {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ["cozystack.io"],
          apiVersions: ["*"],
          operations: ["UPDATE"],
          resources: ["applicationdefinitions"],
        },
      ],
    },
    validations: [fixed("application.kind"), fixed("application.plural"), fixed("release.prefix")],
  });
}

/**
 * Tenants may write their applications as a whole. What the controllers rely on in them is theirs alone: status, our
 * finalizers, and labels and annotations under our internal prefixes. Annotations `apps.cozystack.io/` are people's requests.
 */
import { callerIn, platformGroups } from "./callers.ts";
import { policy, type ResourceRule } from "./policy.ts";

const groups = ["apps.cozystack.io", "sdn.cozystack.io"];

const on = (operations: ResourceRule["operations"], resource: string): ResourceRule => ({
  apiGroups: groups,
  apiVersions: ["*"],
  operations,
  resources: [resource],
});

const others = { name: "not-the-platform", expression: `!(${callerIn(platformGroups)})` };

/** Who may write status. */
export function applicationStatus() {
  return policy("cozystack-application-status", {
    matchConstraints: { resourceRules: [on(["CREATE", "UPDATE"], "*/status")] },
    matchConditions: [others],
    validations: [
      {
        expression: "false",
        message: "status: only the platform's controllers may write it; change the spec instead",
        reason: "Forbidden",
      },
    ],
  });
}

/** A security group that is replaced as a whole gets this back from its controller; it only matters once the group goes. */
const replaceable = "sdn.cozystack.io/securitygroup-membership";

/** Finalizers of ours stay until we take them off. */
export function ourFinalizers() {
  const finalizers = (object: string) => `has(${object}.metadata.finalizers) ? ${object}.metadata.finalizers : []`;
  return policy("cozystack-finalizers", {
    matchConstraints: { resourceRules: [on(["UPDATE"], "*")] },
    matchConditions: [others],
    variables: [
      { name: "kept", expression: finalizers("object") },
      {
        name: "ours",
        expression: `(${finalizers("oldObject")}).filter(f, f.matches('^([a-z0-9-]+[.])*cozystack[.]io/'))`,
      },
    ],
    validations: [
      {
        expression: `variables.ours.all(f, f in variables.kept || (f == '${replaceable}' && !has(oldObject.metadata.deletionTimestamp)))`,
        message:
          "metadata.finalizers: the platform takes its finalizer off when everything is cleaned up; to give up what cannot be cleaned up, set the annotation apps.cozystack.io/force-delete",
        reason: "Forbidden",
      },
    ],
  });
}

const prefixes = "^(internal|platform)[.]cozystack[.]io/";

/** CEL: the entries of `field` under our prefixes, as texts that compare. */
const entries = (object: string, field: "labels" | "annotations") =>
  `has(${object}.metadata.${field}) ? ${object}.metadata.${field}.filter(k, k.matches('${prefixes}')).map(k, k + '=' + ${object}.metadata.${field}[k]) : []`;

/** Labels and annotations under our prefixes are not set, changed or removed by others. */
export function ourMarks() {
  const variable = (field: "labels" | "annotations") => [
    { name: field, expression: entries("object", field) },
    { name: `${field}Before`, expression: `oldObject == null ? [] : (${entries("oldObject", field)})` },
  ];
  const unchanged = (field: "labels" | "annotations") => ({
    expression: `variables.${field}.all(e, e in variables.${field}Before) && variables.${field}Before.all(e, e in variables.${field})`,
    message: `metadata.${field}: those under internal.cozystack.io/ and platform.cozystack.io/ belong to the platform; leave them as they are`,
    reason: "Forbidden" as const,
  });
  return policy("cozystack-reserved-marks", {
    matchConstraints: { resourceRules: [on(["CREATE", "UPDATE"], "*")] },
    matchConditions: [others],
    variables: [...variable("labels"), ...variable("annotations")],
    validations: [unchanged("labels"), unchanged("annotations")],
  });
}

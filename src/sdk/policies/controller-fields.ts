/**
 * Tenants may write their applications as a whole. What the controllers rely on in them is theirs alone: status, our
 * finalizers, and labels and annotations under our internal prefixes. Annotations `apps.cozystack.io/` are people's requests.
 */
import { callerIn, platformGroups } from "./callers.ts";
import { celList, policy, type ResourceRule } from "./policy.ts";
import { byTenants } from "./tenant-callers.ts";

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
/** Those that controllers take off: a document with them, as a backup has it, can be written. */
const known = [
  "internal.cozystack.io/application",
  "internal.cozystack.io/inventory",
  "sdn.cozystack.io/securitygroup-membership",
];

export function ourFinalizers() {
  const finalizers = (object: string) =>
    `(has(${object}.metadata.finalizers) ? ${object}.metadata.finalizers : []).filter(f, f.matches('^([a-z0-9-]+[.])*cozystack[.]io/'))`;
  return policy("cozystack-finalizers", {
    matchConstraints: { resourceRules: [on(["CREATE", "UPDATE"], "*")] },
    matchConditions: [others],
    variables: [
      { name: "kept", expression: finalizers("object") },
      { name: "ours", expression: `oldObject == null ? [] : ${finalizers("oldObject")}` },
    ],
    validations: [
      {
        expression: `variables.ours.all(f, f in variables.kept || (f == '${replaceable}' && !has(oldObject.metadata.deletionTimestamp)))`,
        message:
          "metadata.finalizers: the platform takes its finalizer off when everything is cleaned up; to give up what cannot be cleaned up, set the annotation apps.cozystack.io/force-delete",
        reason: "Forbidden",
      },
      {
        expression: `variables.kept.all(f, f in variables.ours || f in ${celList(known)})`,
        message:
          "metadata.finalizers: names under cozystack.io/ are the platform's, and nobody would take this one off; choose one under a domain of your own",
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
  return marks("cozystack-reserved-marks", on(["CREATE", "UPDATE"], "*"), others);
}

/** The same on machines that super-admins write themselves; operators make such for what we render. */
export function machineMarks() {
  const machines: ResourceRule = {
    apiGroups: ["kubevirt.io"],
    apiVersions: ["*"],
    operations: ["CREATE", "UPDATE"],
    resources: ["virtualmachines"],
  };
  return marks("cozystack-machine-marks", machines, byTenants);
}

function marks(name: string, rule: ResourceRule, whom: { readonly name: string; readonly expression: string }) {
  const variable = (field: "labels" | "annotations") => [
    { name: field, expression: entries("object", field) },
    { name: `${field}Before`, expression: `oldObject == null ? [] : (${entries("oldObject", field)})` },
  ];
  const unchanged = (field: "labels" | "annotations") => ({
    expression: `variables.${field}.all(e, e in variables.${field}Before) && variables.${field}Before.all(e, e in variables.${field})`,
    message: `metadata.${field}: those under internal.cozystack.io/ and platform.cozystack.io/ belong to the platform; leave them as they are`,
    reason: "Forbidden" as const,
  });
  return policy(name, {
    matchConstraints: { resourceRules: [rule] },
    matchConditions: [whom],
    variables: [...variable("labels"), ...variable("annotations")],
    validations: [unchanged("labels"), unchanged("annotations")],
  });
}

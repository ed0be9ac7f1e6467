/**
 * Ingresses of tenants share controllers, and a controller gives a host to whoever names it. Fields of applications name
 * hosts freely, so each is judged where it ends up: nobody takes a host within the domain of another tenant.
 */
import { celText, policy } from "./policy.ts";
import { inTenants } from "./tenant-callers.ts";

const label = "namespace.cozystack.io/host";

/**
 * Label of Namespaces of tenants whose domain is not below that of a tenant above: tenant-root, and those that were given a
 * domain of their own. All other domains are within these, so that the policy need not be evaluated for every tenant.
 */
export const ownDomain = "internal.cozystack.io/own-domain";

/** Annotation of a tenant's Namespace, for administrators: hosts of others' domains that it may take as well, joined by commas. */
export const extraHosts = "platform.cozystack.io/hosts";

const domainOf = (namespace: string): string =>
  `(has(${namespace}.metadata.labels) && ${celText(label)} in ${namespace}.metadata.labels ? ${namespace}.metadata.labels[${celText(label)}].lowerAscii() : '')`;

/** Of rules, and of certificates that are asked for. Joined and split again: CEL here has no way to flatten a list. */
const hostsOf = (object: string): string =>
  `(${object}.?spec.?rules.orValue([]).map(r, r.?host.orValue('')) + ${object}.?spec.?tls.orValue([]).map(t, t.?hosts.orValue([]).join(',')).join(',').split(',')).map(h, h.lowerAscii())`;

/** Whether the host is the domain or below it; a wildcard also where the domain is one of the names it stands for. */
const within = (host: string, domain: string): string =>
  `(${domain} != '' && (${host} == ${domain} || ${host}.endsWith('.' + ${domain}) || (${host}.startsWith('*.') && ${domain}.endsWith(${host}.substring(1)))))`;

const below = (host: string, domain: string): string =>
  `(${domain} != '' && (${host} == ${domain} || ${host}.endsWith('.' + ${domain})))`;

export function ingressHosts() {
  return policy(
    "cozystack-ingress-hosts",
    {
      // Judged once for each domain, with the Namespace of its tenant as `params`.
      paramKind: { apiVersion: "v1", kind: "Namespace" },
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ["networking.k8s.io"],
            apiVersions: ["*"],
            operations: ["CREATE", "UPDATE"],
            resources: ["ingresses"],
          },
        ],
      },
      matchConditions: [inTenants],
      variables: [
        { name: "theirs", expression: domainOf("params") },
        { name: "own", expression: domainOf("namespaceObject") },
        {
          name: "extra",
          expression: `has(namespaceObject.metadata.annotations) && ${celText(extraHosts)} in namespaceObject.metadata.annotations ? namespaceObject.metadata.annotations[${celText(extraHosts)}].split(',') : []`,
        },
        { name: "hosts", expression: hostsOf("object") },
        { name: "before", expression: `oldObject == null ? [] : ${hostsOf("oldObject")}` },
        {
          name: "taken",
          expression: `variables.hosts.filter(h, ${within("h", "variables.theirs")} && !${below("h", "variables.own")} && !(h in variables.extra) && !(h in variables.before))`,
        },
      ],
      validations: [
        {
          expression:
            "params.metadata.name == request.namespace || (has(params.metadata.labels) && ('tenant.cozystack.io/' + request.namespace) in params.metadata.labels) || variables.taken.size() == 0",
          message: "spec.rules: a host is within the domain of another tenant",
          messageExpression: `'the host ' + variables.taken[0] + ' is within the domain of another tenant; take one within ' + (variables.own == '' ? 'a domain of your own' : variables.own) + ', or ask an administrator'`,
          reason: "Forbidden",
        },
      ],
    },
    { selector: { matchLabels: { [ownDomain]: "true" } }, parameterNotFoundAction: "Allow" },
  );
}

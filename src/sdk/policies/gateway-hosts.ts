/**
 * Hosts of Gateways and of routes in tenants' namespaces (gateway.md 2): within the tenant's own domain. Stricter than for
 * Ingresses, as upstream is: a Gateway's certificates are asked for by what its routes name.
 */
import { celText, policy } from "./policy.ts";
import { inTenants } from "./tenant-callers.ts";

const label = celText("namespace.cozystack.io/host");

const domain = {
  name: "domain",
  expression: `has(namespaceObject.metadata.labels) && ${label} in namespaceObject.metadata.labels ? namespaceObject.metadata.labels[${label}].lowerAscii() : ''`,
};

/** The first host that is neither the domain nor below it; all of them where the tenant has no domain. */
const foreign = (hosts: string) => ({
  name: "foreign",
  expression: `(${hosts}).map(h, h.lowerAscii()).filter(h, variables.domain == '' || !(h == variables.domain || h.endsWith('.' + variables.domain)))`,
});

function hostsWithin(name: string, resource: string, hosts: string, field: string) {
  return policy(name, {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ["gateway.networking.k8s.io"],
          apiVersions: ["*"],
          operations: ["CREATE", "UPDATE"],
          resources: [resource],
        },
      ],
    },
    matchConditions: [inTenants],
    variables: [domain, foreign(hosts)],
    validations: [
      {
        expression: "variables.foreign.size() == 0",
        message: `${field}: hostnames must equal the tenant's domain or be below it`,
        messageExpression: `${celText(`${field}: `)} + variables.foreign[0] + ': hostnames must equal the domain of the tenant or be below it: ' + (variables.domain == '' ? 'it has none' : variables.domain)`,
        reason: "Forbidden",
      },
    ],
  });
}

const routeHosts = "object.?spec.?hostnames.orValue([])";

/** A listener without a hostname takes what its routes name; a Gateway of a tenant without a domain names none. */
export function gatewayHosts() {
  return hostsWithin(
    "cozystack-gateway-hostname-policy",
    "gateways",
    "object.?spec.?listeners.orValue([]).filter(l, l.?hostname.orValue('') != '').map(l, l.hostname)",
    "spec.listeners",
  );
}

export function routeHostnames() {
  return hostsWithin("cozystack-route-hostname-policy", "httproutes", routeHosts, "spec.hostnames");
}

export function tlsRouteHostnames() {
  return hostsWithin("cozystack-route-hostname-policy-tls", "tlsroutes", routeHosts, "spec.hostnames");
}

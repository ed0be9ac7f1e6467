/**
 * Names of applications, judged when they are created and never again: what exists under an older rule stays usable.
 */
import type { App } from "../app.ts";
import { nameForms, namespaceLimit, releaseLimit, reservedTenantNames } from "../names.ts";
import { adoptionGroup, callerIn } from "./callers.ts";
import { applications, celText, policy } from "./policy.ts";

type Named = Pick<App, "group" | "plural" | "release" | "module" | "longestName">;

/** A CEL map from plural to a number or text. */
function table(apps: readonly Named[], value: (app: Named) => string): string {
  return `{${apps.map((app) => `${celText(app.plural)}: ${value(app)}`).join(", ")}}`;
}

/** The domain that a tenant hands on to those in its namespace, and the longest value of a label. */
const domainLabel = celText("namespace.cozystack.io/host");
const domainLimit = 63;

/** A CEL map from names that are taken to the reason. */
const reserved = `{${Object.entries(reservedTenantNames)
  .map(([name, why]) => `${celText(name)}: ${celText(why)}`)
  .join(", ")}}`;

const isTenant = "request.resource.resource == 'tenants'";

export function applicationNames(apps: readonly Named[]) {
  const served = apps.filter(({ group }) => group === "apps.cozystack.io");
  const label = nameForms["DNS-1035 label"];
  const tenant = nameForms["tenant name"];
  const got = "'metadata.name: ' + object.metadata.name";
  return policy("cozystack-application-names", {
    matchConstraints: { resourceRules: [applications(["CREATE"])] },
    matchConditions: [{ name: "not-taken-over", expression: `!(${callerIn([adoptionGroup])})` }],
    variables: [
      { name: "name", expression: "object.metadata.name" },
      { name: "size", expression: "size(object.metadata.name)" },
      { name: "prefixes", expression: table(served, ({ release }) => celText(release)) },
      { name: "limits", expression: table(served, (app) => String(app.longestName)) },
      {
        name: "prefix",
        expression:
          "request.resource.resource in variables.prefixes ? variables.prefixes[request.resource.resource] : ''",
      },
      {
        name: "limit",
        expression: `request.resource.resource in variables.limits ? variables.limits[request.resource.resource] : ${releaseLimit}`,
      },
      {
        name: "parentDomain",
        expression: `has(namespaceObject.metadata.labels) && ${domainLabel} in namespaceObject.metadata.labels ? namespaceObject.metadata.labels[${domainLabel}] : ''`,
      },
      {
        name: "ownDomain",
        expression: "has(object.spec) && has(object.spec.host) ? string(object.spec.host) : ''",
      },
      {
        name: "domain",
        expression:
          "variables.ownDomain != '' ? variables.ownDomain : (variables.parentDomain == '' ? '' : variables.name + '.' + variables.parentDomain)",
      },
      {
        name: "derived",
        expression: "(request.namespace == 'tenant-root' ? 'tenant' : request.namespace) + '-' + object.metadata.name",
      },
    ],
    validations: [
      {
        expression: `!(${isTenant}) || variables.name.matches(${celText(tenant.pattern.source)})`,
        message: `metadata.name: a tenant's name has ${tenant.form}`,
        messageExpression: `${got} + ${celText(` is no tenant name; use ${tenant.form}`)}`,
        reason: "Invalid",
      },
      {
        expression: `${isTenant} || variables.name.matches(${celText(label.pattern.source)})`,
        message: `metadata.name: use ${label.form}`,
        messageExpression: `${got} + ${celText(` is no DNS-1035 label; use ${label.form}`)}`,
        reason: "Invalid",
      },
      {
        expression: `!(${isTenant}) || request.namespace == 'tenant-root' || !(variables.name in ${reserved})`,
        message: "metadata.name: this name is reserved",
        messageExpression: `${got} + ' is reserved: ' + ${reserved}[variables.name] + '; choose another name'`,
        reason: "Invalid",
      },
      {
        expression: "variables.size <= variables.limit",
        message: `metadata.name: the name is too long`,
        messageExpression: `${got} + ' has ' + string(variables.size) + ' characters, at most ' + string(variables.limit) + ' are possible: with the prefix ' + (variables.prefix == '' ? '(none)' : variables.prefix) + ' it must fit in ' + string(variables.limit + size(variables.prefix)) + '; choose a shorter name'`,
        reason: "Invalid",
      },
      {
        expression: `!(${isTenant}) || size(variables.derived) <= ${namespaceLimit}`,
        message: "metadata.name: the tenant's namespace would have a name that is too long",
        messageExpression: `'metadata.name: the namespace ' + variables.derived + ' would have ' + string(size(variables.derived)) + ' characters, at most ${namespaceLimit} are possible; choose a shorter name or a tenant higher up'`,
        reason: "Invalid",
      },
      {
        // The Namespace carries it as a label. Below tenant-root it follows from the platform's configuration, which no policy sees.
        expression: `!(${isTenant}) || size(variables.domain) <= ${domainLimit}`,
        message: "metadata.name: the tenant's domain would be too long",
        messageExpression: `(variables.ownDomain == '' ? 'metadata.name' : 'spec.host') + ': the domain ' + variables.domain + ' would have ' + string(size(variables.domain)) + ' characters, at most ${domainLimit} are possible; choose a shorter name, or ask an administrator to set spec.host to a short domain'`,
        reason: "Invalid",
      },
    ],
  });
}

/**
 * Which rights of ours are more than a list of verbs on a list of resources, and why: wildcards, and the verbs by which one
 * becomes more than one is. Everything else of that kind is a fault.
 */
import { isRecord, valueAt } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";

export interface Power {
  /** Kind and name of the role or binding; a pattern. */
  readonly of: RegExp;
  /** As {@link powersOf} says it. */
  readonly power: string;
  readonly reason: string;
}

/** Written down one by one; each must occur. */
export const powers: readonly Power[] = [
  {
    of: /^ClusterRole cozy:tenant:base$/,
    power: "* on apps.cozystack.io/*",
    reason:
      "A tenant's account orders every application, of kinds that come later too. Bound in the tenant's namespaces only; status, finalizers and marks of the platform are kept by admission policies.",
  },
  {
    of: /^ClusterRole cozy:tenant:base$/,
    power: "* on sdn.cozystack.io/securitygroups",
    reason: "Upstream's rule. A kind of ours, bound in the tenant's namespaces only.",
  },
  {
    of: /^ClusterRole cozy:tenant:view:base$/,
    power: "get list watch on apps.cozystack.io/*",
    reason: "Whoever sees a tenant sees all its applications, of kinds that come later too.",
  },
  {
    of: /^ClusterRole cozy:tenant:super-admin:base$/,
    power: "* on apps.cozystack.io/*",
    reason: "As for accounts.",
  },
  {
    of: /^ClusterRole cozy:tenant:super-admin:base$/,
    power: "* on kubevirt.io/virtualmachines",
    reason: "Upstream's rule. What may be written is limited by the admission policy cozystack-tenant-machines.",
  },
  {
    of: /^ClusterRole cozystack-api$/,
    power: "impersonate on users groups serviceaccounts",
    reason: "A plan is judged by admission policies as its caller's; no other API gives that (src/server/access.ts).",
  },
  {
    of: /^ClusterRoleBinding cozystack-controller$/,
    power: "binds cluster-admin",
    reason:
      "The controllers give rights away to tenants, and nobody may give what they have not; operators' kinds come and go.",
  },
];

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const dangerous: ReadonlySet<string> = new Set(["*", "escalate", "bind", "impersonate"]);

/** What of a role or binding is more than verbs on resources, one text each; nothing for other kinds. */
export function powersOf(object: KubeObject): readonly string[] {
  if (object.kind === "ClusterRoleBinding" || object.kind === "RoleBinding") {
    const role = String(valueAt(object, "roleRef", "name"));
    return ["cluster-admin", "admin", "edit"].includes(role) ? [`binds ${role}`] : [];
  }
  if (object.kind !== "ClusterRole" && object.kind !== "Role") return [];
  const rules = valueAt(object, "rules");
  return (Array.isArray(rules) ? rules : []).filter(isRecord).flatMap((rule) => {
    const groups = texts(rule["apiGroups"]);
    const resources = texts(rule["resources"]);
    const verbs = texts(rule["verbs"]);
    const paths = texts(rule["nonResourceURLs"]);
    const wild = [...groups, ...resources, ...paths].some((each) => each.includes("*"));
    if (!wild && !verbs.some((verb) => dangerous.has(verb))) return [];
    const where = groups.filter((group) => group !== "").map((group) => `${group}/`);
    return [`${verbs.join(" ")} on ${where.join("|")}${[...resources, ...paths].join(" ")}`];
  });
}

/** Powers that nobody wrote down, with who has them. */
export function unexplained(objects: readonly KubeObject[]): readonly string[] {
  return objects.flatMap((object) => {
    const name = `${object.kind} ${object.metadata.name}`;
    return powersOf(object)
      .filter((power) => !powers.some((known) => known.of.test(name) && known.power === power))
      .map((power) => `${name}: ${power}`);
  });
}

/** Of those written down, the ones that no object has. */
export function stale(objects: readonly KubeObject[]): readonly string[] {
  return powers
    .filter(
      ({ of, power }) =>
        !objects.some(
          (object) => of.test(`${object.kind} ${object.metadata.name}`) && powersOf(object).includes(power),
        ),
    )
    .map(({ of, power }) => `${String(of)}: ${power}`);
}

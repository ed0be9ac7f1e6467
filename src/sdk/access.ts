/**
 * Who may see an application: the groups and accounts of its tenant and of every tenant above it.
 */
import type { Subject } from "../kube/core-kinds.ts";
import type { AccessLevel, Exposure, PolicyRule } from "./app.ts";
import type { TenantPlace } from "./context.ts";
import { group, Role, RoleBinding, roleRef, serviceAccount } from "./rbac.ts";

/** From the least to the most powerful. */
export const accessLevels = ["view", "use", "admin", "super-admin"] as const satisfies readonly AccessLevel[];

/** `level` and all above it, in alphabetical order as upstream lists them. */
export function levelsFrom(level: AccessLevel): readonly AccessLevel[] {
  return accessLevels.slice(accessLevels.indexOf(level)).sort();
}

/** The namespaces of a tenant's ancestors and itself in the order of subjects: from the top down, but the root last. */
function tenantsOf({ namespace, ancestors }: TenantPlace): readonly string[] {
  const [root, ...between] = ancestors;
  return root === undefined ? [namespace] : [...between, namespace, root];
}

/** Everybody who has `level` in a tenant: its own and its ancestors' accounts, and their groups of that level and above. */
export function subjects(level: AccessLevel, context: { readonly tenant: TenantPlace }): readonly Subject[] {
  return tenantsOf(context.tenant).flatMap((tenant) => [
    serviceAccount(tenant, tenant),
    ...levelsFrom(level).map((each) => group(`${tenant}-${each}`)),
  ]);
}

const kinds: ReadonlyMap<string, Pick<PolicyRule, "apiGroups" | "resources">> = new Map([
  ["services", { apiGroups: [""], resources: ["services"] }],
  ["secrets", { apiGroups: [""], resources: ["secrets"] }],
  ["ingresses", { apiGroups: ["networking.k8s.io"], resources: ["ingresses"] }],
  ["monitors", { apiGroups: ["cozystack.io"], resources: ["workloadmonitors"] }],
]);

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === "string");

/** One rule per list, in the order in which the exposure writes its lists; an empty list exposes nothing. */
function rulesOf(exposure: Exposure): readonly PolicyRule[] {
  const named = Object.entries(exposure).flatMap(([field, names]) => {
    const kind = kinds.get(field);
    if (kind === undefined || !isNames(names) || names.length === 0) return [];
    return [{ ...kind, resourceNames: names, verbs: ["get", "list", "watch"] }];
  });
  return [...named, ...(exposure.rules ?? [])];
}

/** The Role and RoleBinding `<release>-dashboard-resources`: the tenant's people may read what the application exposes. */
export function dashboardAccess(
  release: string,
  exposure: Exposure,
  context: { readonly tenant: TenantPlace },
): readonly [Role, RoleBinding] {
  const name = `${release}-dashboard-resources`;
  return [
    Role(name, { rules: rulesOf(exposure) }),
    RoleBinding(name, { roleRef: roleRef(name), subjects: subjects(exposure.level ?? "use", context) }),
  ];
}

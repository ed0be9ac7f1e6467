/**
 * What the server's account may do in a cluster, and why. It acts for callers whom the API server has judged by RBAC on
 * our resources, so it needs on the objects behind them what it gives out.
 */
import { builtinKinds, contractKinds } from "../contracts/index.ts";
import { ClusterRole, type PolicyRule } from "../kube/core-kinds.ts";
import type { App } from "../sdk/app.ts";
import { coreApi } from "./group.ts";
import { optionSources } from "./resources/option/sources.ts";

const read = ["get", "list", "watch"] as const;

const rule = (group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups: [group],
  resources,
  verbs,
});

/** Kinds that applications and dropdowns are made from, by group. Plans and Options read them. */
function readable(apps: readonly App[]): readonly PolicyRule[] {
  const groups = new Map<string, Set<string>>();
  const kinds = [
    ...contractKinds,
    ...builtinKinds,
    ...apps,
    ...optionSources(apps).flatMap(({ uses }) => uses.map(({ kind }) => kind)),
  ];
  for (const { group, plural } of kinds) {
    const plurals = groups.get(group) ?? new Set<string>();
    groups.set(group, plurals.add(plural));
  }
  return [...groups].map(([group, plurals]) => rule(group, [...plurals].sort(), read));
}

/** The ClusterRole of the server's account. No wildcards. */
export function serverRole(name: string, apps: readonly App[]): ClusterRole {
  return ClusterRole(name, {
    rules: [
      ...readable(apps),
      // Who sees which tenant.
      rule("", ["namespaces"], read),
      rule("rbac.authorization.k8s.io", ["rolebindings", "clusterroles", "clusterrolebindings"], read),
      // Whom the API server lets speak for users.
      rule("", ["configmaps"], read),
      // TenantSecrets are Secrets, in whatever namespace the caller has rights on them; only marked ones are touched.
      rule("", ["secrets"], [...read, "create", "update", "patch", "delete"]),
      // Plans: the caller's rights on the application, and a dry run as the caller, whom admission policies must see.
      rule("authorization.k8s.io", ["subjectaccessreviews"], ["create"]),
      rule("", ["users", "groups", "serviceaccounts"], ["impersonate"]),
      // The gate keeps the ledgers of budgets.
      rule("internal.cozystack.io", ["quotaledgers"], ["create", "update", "patch", "delete"]),
      // Its own registration, and the definitions of kinds that come later.
      rule("apiregistration.k8s.io", ["apiservices"], [...read, "create", "patch", "delete"]),
      rule("apiextensions.k8s.io", ["customresourcedefinitions"], read),
      rule("", ["services"], ["create", "patch"]),
      rule("admissionregistration.k8s.io", ["validatingwebhookconfigurations"], ["create", "patch"]),
      rule("rbac.authorization.k8s.io", ["clusterroles", "clusterrolebindings"], ["create", "patch"]),
      // What it gives to users, it must have.
      rule(coreApi.group, ["tenantnamespaces"], read),
      rule(coreApi.group, ["applicationplans"], ["get", "create", "patch"]),
    ],
  });
}

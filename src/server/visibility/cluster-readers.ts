/**
 * Who may read all tenants by a ClusterRoleBinding. Being named by one is not enough, as it is with a RoleBinding in a
 * tenant: every user is named by several. The role must let them read namespaces or applications in the whole cluster,
 * which shows them more than we do.
 */
import type { ClusterRole, ClusterRoleBinding, PolicyRule } from "../../kube/core-kinds.ts";
import { subjectKeys } from "./subjects.ts";

const reading: ReadonlySet<string> = new Set(["get", "list", "watch", "*"]);

const has = (list: readonly string[] | undefined, ...wanted: readonly string[]): boolean =>
  wanted.some((one) => list?.includes(one) === true);

function reads(rule: PolicyRule): boolean {
  if (!rule.verbs.some((verb) => reading.has(verb)) || (rule.resourceNames ?? []).length > 0) return false;
  if (has(rule.apiGroups, "", "*") && has(rule.resources, "namespaces", "*")) return true;
  return has(rule.apiGroups, "apps.cozystack.io", "*") && (rule.resources ?? []).some((one) => !one.includes("/"));
}

/** The keys of all subjects that see everything. */
export function clusterReaders(
  roles: readonly ClusterRole[],
  bindings: readonly ClusterRoleBinding[],
): ReadonlySet<string> {
  const open = new Set(roles.filter(({ rules }) => rules?.some(reads) === true).map(({ metadata }) => metadata.name));
  return new Set(
    bindings
      .filter(({ roleRef }) => roleRef.kind === "ClusterRole" && open.has(roleRef.name))
      .flatMap(({ subjects }) => [...subjectKeys(subjects, "")]),
  );
}

/**
 * Who may do what in the tenant's namespace. Levels and groups of every ancestor reach down into it.
 */
import { ServiceAccount } from "../../contracts/core.ts";
import type { KubeObject } from "../../kube/object.ts";
import { accessLevels, subjects } from "../../sdk/access.ts";
import type { TenantPlace } from "../../sdk/context.ts";
import { group, RoleBinding, roleRef, serviceAccount } from "../../sdk/rbac.ts";
import { isRoot } from "./place.ts";

export function accessObjects(tenant: TenantPlace): readonly KubeObject[] {
  const { namespace } = tenant;
  // Upstream names tenant-root as its own parent; kept, so that an installation taken over has nothing to change.
  const above = isRoot(tenant) ? [namespace] : tenant.ancestors;
  return [
    ServiceAccount(namespace, { namespace }),
    RoleBinding("cozy:tenant", {
      namespace,
      roleRef: roleRef("cozy:tenant", "ClusterRole"),
      subjects: [...above, namespace].map((each) => serviceAccount(each, each)),
    }),
    ...accessLevels.map((level) =>
      RoleBinding(`cozy:tenant:${level}`, {
        namespace,
        roleRef: roleRef(`cozy:tenant:${level}`, "ClusterRole"),
        subjects: subjects(level, { tenant }),
      }),
    ),
    RoleBinding(`cozy:${namespace}:dashboard`, {
      namespace: "cozy-public",
      roleRef: roleRef("cozy:tenant:dashboard"),
      subjects: [
        ...accessLevels.toReversed().map((level) => group(`${namespace}-${level}`)),
        serviceAccount(namespace, namespace),
      ],
    }),
  ];
}

/**
 * What a cluster needs before the first tenant: our namespaces, accounts and roles, and the root of the tenant tree.
 */
import { ANCESTORS, formatAncestors, ROOT } from "../apps/tenant/place.ts";
import { valuesDocument } from "../apps/tenant/values-secret.ts";
import { Namespace, Secret, ServiceAccount } from "../contracts/core.ts";
import { ClusterRoleBinding } from "../contracts/rbac.ts";
import { defineKind } from "../kube/define-kind.ts";
import type { KubeObject } from "../kube/object.ts";
import { type ClusterValues, clusterText } from "../sdk/context.ts";
import { noDeleteLabel } from "../sdk/policies/index.ts";
import { ownDomain } from "../sdk/policies/ingress-hosts.ts";
import { rootValues } from "../tenancy/context-table.ts";
import { dashboardRole, tenantClusterRoles } from "./tenant-roles.ts";

/** Namespace of our own programs. */
export const SYSTEM = "cozy-system";
/** Namespace of what all tenants may read, such as golden images. */
export const PUBLIC = "cozy-public";

const noDelete = { [noDeleteLabel]: "true" } as const;

/** The account our controllers run under in a cluster; admission policies know its namespace. */
export const CONTROLLER = "cozystack-controller";

/** Applied first, in this order. */
export function systemObjects(): readonly KubeObject[] {
  return [
    Namespace(SYSTEM, {
      labels: {
        ...noDelete,
        "cozystack.io/system": "true",
        "pod-security.kubernetes.io/enforce": "privileged",
      },
    }),
    Namespace(PUBLIC, { labels: { ...noDelete, "cozystack.io/system": "true" } }),
    ServiceAccount(CONTROLLER, { namespace: SYSTEM }),
    ClusterRoleBinding(CONTROLLER, {
      // It gives rights away to tenants, and may give none that it does not have.
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ kind: "ServiceAccount", name: CONTROLLER, namespace: SYSTEM }],
    }),
    ...tenantClusterRoles(),
    dashboardRole(),
  ];
}

/** What follows from the platform's configuration and is applied again when it changes. */
export function configuredObjects(cluster: ClusterValues): readonly KubeObject[] {
  const root = rootValues(cluster);
  const values = (namespace: string, labels: Readonly<Record<string, string>>, document: string): KubeObject =>
    Secret("cozystack-values", {
      namespace,
      labels: { "reconcile.fluxcd.io/watch": "Enabled", ...labels },
      type: "Opaque",
      data: { "values.yaml": Buffer.from(document, "utf8").toString("base64") },
    });
  const { schedulingClass: _, ...handedOn } = root;
  return [
    Namespace(ROOT, {
      labels: {
        ...noDelete,
        "namespace.cozystack.io/host": clusterText(cluster, "root-host"),
        [ownDomain]: "true",
        ...(root.gateway === "" ? {} : { "namespace.cozystack.io/gateway": root.gateway }),
      },
      annotations: { [ANCESTORS]: formatAncestors({ namespace: ROOT, ancestors: [] }) },
    }),
    values(SYSTEM, {}, valuesDocument({ _cluster: cluster })),
    values(
      ROOT,
      { "internal.cozystack.io/managed-by-cozystack": "" },
      valuesDocument({
        _cluster: cluster,
        _namespace: root.gateway === "" ? withoutGateway(handedOn) : handedOn,
      }),
    ),
  ];
}

function withoutGateway<T extends { readonly gateway: string }>({ gateway: _, ...rest }: T): Omit<T, "gateway"> {
  return rest;
}

export const Tenant = defineKind<KubeObject>({
  group: "apps.cozystack.io",
  version: "v1alpha1",
  kind: "Tenant",
  plural: "tenants",
  namespaced: true,
});

/** The Tenant that all others descend from. Its spec, modules included, is the administrator's and never applied. */
export function rootTenant(): KubeObject {
  return Tenant("root", { namespace: ROOT, labels: { ...noDelete, "sharding.fluxcd.io/key": "tenants" } });
}

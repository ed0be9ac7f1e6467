/**
 * The cluster-wide roles of tenants (tenant.md 3.3): one aggregating role for each level and for the tenants' accounts, and
 * one base role with the rules. Extensions add rules by labelling roles of their own, as the base roles do.
 */
import { ClusterRole, type ClusterRoleObject, type RbacRule, Role, type RoleObject } from "../contracts/rbac.ts";

const READ = ["get", "list", "watch"] as const;
const WRITE = ["create", "update", "patch", "delete"] as const;

const APPS = "apps.cozystack.io";

const rule = (group: string, resources: readonly string[], verbs: readonly string[]): RbacRule => ({
  apiGroups: [group],
  resources,
  verbs,
});

/** What everybody in a tenant may look at. */
const look: readonly RbacRule[] = [
  rule("", ["pods", "services", "persistentvolumes", "endpoints", "events", "resourcequotas"], READ),
  rule("discovery.k8s.io", ["endpointslices"], READ),
  rule("networking.k8s.io", ["ingresses"], READ),
  rule("rbac.authorization.k8s.io", ["roles"], ["get"]),
];

const health = rule("cozystack.io", ["workloadmonitors", "workloads"], READ);

/** The applications an `admin` may order and change; the rest is for `super-admin`. New kinds are added by hand. */
const adminApplications = [
  "buckets",
  "clickhouses",
  "foos",
  "foundationdbs",
  "harbors",
  "httpcaches",
  "kafkas",
  "kuberneteses",
  "mariadbs",
  "mongodbs",
  "natses",
  "openbaos",
  "opensearches",
  "postgreses",
  "qdrants",
  "rabbitmqs",
  "redises",
  "seaweedfses",
  "tcpbalancers",
  "virtualmachines",
  "vmdisks",
  "vminstances",
  "vpns",
  "infos",
  "virtualprivateclouds",
];

interface Level {
  /** Part of the role's name after `cozy:tenant`. */
  readonly suffix: "" | ":view" | ":use" | ":admin" | ":super-admin";
  /** Levels whose role takes these rules in, besides its own. */
  readonly into: readonly string[];
  readonly rules: readonly RbacRule[];
}

const levels: readonly Level[] = [
  {
    suffix: "",
    into: [],
    rules: [
      ...look,
      rule(APPS, ["*"], ["*"]),
      rule("sdn.cozystack.io", ["securitygroups"], ["*"]),
      health,
      rule("core.cozystack.io", ["tenantmodules", "tenantsecrets", "options"], READ),
    ],
  },
  {
    suffix: ":view",
    into: [":use", ":admin", ":super-admin"],
    rules: [
      ...look,
      rule(APPS, ["*"], READ),
      rule("sdn.cozystack.io", ["securitygroups"], READ),
      health,
      rule("core.cozystack.io", ["options"], READ),
    ],
  },
  {
    suffix: ":use",
    into: [":admin", ":super-admin"],
    rules: [
      rule(
        "subresources.kubevirt.io",
        ["virtualmachineinstances/console", "virtualmachineinstances/vnc"],
        ["get", "list"],
      ),
      rule("subresources.kubevirt.io", ["virtualmachineinstances/portforward"], ["get", "update"]),
      rule(
        "subresources.kubevirt.io",
        ["virtualmachines/start", "virtualmachines/stop", "virtualmachines/restart"],
        ["update"],
      ),
      rule("core.cozystack.io", ["tenantmodules", "tenantsecrets"], READ),
    ],
  },
  {
    suffix: ":admin",
    into: [":super-admin"],
    rules: [
      rule("", ["pods", "services", "persistentvolumes", "endpoints", "events"], ["delete"]),
      rule("kubevirt.io", ["virtualmachines"], ["get", "list"]),
      rule("sdn.cozystack.io", ["securitygroups"], WRITE),
      rule(APPS, adminApplications, WRITE),
    ],
  },
  {
    suffix: ":super-admin",
    into: [],
    rules: [rule("kubevirt.io", ["virtualmachines"], ["*"]), rule(APPS, ["*"], ["*"])],
  },
];

const aggregateTo = (suffix: string): string => `rbac.cozystack.io/aggregate-to-tenant${suffix.replace(":", "-")}`;

/** Aggregating and base roles. The rules of the former are filled in by the API server's own controller. */
export function tenantClusterRoles(): readonly ClusterRoleObject[] {
  return levels.flatMap(({ suffix, into, rules }) => [
    ClusterRole(`cozy:tenant${suffix}`, {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregateTo(suffix)]: "true" } }] },
    }),
    ClusterRole(`cozy:tenant${suffix}:base`, {
      labels: Object.fromEntries([suffix, ...into].map((level) => [aggregateTo(level), "true"])),
      rules,
    }),
  ]);
}

/** What every tenant's people may read in `cozy-public`: golden images and chart sources. */
export function dashboardRole(): RoleObject {
  return Role("cozy:tenant:dashboard", {
    namespace: "cozy-public",
    rules: [
      rule("source.toolkit.fluxcd.io", ["helmrepositories", "helmcharts"], ["get", "list"]),
      rule("", ["persistentvolumeclaims"], READ),
    ],
  });
}

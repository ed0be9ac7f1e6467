/**
 * Who may do what: what the access matrix expects of every cell. docs/access.md is made from it. Written by hand from the
 * description of the roles, never from their code.
 */

/** Whose credentials are used. `account` is the tenant's service account; `none` is somebody the cluster knows and no more. */
export const roles = ["none", "view", "use", "admin", "super-admin", "account"] as const;
export type Role = (typeof roles)[number];

export const verbs = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"] as const;
export type Verb = (typeof verbs)[number];

/** Short forms in cells below. */
export const groups: Readonly<Record<string, readonly Verb[]>> = {
  read: ["get", "list", "watch"],
  write: ["create", "update", "patch", "delete"],
  all: verbs,
};

/** Where the object is, seen from the role's own tenant. */
export const areas = {
  own: "the tenant itself",
  child: "a tenant ordered in it",
  parent: "the tenant it was ordered in",
  sibling: "another tenant of the same parent",
  root: "tenant-root",
  system: "cozy-system, the platform's namespace",
  kube: "kube-system",
  public: "cozy-public, the platform's public namespace",
  everywhere: "all namespaces at once",
  cluster: "cluster-scoped objects",
} as const;
export type Area = keyof typeof areas;

/** One line of the table: kinds as `plural`, `group/plural` and `group/plural/subresource`. */
export interface Row {
  readonly what: string;
  readonly in: readonly Area[];
  readonly kinds: readonly string[];
  /** Verbs and their short forms, separated by blanks. A role that is left out may do nothing. */
  readonly may: Readonly<Partial<Record<Role, string>>>;
  /** Not served by a cluster without the operator: an answer that the path does not exist comes after permission. */
  readonly elsewhere?: true;
  readonly why?: string;
}

/** Roles reach down: into the tenant and every tenant below it. */
const down = ["own", "child"] as const;

const everyLevel = (may: string) => ({ view: may, use: may, admin: may, "super-admin": may, account: may });

const apps = (...plurals: readonly string[]) => plurals.map((plural) => `apps.cozystack.io/${plural}`);

export const rows: readonly Row[] = [
  {
    what: "Applications that an admin orders",
    in: down,
    kinds: apps(
      "buckets",
      "clickhouses",
      "foundationdbs",
      "harbors",
      "httpcaches",
      "infos",
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
      "virtualprivateclouds",
      "vmdisks",
      "vminstances",
      "vpns",
    ),
    may: { view: "read", use: "read", admin: "read write", "super-admin": "all", account: "all" },
    why: "deletecollection is for those who may do everything: no role that lists its verbs has it.",
  },
  {
    what: "Tenants and the other applications",
    in: down,
    kinds: apps(
      "bootboxes",
      "computeplanes",
      "etcds",
      "externaldns",
      "ingresses",
      "kubernetesnodeses",
      "monitorings",
      "tenants",
    ),
    may: { view: "read", use: "read", admin: "read", "super-admin": "all", account: "all" },
  },
  {
    what: "Status of applications",
    in: down,
    kinds: ["apps.cozystack.io/*/status"],
    may: everyLevel("get"),
    why: "The roles of super-admins and accounts cover writing it; an admission policy refuses it to all but the platform.",
  },
  {
    what: "Security groups",
    in: down,
    kinds: ["sdn.cozystack.io/securitygroups"],
    may: { view: "read", use: "read", admin: "read write", "super-admin": "read write", account: "all" },
  },
  {
    what: "Workloads and their monitors",
    in: down,
    kinds: ["cozystack.io/workloadmonitors", "cozystack.io/workloads"],
    may: everyLevel("read"),
  },
  {
    what: "Choices of form fields",
    in: down,
    kinds: ["core.cozystack.io/options"],
    may: everyLevel("read"),
  },
  {
    what: "Modules of the tenant, and Secrets shown to it",
    in: down,
    kinds: ["core.cozystack.io/tenantmodules", "core.cozystack.io/tenantsecrets"],
    may: { use: "read", admin: "read", "super-admin": "read", account: "read" },
  },
  {
    what: "Previews of an application",
    in: down,
    kinds: ["core.cozystack.io/applicationplans"],
    may: { admin: "get create patch", "super-admin": "get create patch", account: "get create patch" },
    why: "The caller's rights on the application itself are judged besides. There is never one to get: apply asks first.",
  },
  {
    what: "Tenants' namespaces",
    in: down,
    kinds: ["core.cozystack.io/tenantnamespaces"],
    may: everyLevel("read"),
    why: "Cluster-scoped, and shown one by one: a cell says whether that area's namespace is among them.",
  },
  {
    what: "Pods, Services, Endpoints, Events",
    in: down,
    kinds: ["pods", "services", "endpoints", "events"],
    may: {
      view: "read",
      use: "read",
      admin: "read delete",
      "super-admin": "read delete",
      account: "read delete",
    },
    why: "Nothing of a pod but its object: no logs, no exec, no port forwarding.",
  },
  {
    what: "Quotas, EndpointSlices, Ingresses",
    in: down,
    kinds: ["resourcequotas", "discovery.k8s.io/endpointslices", "networking.k8s.io/ingresses"],
    may: everyLevel("read"),
  },
  {
    what: "Roles",
    in: down,
    kinds: ["rbac.authorization.k8s.io/roles"],
    may: everyLevel("get"),
  },
  {
    what: "Virtual machines as objects of KubeVirt",
    in: down,
    kinds: ["kubevirt.io/virtualmachines"],
    may: { admin: "get list", "super-admin": "all", account: "all" },
    why: "What a super-admin writes there is limited by an admission policy.",
  },
  {
    what: "Consoles and screens of virtual machines",
    in: down,
    kinds: [
      "subresources.kubevirt.io/virtualmachineinstances/console",
      "subresources.kubevirt.io/virtualmachineinstances/vnc",
    ],
    may: { use: "get list", admin: "get list", "super-admin": "get list", account: "get list" },
    elsewhere: true,
  },
  {
    what: "Ports of virtual machines",
    in: down,
    kinds: ["subresources.kubevirt.io/virtualmachineinstances/portforward"],
    may: { use: "get update", admin: "get update", "super-admin": "get update", account: "get update" },
    elsewhere: true,
  },
  {
    what: "Start, stop and restart of virtual machines",
    in: down,
    kinds: [
      "subresources.kubevirt.io/virtualmachines/start",
      "subresources.kubevirt.io/virtualmachines/stop",
      "subresources.kubevirt.io/virtualmachines/restart",
    ],
    may: { use: "update", admin: "update", "super-admin": "update", account: "update" },
    elsewhere: true,
  },
  {
    what: "Public golden images",
    in: ["public"],
    kinds: ["persistentvolumeclaims"],
    may: everyLevel("read"),
  },
  {
    what: "Public chart sources",
    in: ["public"],
    kinds: ["source.toolkit.fluxcd.io/helmrepositories", "source.toolkit.fluxcd.io/helmcharts"],
    may: everyLevel("get list"),
    elsewhere: true,
  },
  {
    what: "Questions about oneself",
    in: ["cluster"],
    kinds: [
      "authentication.k8s.io/selfsubjectreviews",
      "authorization.k8s.io/selfsubjectaccessreviews",
      "authorization.k8s.io/selfsubjectrulesreviews",
    ],
    may: { none: "create", ...everyLevel("create") },
    why: "Kubernetes gives them to everybody.",
  },
];

/** The verbs that a cell's text stands for. */
export function verbsOf(text: string): readonly Verb[] {
  return text
    .split(" ")
    .filter((word) => word !== "")
    .flatMap((word) => {
      const one = verbs.filter((verb) => verb === word);
      const several = groups[word] ?? one;
      if (several.length === 0) throw new Error(`${word} is no verb`);
      return several;
    });
}

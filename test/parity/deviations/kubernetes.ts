/**
 * Where kubernetes differs from upstream on purpose.
 */
import { valueAt } from "../../../src/kube/json.ts";
import type { CaseNames, Deviation } from "../deviation.ts";
import { groupsOf, hasPartOfCore, isNoGroup, noGroup, oneLine, partOfCore, talosReconcile } from "./node-pool.ts";

/** One of upstream's hook objects, with what it did and who does it now. */
const hook = (object: string, test: string, reason: string): Deviation => ({
  class: "hook",
  cases: "all",
  object,
  only: "missing",
  test,
  reason,
});

const rbac = "rbac.authorization.k8s.io/v1";

const cleanup = ["v1/ServiceAccount", `${rbac}/Role`, `${rbac}/RoleBinding`, "batch/v1/Job"].map((kind) =>
  hook(
    `${kind}/{release}-${kind.endsWith("/Job") ? "pre-cleanup" : "cleanup"}`,
    "what outlives a cluster is freed with it",
    "Before a cluster goes the controller itself lets addons and machines go, then the control plane, then volumes and addresses.",
  ),
);

const bootstrap = ["v1/ServiceAccount", `${rbac}/Role`, `${rbac}/RoleBinding`, "batch/v1/Job"].map((kind) =>
  hook(
    `${kind}/{release}-oidc-bootstrap`,
    "users are bound by a Job that no text of theirs can change",
    "What is no longer wanted is not rendered, and goes; the kubeconfig is rendered; users are bound by a Job without any permission here. " +
      "Upstream's Job wrote into the control plane, with what the user says in a shell command.",
  ),
);

const noStore = (_: unknown, { namespace }: CaseNames): boolean => (namespace?.["etcd"] ?? "") === "";

const awaiting = {
  class: "fault",
  cases: "all",
  only: "missing",
  when: noStore,
  reason: "No Job runs for a cluster that has no control plane yet; upstream's failed.",
} as const;

const users = {
  class: "contentJob",
  cases: "all",
  only: "extra",
  when: (values: unknown) => ["System", "CustomConfig"].includes(String(valueAt(values, "oidc", "mode"))),
  reason: "Users are bound in the cluster by a Job for each list of them, which reads the list as a file.",
} as const;

const agents = {
  class: "fault",
  cases: "all",
  object: "helm.toolkit.fluxcd.io/v2/HelmRelease/{release}-monitoring-agents",
  reason:
    "Agents send metrics to the tenant's own monitoring under the tenant's name; upstream gives them values that their chart does not read.",
} as const;

const wide = {
  class: "fault",
  cases: "all",
  reason:
    "What has no namespace is named after the cluster's as well: clusters of two tenants with one name took it from each other.",
} as const;

const emails = (values: unknown): readonly unknown[] => {
  const list = valueAt(values, "oidc", "users");
  return Array.isArray(list) ? list.map((user) => valueAt(user, "email")) : [];
};

const lacks = (group: unknown) =>
  ["minReplicas", "maxReplicas", "instanceType", "diskSize"].some((key) => valueAt(group, key) === undefined);

export const kubernetes: readonly Deviation[] = [
  ...talosReconcile,
  oneLine,
  ...cleanup,
  ...bootstrap,
  hook(
    "batch/v1/Job/{release}-oidc-cleanup",
    "what outlives a cluster is freed with it",
    "Bindings of users are in the cluster, and go with it.",
  ),
  { ...users, object: "batch/v1/Job/{release}-oidc-users-*" },
  { ...users, object: "v1/ConfigMap/{release}-oidc-users" },
  { ...awaiting, object: "batch/v1/Job/{release}-bootstrap-token*" },
  { ...awaiting, object: "v1/ServiceAccount/{release}-bootstrap-token-tenant" },
  {
    class: "design",
    cases: "all",
    object: "v1/ConfigMap/{release}-awaiting-etcd",
    at: "/data/message",
    when: noStore,
    reason: "The words for people who look why there is no cluster yet.",
  },
  {
    class: "design",
    cases: "all",
    object: "v1/Secret/{release}-oidc-kubeconfig",
    at: "/stringData/kubeconfig",
    when: (values) => valueAt(values, "oidc", "mode") === "System",
    reason:
      "The kubeconfig is rendered once the cluster's authority can be read; upstream's Job wrote it over other words for why there is none yet.",
  },
  { ...wide, object: `${rbac}/ClusterRole/{release}-kcsi`, renamed: `${rbac}/ClusterRole/{namespace}-{release}-kcsi` },
  {
    ...wide,
    object: `${rbac}/ClusterRoleBinding/{release}-kcsi-binding`,
    renamed: `${rbac}/ClusterRoleBinding/{namespace}-{release}-kcsi-binding`,
  },
  { ...wide, object: `${rbac}/ClusterRoleBinding/{release}-kcsi-binding`, at: "/roleRef/name" },
  {
    class: "design",
    cases: "all",
    object: `${rbac}/Role/{release}-kccm`,
    at: "/rules/*/verbs",
    reason: "What the cloud controller may do with Services is said verb by verb; upstream's role has all there are.",
  },
  { ...agents, at: "/spec/values/global", only: "extra" },
  { ...agents, at: "/spec/values/vmagent/remoteWrite" },
  {
    class: "design",
    cases: "unseen",
    object: "controlplane.cluster.x-k8s.io/v1alpha1/KamajiControlPlane/{release}",
    at: "/spec/network/certSANs",
    test: "the control plane's certificate is for its address, once it has one",
    reason: "The address of the control plane's Service is rendered once there is one; upstream's Job wrote it.",
  },
  {
    class: "fault",
    cases: "all",
    outcome: "refuses",
    when: (values) => groupsOf(values).some(([, group]) => hasPartOfCore(group)),
    reason: partOfCore,
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => !/^([a-z0-9]([-.a-z0-9]*[a-z0-9])?)?$/.test(String(valueAt(values, "host") ?? "")),
    test: "refuses a host that is no name",
    reason:
      "What is no host name is refused: nothing could be served under it, and upstream's control plane had no Ingress.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) =>
      Number(valueAt(values, "controlPlane", "replicas") ?? 2) < 0 ||
      groupsOf(values).some(([name, group]) => isNoGroup(group) || !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)),
    test: "refuses a role that no label can have, and a group whose name is none",
    reason: noGroup,
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "accepts",
    when: (values) => groupsOf(values).some(([, group]) => lacks(group)),
    test: "a group has what it leaves out by default: the digest is the same",
    reason:
      "A group may leave out sizes and numbers of machines: it has the defaults that upstream's schema gives, while upstream's chart insisted on them.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) =>
      (valueAt(values, "oidc", "mode") ?? "None") !== "None" &&
      (emails(values).includes("") || new Set(emails(values)).size < emails(values).length),
    test: "refuses a user that is listed twice",
    reason: "A user without an address, or listed twice, is refused; upstream's Job failed over it, for ever.",
  },
  {
    class: "design",
    cases: "unseen",
    outcome: "refuses",
    when: noStore,
    test: "refuses to go on without the store that the control plane has its objects in",
    reason:
      "A cluster whose tenant loses its etcd is left as it is, and says so; upstream removed the control plane and every machine.",
  },
];

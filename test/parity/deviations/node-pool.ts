/**
 * Where pools of machines differ from upstream on purpose, whichever kind orders them.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

const reconciled = {
  class: "design",
  cases: "all",
  only: "missing",
  reason:
    "The configuration with which machines start, and the addresses in the control plane's certificate, are rendered as soon as what they " +
    "are made of is there. Upstream had a Job for each group that waited for it, with an account that may read the cluster's keys.",
} as const;

/** Whether what machines run is said in more than one line. */
const isNoLine = (values: unknown): boolean =>
  ["version", "schematicID", "imageFactoryURL", "installerRepository"].some((field) =>
    Array.from(String(valueAt(values, "talos", field) ?? "")).some((one) => one < " " || one === "\u007f"),
  );

export const oneLine: Deviation = {
  class: "fault",
  cases: "unseen",
  outcome: "refuses",
  when: isNoLine,
  test: "refuses names of images in more than one line",
  reason:
    "Line breaks in what machines run are refused: there is no such image, and upstream's machines never started.",
};

/** The Jobs that wrote configurations of machines, and what they needed. */
export const talosReconcile: readonly Deviation[] = [
  { ...reconciled, object: "batch/v1/Job/{release}-t*" },
  { ...reconciled, object: "v1/ServiceAccount/{release}-talos-reconcile" },
  { ...reconciled, object: "rbac.authorization.k8s.io/v1/Role/{release}-talos-reconcile" },
  { ...reconciled, object: "rbac.authorization.k8s.io/v1/RoleBinding/{release}-talos-reconcile" },
  { ...reconciled, object: "rbac.authorization.k8s.io/v1/ClusterRole/{namespace}-{release}-talos-reconcile-coredns" },
  {
    ...reconciled,
    object: "rbac.authorization.k8s.io/v1/ClusterRoleBinding/{namespace}-{release}-talos-reconcile-coredns",
  },
  { ...reconciled, object: "cilium.io/v2/CiliumNetworkPolicy/{release}-talos-reconcile" },
  {
    class: "design",
    cases: "unseen",
    object: "bootstrap.cluster.x-k8s.io/v1alpha3/TalosConfigTemplate/kubernetes-*",
    only: "extra",
    test: "machines' configuration is there once all of what it is made of is",
    reason: "Where a control plane is there already, the configuration of its machines is rendered: see above.",
  },
  {
    class: "design",
    cases: "unseen",
    object: "infrastructure.cluster.x-k8s.io/v1alpha1/KubevirtMachineTemplate/kubernetes-*",
    only: "extra",
    test: "a former template stays while anything is made from it",
    reason:
      "A former template stays also while a MachineDeployment names it or a machine is a copy of it, not only while a set of machines does.",
  },
];

const cpuOf = (group: unknown) => valueAt(group, "resources", "cpu");

/** Whether machines have a size that is no whole number of cores. */
export const hasPartOfCore = (group: unknown): boolean => {
  const cpu = cpuOf(group);
  return cpu !== undefined && cpu !== "" && !/^[0-9]+$/.test(String(cpu));
};

/** Whether a number of machines is less than nothing, a disk no more than nothing, or a role no part of a label. */
export const isNoGroup = (group: unknown): boolean => {
  const roles = valueAt(group, "roles");
  return (
    Number.parseFloat(String(valueAt(group, "diskSize") ?? 1)) <= 0 ||
    [valueAt(group, "minReplicas"), valueAt(group, "maxReplicas")].some((count) => Number(count ?? 0) < 0) ||
    (Array.isArray(roles) &&
      roles.some((role) => !/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(String(role))))
  );
};

export const groupsOf = (values: unknown): readonly (readonly [string, unknown])[] => {
  const map = valueAt(values, "nodeGroups");
  return isRecord(map) ? Object.entries(map) : [];
};

export const partOfCore =
  "A number of cores that is no whole one is refused; upstream rendered machines that the API server refused.";
export const noGroup =
  "A negative number of machines, a disk of nothing, and roles and names that no label can have, are refused; upstream's release failed.";

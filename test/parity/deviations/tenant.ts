/**
 * Where tenant differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";

const hook = {
  class: "hook",
  cases: "all",
  test: "deletion takes a tenant's applications first, then its modules",
} as const;

const reach = {
  class: "fault",
  cases: "all",
  reason:
    "A tenant at any depth reaches the monitoring, etcd and ingress of every ancestor, tenant-root included, and is reached " +
    "from there; upstream leaves tenant-root out below the first level, where it is inherited from all the same.",
} as const;

export const tenant: readonly Deviation[] = [
  {
    class: "module",
    cases: "all",
    replaced: ["helm.toolkit.fluxcd.io/v2/HelmRelease/*"],
    by: ["apps.cozystack.io/v1alpha1/*/*"],
    reason: "Each module is an object of its own kind with the name of upstream's release.",
  },
  {
    class: "module",
    cases: "all",
    replaced: ["helm.toolkit.fluxcd.io/v2/HelmRelease/gateway"],
    by: ["internal.cozystack.io/v1alpha1/Gateway/gateway"],
    reason: "The module gateway, which upstream has as a release only, is an object of an internal kind.",
  },
  {
    ...hook,
    object: "batch/v1/Job/*-cleanup",
    reason: "Before a tenant goes the controller itself deletes what is in it, in order, and reports what blocks.",
  },
  {
    ...hook,
    object: "rbac.authorization.k8s.io/v1/Role/*-cleanup",
    reason: "Deletion needs no permissions of the tenant's own.",
  },
  {
    ...hook,
    object: "rbac.authorization.k8s.io/v1/RoleBinding/*-cleanup",
    reason: "Deletion needs no permissions of the tenant's own.",
  },
  { ...hook, object: "v1/ServiceAccount/*-cleanup", reason: "Deletion needs no account of the tenant's own." },
  {
    class: "design",
    cases: "all",
    object: "v1/Namespace/*",
    at: "/metadata/annotations",
    only: "extra",
    reason: "A tenant's ancestors are data, written to its Namespace, and never parsed out of its name.",
  },
  { ...reach, object: "cilium.io/v2/CiliumClusterwideNetworkPolicy/*-egress", at: "/spec/egress/*/toEndpoints" },
  { ...reach, object: "cilium.io/v2/CiliumClusterwideNetworkPolicy/*-ingress", at: "/spec/ingress/*/fromEndpoints" },
];

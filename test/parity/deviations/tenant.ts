/**
 * Where tenant differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import { type Deviation, moduleDeviation } from "../deviation.ts";

const hook = {
  class: "hook",
  cases: "all",
  test: "a deleted tenant takes its applications first, then its modules, then its namespace",
} as const;

const reach = {
  class: "fault",
  cases: "all",
  reason:
    "A tenant at any depth reaches the monitoring, etcd and ingress of every ancestor, tenant-root included, and is reached " +
    "from there; upstream leaves tenant-root out below the first level, where it is inherited from all the same.",
} as const;

/** As the schema has it. */
const resourceName = /^([a-z0-9]([-.a-z0-9]*[a-z0-9])?\/)?[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;
const quotas = (values: unknown): readonly string[] => {
  const given = valueAt(values, "resourceQuotas");
  return isRecord(given) ? Object.keys(given) : [];
};

export const tenant: readonly Deviation[] = [
  moduleDeviation("etcd", "Etcd"),
  moduleDeviation("info", "Info"),
  moduleDeviation("ingress", "Ingress"),
  moduleDeviation("monitoring", "Monitoring"),
  moduleDeviation("seaweedfs", "SeaweedFS"),
  // Upstream has this one as a release only: it is no kind that users order.
  moduleDeviation("gateway", "Gateway", "internal.cozystack.io"),
  {
    ...moduleDeviation("computeplane", "ComputePlane"),
    cases: "unseen",
    test: "modules are objects of their own kinds, without a spec, in the tenant's namespace",
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
    class: "fault",
    cases: "all",
    object: "cilium.io/v2/CiliumNetworkPolicy/allow-to-apiserver",
    at: "/spec/egress/1/toEntities",
    only: "extra",
    reason:
      "Pods that may reach the API server reach port 6443 of nodes; upstream's rule names nobody, and so opens that port of every " +
      "pod in the cluster, other tenants' clusters included.",
  },
  {
    class: "design",
    cases: "all",
    object: "cilium.io/v2/CiliumClusterwideNetworkPolicy/*-egress",
    at: "/spec/egressDeny",
    only: "extra",
    reason:
      "Tenants' pods do not reach the address at which clouds give machines their credentials. Many applications fetch from addresses " +
      "that their user names.",
  },
  {
    class: "design",
    cases: "all",
    object: "v1/Namespace/*",
    at: "/metadata/labels/internal.cozystack.io~1own-domain",
    only: "extra",
    reason: "Tells which tenants have domains of their own, which hosts of other tenants' Ingresses are compared with.",
  },
  {
    class: "design",
    cases: "all",
    object: "v1/Namespace/*",
    at: "/metadata/annotations",
    only: "extra",
    reason: "A tenant's ancestors are data, written to its Namespace, and never parsed out of its name.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => quotas(values).some((name) => !resourceName.test(name)),
    test: "a quota of a resource that no ResourceQuota can name is refused at once",
    reason: "A quota whose resource no ResourceQuota can name is refused; upstream failed in the middle of installing.",
  },
  { ...reach, object: "cilium.io/v2/CiliumClusterwideNetworkPolicy/*-egress", at: "/spec/egress/*/toEndpoints" },
  { ...reach, object: "cilium.io/v2/CiliumClusterwideNetworkPolicy/*-ingress", at: "/spec/ingress/*/fromEndpoints" },
];

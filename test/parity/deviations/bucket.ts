/**
 * Where bucket differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

const cleanup = "{release}-cleanup-acme";

/** One of upstream's hook objects. */
const hook = (object: string): Deviation => ({
  class: "hook",
  cases: "all",
  object,
  only: "missing",
  test: "what a certificate leaves behind is found by this bucket's host and name, nothing else",
  reason:
    "After deletion the controller itself removes the page's certificate and, by host, solvers of its challenge; upstream ran a Job with rights over all of the tenant's ingresses.",
});

function users(values: unknown): Readonly<Record<string, unknown>> {
  const given = valueAt(values, "users");
  return isRecord(given) ? given : {};
}

const userName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

export const bucket: readonly Deviation[] = [
  hook(`batch/v1/Job/${cleanup}`),
  hook(`v1/ServiceAccount/${cleanup}`),
  hook(`rbac.authorization.k8s.io/v1/Role/${cleanup}`),
  hook(`rbac.authorization.k8s.io/v1/RoleBinding/${cleanup}`),
  {
    class: "innerRelease",
    cases: "all",
    replaced: ["helm.toolkit.fluxcd.io/v2/HelmRelease/{release}-system"],
    by: ["apps/v1/Deployment/{release}-ui", "v1/Service/{release}-ui"],
    reason: "The web page is rendered directly; upstream installed it as a second release.",
  },
  {
    class: "innerRelease",
    cases: "all",
    object: "networking.k8s.io/v1/Ingress/{release}-ui",
    only: "extra",
    reason: "The web page's Ingress is rendered directly; upstream's second release did it.",
  },
  {
    class: "innerRelease",
    cases: "unseen",
    object: "gateway.networking.k8s.io/v1/HTTPRoute/{release}-ui",
    only: "extra",
    test: "a tenant with a gateway gets a route instead of an ingress",
    reason: "The web page's HTTPRoute is rendered directly; upstream's second release did it.",
  },
  {
    class: "innerRelease",
    cases: "unseen",
    object: "v1/Secret/{release}-*-credentials",
    only: "extra",
    test: "credentials are what the driver's document says, under readable keys",
    reason:
      "Credentials are rendered directly, as soon as the driver has made the keys; upstream's second release skipped them for ever when they were late.",
  },
  {
    class: "fault",
    cases: "all",
    object: "rbac.authorization.k8s.io/v1/Role/{release}-dashboard-resources",
    at: "/rules",
    when: (values) => Object.keys(users(values)).length === 0,
    reason:
      "Without users there is no rule for Secrets; upstream's had no names and so covered every Secret of the tenant.",
  },
  {
    class: "design",
    cases: "all",
    assumes: "objectstorage.k8s.io/v1alpha1/BucketClass/*",
    reason:
      "The bucket waits for the class of its pool by name; upstream made a claim that nobody answers when there is none.",
  },
  {
    class: "design",
    cases: "all",
    assumes: "objectstorage.k8s.io/v1alpha1/BucketAccessClass/*",
    reason:
      "A user's access waits for its class by name; upstream made an access that nobody answers when there is none.",
  },
  {
    class: "design",
    cases: "unseen",
    outcome: "refuses",
    when: (_, { namespace }) => (namespace?.["seaweedfs"] ?? "") === "",
    test: "without object storage the bucket is refused, and says who can change that",
    reason: "A bucket where no tenant has object storage is refused; upstream made a claim that nobody answers.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => {
      const names = Object.keys(users(values));
      return names.some((name) => !userName.test(name) || names.includes(`${name}-credentials`));
    },
    test: "users whose Secrets would have one name are refused",
    reason:
      "A user whose name cannot be part of an object's name, or whose Secret another user's would overwrite, is refused; upstream failed in the middle of installing.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["locking", "storagePool"],
    test: "the server refuses: another pool",
    reason:
      "The pool and the lock of a bucket are fixed: the driver reads them once. Upstream took a change over and changed nothing.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["users.*.readonly"],
    test: "other rights mean another access, and a bucket to be kept stays",
    reason:
      "Other rights of a user are granted as a new access with new keys; upstream took the change over and changed nothing.",
  },
];

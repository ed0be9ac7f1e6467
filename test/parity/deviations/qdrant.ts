/**
 * Where qdrant differs from upstream on purpose.
 */
import { valueAt } from "../../../src/kube/json.ts";
import type { CaseNames, Deviation } from "../deviation.ts";
import { fixedStorageClass } from "../fixed-storage-class.ts";

const release = "helm.toolkit.fluxcd.io/v2/HelmRelease/{release}-system";

const ownKey =
  "The key of clients is made here and reaches the chart through a Secret with values, so that it can be made anew and stays where volumes do. Upstream's chart made one by itself, by which the first change of anything restarted all servers. One that a chart made before is taken over.";

/** One of upstream's hook objects. */
const hook = (kind: string): Deviation => ({
  class: "hook",
  cases: "all",
  object: `${kind}/{release}-qdrant-cleanup`,
  only: "missing",
  test: "a Qdrant is ready with its servers and certificates, its volumes grow, and it leaves nothing (feature 115)",
  reason: "The Job that deleted volumes after the release was gone: the controller deletes them itself.",
});

/** Whether the certificate needs a name for outside, and the tenant has none. */
function lacksHost(values: unknown, { namespace }: CaseNames): boolean {
  const isExternal = valueAt(values, "external") === true;
  return isExternal && valueAt(values, "tls", "enabled") !== false && (namespace?.["host"] ?? "") === "";
}

export const qdrant: readonly Deviation[] = [
  hook("batch/v1/Job"),
  hook("v1/ServiceAccount"),
  hook("rbac.authorization.k8s.io/v1/Role"),
  hook("rbac.authorization.k8s.io/v1/RoleBinding"),
  { class: "design", cases: "all", object: release, at: "/spec/values/qdrant/apiKey", only: "missing", reason: ownKey },
  { class: "design", cases: "all", object: release, at: "/spec/valuesFrom", reason: ownKey },
  { class: "design", cases: "all", object: "v1/Secret/{release}-key", only: "extra", reason: ownKey },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: lacksHost,
    test: "refuses a certificate for outside without a host",
    reason:
      "An encrypted server for outside is refused where the tenant has no host; upstream asked for a certificate with a name that ends in a dot.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => Number(valueAt(values, "replicas")) < 0,
    test: "refuses a negative number of replicas",
    reason: "A negative number of replicas is refused; upstream's release failed.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["size"],
    test: "the server refuses: a volume that shrinks",
    reason:
      "A volume that shrinks is refused. One that grows does: its claims are enlarged under the running servers; upstream's release failed with either.",
  },
  fixedStorageClass,
];

/**
 * Where openbao differs from upstream on purpose.
 */
import { valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { fixedStorageClass } from "../fixed-storage-class.ts";

const release = "helm.toolkit.fluxcd.io/v2/HelmRelease/{release}-system";
const server = "/spec/values/openbao/server";

const delegation =
  "The binding by which the servers ask whose a token is has the namespace in its name, and is rendered directly; that of upstream's chart was named as the release alone, so that of two tenants only one could have an OpenBAO of a name.";

export const openbao: readonly Deviation[] = [
  {
    class: "fault",
    cases: "all",
    object: "rbac.authorization.k8s.io/v1/ClusterRoleBinding/{namespace}-{release}-server-binding",
    only: "extra",
    reason: delegation,
  },
  {
    class: "fault",
    cases: "all",
    object: release,
    at: `${server}/authDelegator`,
    only: "extra",
    becomes: { enabled: false },
    reason: delegation,
  },
  {
    class: "design",
    cases: "unseen",
    object: release,
    at: `${server}/dataStorage/size`,
    only: "differs",
    test: "volumes grow, and the servers' set goes on as it was made",
    reason:
      "Volumes grow under the running servers: the chart goes on with the size that its claim template has. Upstream's release failed.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) =>
      !/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/.test(String(valueAt(values, "storageClass") ?? "")) ||
      Number(valueAt(values, "replicas") ?? 1) < 0,
    test: "refuses a storage class that is none",
    reason:
      "A storage class that is none is refused, as the chart writes it into its documents as it is, and so is a negative number of replicas.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["replicas"],
    test: "the server refuses: several servers instead of one",
    reason:
      "One server cannot become several, nor several one: they keep their data in other ways. Upstream let it through, and the servers came up empty.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["size"],
    test: "the server refuses: a volume that shrinks",
    reason: "A volume that shrinks is refused; upstream's release failed.",
  },
  fixedStorageClass,
];

/**
 * Where etcd differs from upstream on purpose.
 */
import { valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

/** One of upstream's hook objects. */
const hook = (kind: string): Deviation => ({
  class: "hook",
  cases: "all",
  object: `${kind}/{release}-cleanup`,
  only: "missing",
  test: "a tenant's etcd leaves nothing: members' volumes, those of adopted ones, and certificates' Secrets go (feature 119)",
  reason: "The Job that deleted volumes and certificates' Secrets after the release was gone: the controller does it.",
});

const version = /^[0-9]+\.[0-9]+\.[0-9]+$/;

export const etcd: readonly Deviation[] = [
  hook("batch/v1/Job"),
  hook("v1/ServiceAccount"),
  hook("rbac.authorization.k8s.io/v1/Role"),
  hook("rbac.authorization.k8s.io/v1/RoleBinding"),
  ...["etcd-ca-tls", "etcd-client-tls"].map(
    (name): Deviation => ({
      class: "hook",
      cases: "all",
      object: `v1/Secret/${name}`,
      at: "/metadata/annotations",
      only: "missing",
      test: "the Secrets that the DataStore names are made before it, empty, and are never written again",
      reason:
        "The two Secrets that exist before cert-manager fills them are ordinary objects, made once and never written again; upstream made them by a hook.",
    }),
  ),
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => Number(valueAt(values, "replicas")) < 0,
    test: "refuses a negative number of members",
    reason: "A negative number of members is refused; the API server refused upstream's object.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => !version.test(String(valueAt(values, "version") ?? "3.6.11")),
    test: "refuses a version that is none",
    reason: "A version that is not three numbers is refused; the API server refused upstream's object.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["size"],
    test: "the server refuses: a volume that shrinks",
    reason: "A volume that shrinks is refused at once; upstream's release failed from then on.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["storageClass"],
    test: "the server refuses: another storage class",
    reason: "A storage class is fixed once there are members; upstream's release failed from then on.",
  },
];

/**
 * Where opensearch differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { fixedStorageClass } from "../fixed-storage-class.ts";

const cluster = "opensearch.opster.io/v1/OpenSearchCluster/{release}";

const usersOf = (values: unknown): readonly string[] => {
  const users = valueAt(values, "users");
  return isRecord(users) ? Object.keys(users) : [];
};

const userName = /^[-a-z0-9]*[a-z0-9]([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const hasDefaultClass = (values: unknown): boolean => (valueAt(values, "storageClass") ?? "") === "";

export const opensearch: readonly Deviation[] = [
  {
    class: "fault",
    cases: "all",
    object: "v1/Service/{release}-dashboards-external",
    at: "/spec/selector",
    reason:
      "The way to Dashboards from outside selects them by the label that the operator gives them; upstream's labels were those of no pod.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: cluster,
    at: "/spec/nodePools/0/persistence/pvc/storageClass",
    only: "differs",
    when: hasDefaultClass,
    test: "another number of nodes does not move the volumes that exist to another class",
    reason:
      "Without a storage class the one of the volumes that exist stays; upstream chose anew between one node and more, which the operator could not carry out.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => usersOf(values).some((name) => !userName.test(name)),
    test: "refuses a user whose name is in no Secret's",
    reason: "Users are refused from whose names no Secret's can be made; upstream's release failed.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => Number(valueAt(values, "replicas")) < 0 || Number(valueAt(values, "dashboards", "replicas")) < 0,
    test: "refuses a negative number of replicas",
    reason: "A negative number of replicas is refused; upstream handed it to the operator.",
  },
  {
    class: "fault",
    cases: "unseen",
    edits: ["version"],
    test: "the server refuses: an older version",
    reason:
      "A version goes up by one or stays; upstream took any change over, the operator refused it and from then on took up no change at all.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["size"],
    test: "the server refuses: a volume that shrinks",
    reason: "A volume that shrinks is refused; upstream took it over and the operator refused it.",
  },
  fixedStorageClass,
];

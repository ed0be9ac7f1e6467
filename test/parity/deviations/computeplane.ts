/**
 * Where computeplane differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

const groups = (values: unknown): readonly unknown[] => {
  const map = valueAt(values, "nodeGroups");
  return isRecord(map) ? Object.values(map) : [];
};

export const computePlane: readonly Deviation[] = [
  {
    class: "fault",
    cases: "unseen",
    outcome: "accepts",
    when: (values) =>
      groups(values).some((group) =>
        ["minReplicas", "maxReplicas", "instanceType", "diskSize"].some((key) => valueAt(group, key) === undefined),
      ),
    test: "a group has what it leaves out by default",
    reason:
      "A group may leave out sizes and numbers of nodes: it has the defaults that upstream's schema gives, while upstream's chart insisted on them.",
  },
];

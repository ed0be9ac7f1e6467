/**
 * Where computeplane differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

const groups = (values: unknown): readonly unknown[] => {
  const map = valueAt(values, "nodeGroups");
  return isRecord(map) ? Object.values(map) : [];
};

const names = (values: unknown): readonly string[] => {
  const map = valueAt(values, "nodeGroups");
  return isRecord(map) ? Object.keys(map) : [];
};

export const computePlane: readonly Deviation[] = [
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => names(values).some((name) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)),
    test: "refuses a group whose name no object can have",
    reason: "A group whose name no object can have is refused; upstream's cluster never got its nodes.",
  },
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

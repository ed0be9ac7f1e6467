/**
 * Where vm-disk differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

/** One of upstream's hook objects. */
const hook = (kind: string): Deviation => ({
  class: "hook",
  cases: "all",
  object: `${kind}/{release}-volume-resize-hook`,
  only: "missing",
  test: "a size that is larger is asked of the claim",
  reason:
    "The controller asks the claim for its new size by server-side apply; upstream ran a Job before each upgrade.",
});

const names: Readonly<Record<string, readonly [field: string, pattern: RegExp]>> = {
  image: ["name", /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/],
  http: ["url", /^https?:\/\//],
  disk: ["name", /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/],
};

function source(values: unknown): Readonly<Record<string, unknown>> {
  const given = valueAt(values, "source");
  return isRecord(given) ? given : {};
}

function unusable(values: unknown): boolean {
  return Object.entries(names).some(([kind, [field, pattern]]) => {
    const text = valueAt(source(values)[kind], field);
    return typeof text === "string" && !pattern.test(text);
  });
}

export const vmDisk: readonly Deviation[] = [
  hook("batch/v1/Job"),
  hook("v1/ServiceAccount"),
  hook("rbac.authorization.k8s.io/v1/Role"),
  hook("rbac.authorization.k8s.io/v1/RoleBinding"),
  {
    class: "hook",
    cases: "all",
    object: "v1/PersistentVolumeClaim/{release}",
    only: "extra",
    test: "a size that is larger is asked of the claim",
    reason:
      "The new size is an apply to the claim that the DataVolume has made, of this one field; the claim is never created and never deleted by it.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "accepts",
    when: (values) => typeof valueAt(values, "storage") === "number",
    test: "a size that is larger in bytes is asked of the claim",
    reason: "A size given as a number works; upstream failed to compare it with a text once the claim existed.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: "cdi.kubevirt.io/v1beta1/DataVolume/{release}",
    at: "/spec/source",
    only: "extra",
    when: (values) => Object.keys(source(values)).length === 1,
    test: "a source that does not exist is an unknown field: the disk is blank",
    reason:
      "A source that does not exist is reported as an unknown field, the disk is blank; upstream rendered no source.",
  },
  {
    class: "design",
    cases: "unseen",
    outcome: "refuses",
    when: unusable,
    test: "refuses an address without a scheme",
    reason:
      "An image or disk whose name cannot be the name of a claim, or an address that is not HTTP, is refused at once, also for a disk that exists already; the importer would never finish.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["source", "storageClass"],
    test: "the server refuses: another source",
    reason:
      "The source and the class of a disk are fixed: it is filled once. Upstream took a change over and ignored it.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["storage"],
    test: "the server refuses: a disk that shrinks",
    reason: "A disk that shrinks is refused; upstream ignored it.",
  },
];

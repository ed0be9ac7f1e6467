/**
 * 47: tenants' clusters whose node groups were merged with a default one that the spec did not name.
 */
import { isRecord, valueAt } from "../../../kube/json.ts";
import type { KubeObject } from "../../../kube/object.ts";
import { Kubernetes } from "../kinds.ts";
import { type Migration, whereServed } from "../migration.ts";
import { editEach } from "../steps.ts";
import type { Edit } from "../writes.ts";

/** The group as the chart made it. */
const md0 = {
  minReplicas: 0,
  maxReplicas: 10,
  instanceType: "u1.medium",
  diskSize: "20Gi",
  storageClass: "",
  roles: ["ingress-nginx"],
  resources: {},
  gpus: [],
  kubelet: {},
} as const;

function edits(cluster: KubeObject): readonly Edit[] {
  const groups = valueAt(cluster, "spec", "nodeGroups");
  if (!isRecord(groups) || Object.hasOwn(groups, "md0")) return [];
  return [{ path: ["spec", "nodeGroups", "md0"], to: md0 }];
}

export const defaultNodeGroup: Migration = {
  id: 47,
  title: "write the default node group md0 into clusters that have it without naming it",
  why: "md0 is no longer merged into clusters that name other node groups: theirs, with its machines, would be deleted",
  where: "clusters whose nodeGroups do not name md0",
  fails: { reads: "closed", writes: "closed" },
  onceDone: { is: "neverAgain", because: "an operator may have removed md0 since" },
  precondition: whereServed(Kubernetes),
  steps: [
    editEach({
      title: "name md0",
      kind: Kubernetes,
      edits,
      because: "it runs md0, and its spec does not say so",
      // What it has is what is written: nothing happens to its machines.
      rules: { otherwise: "none" },
    }),
  ],
};

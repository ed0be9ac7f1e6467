/**
 * 41: the field by which node groups say how large their disk is.
 */
import { isRecord, valueAt } from "../../../kube/json.ts";
import type { KubeObject } from "../../../kube/object.ts";
import { Kubernetes } from "../kinds.ts";
import { type Migration, whereServed } from "../migration.ts";
import { editEach, noticedByNobody } from "../steps.ts";
import type { Edit } from "../writes.ts";

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";

function edits(cluster: KubeObject): readonly Edit[] {
  const groups = valueAt(cluster, "spec", "nodeGroups");
  return Object.entries(isRecord(groups) ? groups : {}).flatMap(([name, group]): readonly Edit[] => {
    if (!isRecord(group) || !Object.hasOwn(group, "ephemeralStorage")) return [];
    const { ephemeralStorage, diskSize } = group;
    const path = ["spec", "nodeGroups", name];
    return [
      ...(isEmpty(diskSize) && !isEmpty(ephemeralStorage)
        ? [{ path: [...path, "diskSize"], to: ephemeralStorage }]
        : []),
      { path: [...path, "ephemeralStorage"], to: undefined },
    ];
  });
}

export const diskSize: Migration = {
  id: 41,
  title: "name the size of node groups' disks by its present field",
  why: "ephemeralStorage is no longer read: new machines would get disks of the default size",
  where: "clusters with ephemeralStorage in a node group",
  fails: { reads: "closed", writes: "open" },
  onceDone: { is: "looksAgain", because: "upstream's stamp moves on over objects that could not be changed" },
  precondition: whereServed(Kubernetes),
  steps: [
    editEach({
      title: "write diskSize instead of ephemeralStorage",
      kind: Kubernetes,
      edits,
      because: "the size of its machines' disks is in a field that is no longer read",
      rules: noticedByNobody,
    }),
  ],
};

/**
 * 46: tenants' clusters of a version that machines can no longer have.
 */
import { valueAt } from "../../../kube/json.ts";
import type { KubeObject } from "../../../kube/object.ts";
import { Kubernetes } from "../kinds.ts";
import { type Migration, whereServed } from "../migration.ts";
import { editEach } from "../steps.ts";
import type { Edit } from "../writes.ts";

/** Where upstream lists clusters that could not be changed, as `namespace/name,...`. */
const failedTenants = "cozystack.io/migration-46-failed-tenants";

function edits(cluster: KubeObject): readonly Edit[] {
  return valueAt(cluster, "spec", "version") === "v1.30" ? [{ path: ["spec", "version"], to: "v1.31" }] : [];
}

export const kubernetesVersion: Migration = {
  id: 46,
  title: "take tenants' clusters from Kubernetes v1.30 to v1.31",
  why: "the machines' system runs v1.31 to v1.36, and a cluster of v1.30 is refused",
  where: "clusters of version v1.30. A Git repository that still says v1.30 takes it back",
  fails: { reads: "closed", writes: "open" },
  onceDone: { is: "looksAgain", because: "upstream's stamp moves on over clusters that could not be changed" },
  precondition: whereServed(Kubernetes),
  steps: [
    editEach({
      title: "set the version",
      kind: Kubernetes,
      edits,
      because: "v1.30 is older than what its machines run",
    }),
  ],
  stampAnnotations(failures) {
    const names = failures.map(({ object }) => `${object.namespace}/${object.name}`);
    return { [failedTenants]: names.length === 0 ? null : names.toSorted().join(",") };
  },
};

/**
 * 51: volumes of metrics and logs, which belong to an application by a label.
 */
import { PersistentVolumeClaim } from "../../../contracts/core.ts";
import { valueAt } from "../../../kube/json.ts";
import type { KubeObject, UnknownObject } from "../../../kube/object.ts";
import type { Cluster } from "../cluster.ts";
import { VLCluster, VMCluster } from "../kinds.ts";
import { type Migration, whereServed } from "../migration.ts";
import { editsOf, label, noticedByNobody } from "../steps.ts";
import type { EditWrite } from "../writes.ts";

const NAME = "apps.cozystack.io/application.name";

/** Components whose pods have volumes, by kind. */
const components = [
  { kind: VMCluster, pods: ["vmstorage", "vmselect"] },
  { kind: VLCluster, pods: ["vlstorage"] },
] as const;

/** Whether a claim is of a cluster's pods: it is named after its template and then the pod. */
function isOf(claim: KubeObject, cluster: string, pods: readonly string[]): boolean {
  const [, before = ""] = /^(.*)-\d+$/.exec(claim.metadata.name) ?? [];
  return pods.some((pod) => before === `${pod}-${cluster}` || before.endsWith(`-${pod}-${cluster}`));
}

async function claimsOf(
  cluster: Cluster,
  object: UnknownObject,
  pods: readonly string[],
): Promise<readonly EditWrite[]> {
  const application = valueAt(object, "spec", "managedMetadata", "labels", NAME);
  const { name, namespace } = object.metadata;
  // Without it, it was made by a user.
  if (typeof application !== "string" || namespace === undefined) return [];
  const claims = await cluster.list(PersistentVolumeClaim, { namespace });
  const own = (claims?.items ?? []).filter((claim) => isOf(claim, name, pods));
  return editsOf(
    { kind: PersistentVolumeClaim, items: own },
    (claim) => label(claim, NAME, application),
    `it is a volume of ${object.kind} ${name}`,
    noticedByNobody,
  );
}

export const monitoringClaims: Migration = {
  id: 51,
  title: "label the volumes of metrics and logs with their application",
  why: "volumes without the label stay behind when the application is deleted, and are not counted as its",
  where: "claims of VMClusters and VLClusters that an application made",
  fails: { reads: "open", writes: "open" },
  onceDone: { is: "looksAgain", because: "upstream takes a list that could not be read for an empty one" },
  precondition: whereServed(VMCluster, VLCluster),
  steps: components.map(({ kind, pods }) => ({
    title: `label claims of ${kind.kind}s`,
    async plan(cluster) {
      const found = await cluster.list(kind);
      const writes: EditWrite[] = [];
      for (const object of found?.items ?? []) writes.push(...(await claimsOf(cluster, object, pods)));
      return writes;
    },
  })),
};

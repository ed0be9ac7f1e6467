/** Objects of an installation, as checks know them. */
import type { Cluster } from "../../src/upgrade/checks/kubernetes-clusters.ts";

/** A tenant's cluster with nothing wrong about it. */
export function clusterOf(given: Partial<Cluster>): Cluster {
  return {
    namespace: "tenant-a",
    name: "prod",
    version: "v1.35",
    storageClass: "replicated",
    nodeGroups: { are: "groups", names: ["md0"] },
    saysUnhealthy: true,
    flux: false,
    imageFactory: undefined,
    reverters: [],
    ...given,
  };
}

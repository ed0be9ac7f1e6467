/**
 * 50: live etcd of the former operator. This version does not hand it over: it refuses to pass it by, so that nobody's stamp says
 * that it was done.
 */
import { MigrationError, nameText } from "../errors.ts";
import { LegacyEtcdCluster } from "../kinds.ts";
import type { Migration } from "../migration.ts";

export const etcdAdoption: Migration = {
  id: 50,
  title: "stop before etcd of the former operator",
  why: "the present operator does not see clusters of etcd.aenix.io: they would run on with nobody to look after them",
  where: "EtcdClusters of etcd.aenix.io. This version does not hand them over; upstream's migration 50 does",
  fails: { reads: "closed", writes: "closed" },
  onceDone: { is: "looksAgain", because: "a cluster that is still the former operator's was not handed over" },
  async precondition(cluster) {
    const found = await cluster.list(LegacyEtcdCluster);
    if (found === undefined)
      return { applies: false, because: "the cluster does not serve etcdclusters.etcd.aenix.io" };
    if (found.items.length === 0) return { applies: false, because: "no etcd cluster of etcd.aenix.io is left" };
    const names = found.items.map(({ metadata: { name, namespace } }) =>
      nameText({
        group: LegacyEtcdCluster.group,
        kind: "EtcdCluster",
        name,
        ...(namespace === undefined ? {} : { namespace }),
      }),
    );
    throw new MigrationError(
      "MigrationRefused",
      `etcd of the former operator is still there: ${names.slice(0, 10).join(", ")}${names.length > 10 ? ` and ${names.length - 10} more` : ""}`,
      "Upgrade upstream to 1.6.2 first: its migration 50 hands these clusters over, after a snapshot. Then begin again.",
    );
  },
  steps: [],
};

/**
 * P14 and P21: groups of machines that tenants' clusters had without ordering them.
 */
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { type Cluster, clusterRef, clustersSource, clusterText, type NodeGroups } from "./kubernetes-clusters.ts";
import { valueIn } from "./source.ts";

const implied = "md0";

const edit = ({ namespace, name }: Cluster): string =>
  `kubectl edit kuberneteses.apps.cozystack.io ${name} -n ${namespace}   # spec.nodeGroups`;

/** Whether migration 47 writes the group into the order. */
const isPinned = (groups: NodeGroups): boolean => groups.are === "groups" && !groups.names.includes(implied);

export const impliedGroupCheck = defineCheck({
  id: "P14",
  title: `The implied node group ${implied}`,
  severity: "blocking",
  why: `Every cluster used to have a group ${implied}, ordered or not. Migration 47 writes it into each order, so that its machines stay; it stops at the first cluster that it cannot understand, and the upgrade with it.`,
  remedy: ["Make spec.nodeGroups of the cluster a map of groups."],
  sources: { clusters: clustersSource },
  classify({ clusters }): Classified {
    const all = valueIn(clusters, []);
    return {
      applies: all.length > 0,
      findings: all
        .filter(({ nodeGroups }) => nodeGroups.are === "noMap")
        .map(
          (cluster): Finding => ({
            object: clusterRef(cluster),
            severity: "blocking",
            what: "has spec.nodeGroups that are no map of groups",
            remedy: [edit(cluster)],
          }),
        ),
      notes: all
        .filter(({ nodeGroups }) => isPinned(nodeGroups))
        .map((cluster) => `${clusterText(cluster)} gets the group ${implied} written into its order`),
    };
  },
});

export const emptyGroupsCheck = defineCheck({
  id: "P21",
  title: "Clusters without node groups",
  severity: "information",
  why: "A new cluster ordered without groups has no machine until the autoscaler makes one, for pods of the ingress controller that wait.",
  remedy: ["Order a group with roles [ingress-nginx] and minReplicas of at least 1 in new clusters."],
  sources: { clusters: clustersSource },
  classify({ clusters }): Classified {
    const all = valueIn(clusters, []);
    return {
      applies: all.length > 0,
      findings: all
        .filter(
          ({ nodeGroups }) =>
            nodeGroups.are === "none" || (nodeGroups.are === "groups" && nodeGroups.names.length === 0),
        )
        .map(
          (cluster): Finding => ({
            object: clusterRef(cluster),
            severity: "information",
            what: "orders no group: one ordered like it after the upgrade begins without a machine",
            remedy: [edit(cluster)],
          }),
        ),
    };
  },
});

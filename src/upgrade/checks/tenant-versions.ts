/**
 * P7: tenants' clusters of a version that 1.6 does not run any more, and who would put it back.
 */
import { kubernetesVersions } from "../../sdk/node-pool/versions.ts";
import { applicationGroup } from "./applications.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { stampSource } from "./installation.ts";
import { type Cluster, clusterRef, clustersSource } from "./kubernetes-clusters.ts";
import { valueIn } from "./source.ts";

const allowed = Object.keys(kubernetesVersions).sort();
/** Migration 46 takes this one to the next. */
const migrated = "v1.30";

function findingOf(cluster: Cluster): Finding {
  const { namespace, name, version = "", reverters } = cluster;
  const patch = `kubectl patch kuberneteses.${applicationGroup} ${name} -n ${namespace} --type merge -p '{"spec":{"version":"${allowed[0]}"}}'`;
  const what = `is on ${version}, and 1.6 runs ${allowed.join(", ")}`;
  if (reverters.length > 0)
    return {
      object: clusterRef(cluster),
      severity: "blocking",
      what: `${what}; whatever changes it here is undone by ${reverters.join(" and ")}`,
      remedy: [`Set spec.version to ${allowed[0]} or newer where ${reverters.join(" and ")} takes it from.`],
    };
  if (version === migrated)
    return {
      object: clusterRef(cluster),
      severity: "warning",
      what: `${what}; migration 46 takes it to ${allowed[0]}, and its machines are replaced`,
      remedy: [patch],
    };
  return { object: clusterRef(cluster), severity: "blocking", what, remedy: [patch] };
}

export const tenantVersionCheck = defineCheck({
  id: "P7",
  title: "Versions of tenants' clusters",
  severity: "blocking",
  why: "1.6 makes nothing of a cluster whose version it does not know. Migration 46 takes v1.30 to v1.31, but a repository that still says v1.30 takes it back.",
  remedy: [
    `Set spec.version of the cluster to ${allowed[0]} or newer, in the repository that it comes from if there is one.`,
  ],
  sources: { clusters: clustersSource, stamp: stampSource },
  classify({ clusters, stamp }): Classified {
    const all = valueIn(clusters, []);
    const left = valueIn(stamp, undefined)?.left ?? [];
    return {
      applies: all.length > 0,
      findings: all.filter(({ version }) => version !== undefined && !allowed.includes(version)).map(findingOf),
      notes: left.map((name) => `migration 46 could not change ${name}`),
    };
  },
});

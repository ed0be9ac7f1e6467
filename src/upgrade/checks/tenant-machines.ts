/**
 * P18 and P20: what becomes of the machines of tenants' clusters.
 */
import { talosDefaults } from "../../sdk/node-pool/versions.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { type Cluster, clusterRef, clustersSource } from "./kubernetes-clusters.ts";
import { platformSource } from "./platform-package.ts";
import { valueIn } from "./source.ts";

const patch = ({ namespace, name }: Cluster, spec: object): string =>
  `kubectl patch kuberneteses.apps.cozystack.io ${name} -n ${namespace} --type merge -p '${JSON.stringify({ spec })}'`;

const former = { nodeHealthCheck: { maxUnhealthy: "0%" } };

export const machineHealthCheck = defineCheck({
  id: "P18",
  title: "Replacement of unhealthy machines",
  severity: "information",
  why: "Unhealthy machines are replaced now as long as no more than half of a group is; before, none ever was.",
  remedy: [`Set spec.nodeHealthCheck.maxUnhealthy of a cluster to "0%" for what was before.`],
  sources: { clusters: clustersSource },
  classify({ clusters }): Classified {
    const all = valueIn(clusters, []);
    return {
      applies: all.length > 0,
      findings: all
        .filter(({ saysUnhealthy }) => !saysUnhealthy)
        .map(
          (cluster): Finding => ({
            object: clusterRef(cluster),
            severity: "information",
            what: "does not say how many machines may be unhealthy: up to half of a group are replaced",
            remedy: [patch(cluster, former)],
          }),
        ),
    };
  },
});

const isPublic = ({ imageFactory }: Cluster): boolean =>
  imageFactory === undefined || imageFactory === talosDefaults.imageFactoryURL;

const mirrored = { talos: { imageFactoryURL: "https://FACTORY", installerRepository: "FACTORY/installer" } };

export const mirrorCheck = defineCheck({
  id: "P20",
  title: "Mirrors of registries for machines",
  severity: "information",
  why: "Mirrors in the platform's configuration no longer reach the machines of tenants' clusters. Where nothing else can be reached, new machines get neither image nor installer.",
  remedy: [
    "Mirror the image and the installer of Talos, and set spec.talos.imageFactoryURL and spec.talos.installerRepository of each cluster.",
  ],
  sources: { platform: platformSource, clusters: clustersSource },
  classify({ platform, clusters }): Classified {
    const mirrors = valueIn(platform, undefined)?.mirrors ?? [];
    const all = valueIn(clusters, []);
    if (mirrors.length === 0 || all.length === 0) return { applies: false };
    return {
      findings: all.filter(isPublic).map(
        (cluster): Finding => ({
          object: clusterRef(cluster),
          severity: "information",
          what: `takes its machines' image from ${talosDefaults.imageFactoryURL}, while the platform mirrors ${mirrors.join(", ")}`,
          remedy: [patch(cluster, mirrored)],
        }),
      ),
    };
  },
});

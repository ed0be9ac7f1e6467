/**
 * Plays FoundationDB's operator: processes as pods with volumes of their own, the file by which clients find them, and backup
 * agents.
 */

import { Deployment } from "../../contracts/apps.ts";
import { FoundationDBBackup, FoundationDBCluster } from "../../contracts/apps-foundationdb-org.ts";
import { ConfigMap, PersistentVolumeClaim, Pod } from "../../contracts/core.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Player, player, type Scene } from "../player.ts";
import { container, isReady, podSpec, upTo } from "./parts.ts";

type Cluster = ReturnType<typeof FoundationDBCluster>;

/** Classes whose processes have a volume. */
const stateful: ReadonlySet<string> = new Set(["storage", "log", "transaction", "coordinator"]);

/** Counts by class. Nobody counts the logs: the operator takes as many as data has copies, and one more. */
function counts({ spec }: Cluster): readonly (readonly [string, number])[] {
  const given: Readonly<Record<string, number>> = { log: 4, ...spec.processCounts };
  return Object.entries(given).map(([name, count]) => [name, Math.max(0, count)]);
}

const labelsOf = ({ spec }: Cluster, processClass: string, id: string) => ({
  ...spec.labels?.matchLabels,
  ...Object.fromEntries((spec.labels?.processClassLabels ?? []).map((key) => [key, processClass])),
  ...Object.fromEntries((spec.labels?.processGroupIDLabels ?? []).map((key) => [key, id])),
});

function processes(cluster: Cluster): readonly KubeObject[] {
  const { name } = cluster.metadata;
  const { podTemplate, volumeClaimTemplate } = cluster.spec.processes?.["general"] ?? {};
  const { resources, storageClassName } = volumeClaimTemplate?.spec ?? {};
  return counts(cluster).flatMap(([processClass, count]) =>
    upTo(count).flatMap((index) => {
      const id = `${processClass}-${index + 1}`;
      const pod = `${name}-${id.replaceAll("_", "-")}`;
      const claim = `${pod}-data`;
      const labels = labelsOf(cluster, processClass, id);
      const hasVolume = stateful.has(processClass);
      const containers = [container("foundationdb", `foundationdb/foundationdb:${cluster.spec.version}`)];
      const volumes = hasVolume ? { volumes: [{ name: "data", persistentVolumeClaim: { claimName: claim } }] } : {};
      return [
        Pod(pod, { labels: { ...podTemplate?.metadata?.labels, ...labels }, spec: podSpec(containers, volumes) }),
        ...(hasVolume
          ? [
              PersistentVolumeClaim(claim, {
                labels,
                spec: {
                  accessModes: ["ReadWriteOnce"],
                  resources: { requests: { storage: resources?.requests?.["storage"] ?? "128G" } },
                  ...(storageClassName === undefined ? {} : { storageClassName }),
                },
              }),
            ]
          : []),
      ];
    }),
  );
}

function connectionString({ metadata: { name, namespace }, spec }: Cluster, scene: Scene): string {
  const host = (index: number) =>
    `${name}-storage-${index + 1}.${name}.${namespace}.svc.${spec.routing?.dnsDomain}:4501`;
  const coordinators = upTo(Math.min(3, spec.processCounts?.storage ?? 3)).map(host);
  return `${name.replaceAll("-", "_")}:${scene.token("generation", 32)}@${coordinators.join(",")}`;
}

const cluster: Player<Cluster> = {
  kind: FoundationDBCluster,
  makes: [Pod, PersistentVolumeClaim, ConfigMap],
  play(object, scene) {
    const { name, generation = 1 } = object.metadata;
    const refuses = scene.behaviour === "refuses";
    const children = refuses ? [] : processes(object);
    const wanted = children.filter(({ kind }) => kind === Pod.kind).length;
    const ready = scene.children(Pod).filter(isReady).length;
    const isWhole = scene.behaviour === "normal" && ready >= wanted;
    const connection = connectionString(object, scene);
    const status = {
      configured: isWhole,
      connectionString: connection,
      runningVersion: object.spec.version,
      desiredProcessGroups: wanted,
      reconciledProcessGroups: ready,
      health: { available: isWhole, fullReplication: isWhole, healthy: isWhole },
      databaseConfiguration: {
        ...object.spec.databaseConfiguration,
        logs: 3,
        proxies: 3,
        resolvers: 1,
        usable_regions: 1,
      },
      // What is not reached keeps the generation that was.
      ...(isWhole ? { generations: { reconciled: generation } } : {}),
    };
    if (refuses) return { children: [], status };
    const file = ConfigMap(`${name}-config`, { data: { "cluster-file": connection } });
    return { children: [file, ...children], status };
  },
};

const backup: Player<ReturnType<typeof FoundationDBBackup>> = {
  kind: FoundationDBBackup,
  makes: [Deployment],
  reads: [FoundationDBCluster],
  play(object, scene) {
    const { name, namespace, generation = 1 } = object.metadata;
    const found = scene.find(FoundationDBCluster, object.spec.clusterName, namespace);
    const labels = { "foundationdb.org/backup-for": name };
    const agents = Deployment(`${name}-backup-agents`, {
      labels,
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec([container("foundationdb", undefined)]) },
      },
    });
    const { readyReplicas = 0 } = scene.children(Deployment)[0]?.status ?? {};
    const runs = scene.behaviour === "normal" && found?.status?.health?.available === true && readyReplicas >= 2;
    const status = {
      agentCount: readyReplicas,
      deploymentConfigured: true,
      backupDetails: { running: runs, restorable: runs },
      ...(runs ? { generations: { reconciled: generation } } : {}),
    };
    return scene.behaviour === "refuses" ? { children: [] } : { children: [agents], status };
  },
};

export const foundationdb = [player(cluster), player(backup)];

/**
 * Plays the Altinity operator: one StatefulSet a host for ClickHouse and for its Keeper, with their Services. Claims are
 * made by the sets and stay when the installation goes.
 */

import type { TemplateClaimSpec, TemplateMetadata, TemplatePodSpec } from "../../contracts/altinity-com.ts";
import { StatefulSet } from "../../contracts/apps.ts";
import { ClickHouseInstallation } from "../../contracts/clickhouse-altinity-com.ts";
import { ClickHouseKeeperInstallation } from "../../contracts/clickhouse-keeper-altinity-com.ts";
import { Service } from "../../contracts/core.ts";
import type { Container } from "../../contracts/pod.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Act, type Player, player, type Scene } from "../player.ts";
import { podSpec, upTo } from "./parts.ts";

/** What the operator's own Service has when no template says otherwise. */
const standardPorts = [
  { name: "http", port: 8123 },
  { name: "tcp", port: 9000 },
] as const;

type Installation = ReturnType<typeof ClickHouseInstallation>;
type Keeper = ReturnType<typeof ClickHouseKeeperInstallation>;

interface Host {
  /** Name of the StatefulSet and of the host's Service. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Templates {
  readonly podTemplates?: readonly {
    readonly name: string;
    readonly metadata?: TemplateMetadata;
    readonly spec: TemplatePodSpec;
  }[];
  readonly volumeClaimTemplates?: readonly {
    readonly name: string;
    readonly metadata?: TemplateMetadata;
    readonly spec: TemplateClaimSpec;
  }[];
}

/** The operator passes the containers on as they are; the twin runs only their names, images and resources. */
function containersOf(spec: TemplatePodSpec): Container[] {
  return spec.containers.flatMap((one) => {
    if (!("name" in one) || typeof one.name !== "string") return [];
    const image = "image" in one && typeof one.image === "string" ? one.image : "twin.invalid/simulated";
    const resources =
      "resources" in one && typeof one.resources === "object" && one.resources !== null ? one.resources : {};
    return [{ name: one.name, image, resources }];
  });
}

function host({ name, labels }: Host, templates: Templates): KubeObject {
  const template = templates.podTemplates?.[0];
  const podLabels = { ...labels, ...template?.metadata?.labels };
  return StatefulSet(name, {
    labels,
    spec: {
      replicas: 1,
      serviceName: name,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: podLabels },
        spec: podSpec(template === undefined ? [] : containersOf(template.spec)),
      },
      volumeClaimTemplates: (templates.volumeClaimTemplates ?? []).map((claim) => ({
        metadata: { name: claim.name, labels: { ...claim.metadata?.labels } },
        spec: { ...claim.spec, accessModes: claim.spec.accessModes },
      })),
    },
  });
}

function statusOf(scene: Scene, hosts: readonly Host[]): object {
  const sets = scene.children(StatefulSet);
  const done = sets.filter((set) => (set.status?.readyReplicas ?? 0) >= 1).length;
  const completed = scene.behaviour === "normal" && done >= hosts.length;
  if (scene.behaviour === "refuses")
    return { status: "Aborted", error: "refused on request", hosts: hosts.length, hostsCompleted: 0 };
  return {
    status: completed ? "Completed" : "InProgress",
    hosts: hosts.length,
    hostsCompleted: Math.min(done, hosts.length),
    pods: hosts.map(({ name }) => `${name}-0`),
  };
}

function act(
  scene: Scene,
  hosts: readonly Host[],
  templates: Templates,
  extra: readonly KubeObject[],
  ports: readonly number[],
): Act {
  const status = statusOf(scene, hosts);
  if (scene.behaviour === "refuses") return { children: [], status };
  const children = hosts.flatMap((one) => [
    host(one, templates),
    Service(one.name, {
      labels: one.labels,
      spec: {
        clusterIP: "None",
        selector: one.labels,
        ports: ports.map((port) => ({ name: `p${port}`, port, protocol: "TCP" })),
      },
    }),
  ]);
  return { children: [...children, ...extra], status };
}

const installation: Player<Installation> = {
  kind: ClickHouseInstallation,
  makes: [StatefulSet, Service],
  play(chi, scene) {
    const { name } = chi.metadata;
    const hosts = (chi.spec.configuration?.clusters ?? []).flatMap((cluster) =>
      upTo(cluster.layout?.shardsCount ?? 1).flatMap((shard) =>
        upTo(cluster.layout?.replicasCount ?? 1).map((replica) => ({
          name: `chi-${name}-${cluster.name}-${shard}-${replica}`,
          labels: {
            "clickhouse.altinity.com/app": "chop",
            "clickhouse.altinity.com/chi": name,
            "clickhouse.altinity.com/cluster": cluster.name,
            "clickhouse.altinity.com/shard": String(shard),
            "clickhouse.altinity.com/replica": String(replica),
          },
        })),
      ),
    );
    const endpoint = chi.spec.templates?.serviceTemplates?.[0];
    const service = Service(endpoint?.generateName?.replaceAll("{chi}", name) ?? `clickhouse-${name}`, {
      labels: { "clickhouse.altinity.com/chi": name, ...endpoint?.metadata?.labels },
      spec: {
        selector: { "clickhouse.altinity.com/chi": name },
        ports: (endpoint?.spec.ports ?? standardPorts).map(({ name: port, port: number }) => ({
          name: port,
          port: number,
          protocol: "TCP",
        })),
      },
    });
    return act(scene, hosts, chi.spec.templates ?? {}, [service], [9000, 8123, 9009]);
  },
};

const keeper: Player<Keeper> = {
  kind: ClickHouseKeeperInstallation,
  makes: [StatefulSet, Service],
  play(chk, scene) {
    const { name } = chk.metadata;
    const hosts = (chk.spec.configuration?.clusters ?? []).flatMap((cluster) =>
      upTo(cluster.layout?.replicasCount ?? 1).map((replica) => ({
        name: `chk-${name}-${cluster.name}-0-${replica}`,
        labels: {
          "clickhouse-keeper.altinity.com/app": "chop",
          "clickhouse-keeper.altinity.com/chk": name,
          "clickhouse-keeper.altinity.com/cluster": cluster.name,
          "clickhouse-keeper.altinity.com/replica": String(replica),
        },
      })),
    );
    const service = Service(`keeper-${name}`, {
      labels: { "clickhouse-keeper.altinity.com/chk": name },
      spec: {
        selector: { "clickhouse-keeper.altinity.com/chk": name },
        ports: [{ name: "zk", port: 2181, protocol: "TCP" }],
      },
    });
    return act(scene, hosts, chk.spec.templates ?? {}, [service], [2181, 9444]);
  },
};

export const clickhouse = [player(installation), player(keeper)];

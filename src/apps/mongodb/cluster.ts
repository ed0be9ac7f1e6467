/** The servers. */
import { Service } from "../../contracts/core.ts";
import { PerconaServerMongoDB } from "../../contracts/psmdb-percona-com.ts";
import { clusterDomain, loadBalancerNodePorts } from "../../sdk/cluster.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { resources } from "../../sdk/resources.ts";
import { backups } from "./backup.ts";
import { clusterLabels, shards } from "./parts.ts";
import type { Input, Spec } from "./spec.ts";
import { users } from "./users.ts";
import { crVersion, images, pmmImage } from "./versions.ts";

/** The operator's Secret with the passwords of its own users. */
export const systemUsersSecret = (release: string): string => `${release}-percona-server-mongodb-users`;

/** What the operator does before the object goes. The second deletes volumes and passwords. */
const inOrder = "percona.com/delete-psmdb-pods-in-order";
const withVolumes = "percona.com/delete-psmdb-pvc";

/** Fewer are no majority when one is missing, or leave no router, and the operator wants to be told that this is meant. */
const safeServers = 3;
const safeRouters = 2;

function volume(spec: Spec, size: string | number) {
  return {
    persistentVolumeClaim: {
      accessModes: ["ReadWriteOnce" as const],
      resources: { requests: { storage: size } },
      ...(spec.storageClass === "" ? {} : { storageClassName: spec.storageClass }),
    },
  };
}

/** No two of a set on one node, and no two of them away at a time. */
const placement = ({ spec, context }: Input) => ({
  resources: resources(spec, context),
  affinity: { antiAffinityTopologyKey: "kubernetes.io/hostname" },
  podDisruptionBudget: { maxUnavailable: 1 },
});

function replsets(input: Input) {
  const { spec } = input;
  const outside = spec.external
    ? { enabled: true, type: "LoadBalancer", externalTrafficPolicy: "Local" }
    : { enabled: false };
  return shards(spec).map(({ name, replicas, size }) => ({
    name,
    size: replicas,
    ...placement(input),
    volumeSpec: volume(spec, size),
    // Of a sharded cluster nobody speaks to the shards themselves.
    ...(spec.sharding ? {} : { expose: outside }),
  }));
}

function sharding(input: Input) {
  const { spec } = input;
  const { configServers, configServerSize, mongos } = spec.shardingConfig;
  if (!spec.sharding) return { enabled: false, balancer: { enabled: true } };
  return {
    enabled: true,
    balancer: { enabled: true },
    configsvrReplSet: { size: configServers, ...placement(input), volumeSpec: volume(spec, configServerSize) },
    mongos: { size: mongos, ...placement(input), expose: { exposeType: "ClusterIP" } },
  };
}

function unsafe(spec: Spec) {
  const { configServers, mongos } = spec.shardingConfig;
  const sizes = [...shards(spec).map(({ replicas }) => replicas), ...(spec.sharding ? [configServers] : [])];
  const few = spec.replicas < safeServers || sizes.some((size) => size < safeServers);
  const flags = {
    ...(few ? { replsetSize: true } : {}),
    ...(spec.sharding && mongos < safeRouters ? { mongosSize: true } : {}),
  };
  return Object.keys(flags).length === 0 ? {} : { unsafeFlags: flags };
}

export function cluster(input: Input): Rendered {
  const { release, spec, context } = input;
  const inServers = users(input);
  return PerconaServerMongoDB(release, {
    metadata: { finalizers: spec.reclaimPolicy === "Retain" ? [inOrder] : [inOrder, withVolumes] },
    spec: {
      crVersion,
      clusterServiceDNSSuffix: `svc.${clusterDomain(context)}`,
      secrets: { users: systemUsersSecret(release) },
      pause: false,
      unmanaged: false,
      image: images[spec.version],
      imagePullPolicy: "IfNotPresent",
      ...unsafe(spec),
      updateStrategy: "SmartUpdate",
      upgradeOptions: { apply: "disabled" },
      // Otherwise volumes never grow.
      storageScaling: { enableVolumeScaling: true },
      pmm: { enabled: false, image: pmmImage, serverHost: "" },
      sharding: sharding(input),
      replsets: replsets(input),
      ...(inServers.length === 0 ? {} : { users: inServers }),
      backup: backups(input),
    },
  });
}

export const externalService = (release: string): string => `${release}-external`;

/** The way to the routers from outside. Servers that are not sharded have one each, made by the operator. */
export function routers({ release, spec, context }: Input): readonly Rendered[] {
  if (!spec.external || !spec.sharding) return [];
  return [
    Service(externalService(release), {
      spec: {
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        ...(loadBalancerNodePorts(context) ? {} : { allocateLoadBalancerNodePorts: false }),
        ports: [{ name: "mongodb", port: 27017 }],
        selector: { ...clusterLabels(release), "app.kubernetes.io/component": "mongos" },
      },
    }),
  ];
}

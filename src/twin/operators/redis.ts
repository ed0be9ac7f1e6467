/**
 * Plays the Redis operator: a StatefulSet of servers, a Deployment of sentinels, and the Services. It reports no status,
 * as the real one; the master is the first server.
 */
import { Deployment, StatefulSet } from "../../contracts/apps.ts";
import { Pod, Service } from "../../contracts/core.ts";
import { RedisFailover } from "../../contracts/databases-spotahome-com.ts";
import type { ClaimSpec } from "../../contracts/pod.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Player, player } from "../player.ts";
import { container, podSpec } from "./parts.ts";

type Failover = ReturnType<typeof RedisFailover>;

function labelsOf(failover: Failover, component: "redis" | "sentinel"): Record<string, string> {
  return {
    ...failover.metadata.labels,
    "app.kubernetes.io/component": component,
    "app.kubernetes.io/managed-by": "redis-operator",
    "app.kubernetes.io/name": failover.metadata.name,
    "app.kubernetes.io/part-of": "redis-failover",
    "redisfailovers.databases.spotahome.com/name": failover.metadata.name,
  };
}

function servers(failover: Failover): KubeObject {
  const { name } = failover.metadata;
  const redis = failover.spec.redis ?? {};
  const labels = labelsOf(failover, "redis");
  const claim = redis.storage?.persistentVolumeClaim;
  return StatefulSet(`rfr-${name}`, {
    labels,
    spec: {
      serviceName: `rfr-${name}`,
      replicas: redis.replicas ?? 3,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: labels },
      // A claim goes with the set unless the user keeps it, as with the real operator's owner references.
      persistentVolumeClaimRetentionPolicy: {
        whenDeleted: redis.storage?.keepAfterDeletion === true ? "Retain" : "Delete",
        whenScaled: "Retain",
      },
      template: {
        metadata: { labels },
        spec: podSpec([
          container("redis", redis.image, redis.resources === undefined ? {} : { resources: redis.resources }),
        ]),
      },
      ...(claim === undefined
        ? {}
        : {
            volumeClaimTemplates: [
              {
                metadata: { name: claim.metadata?.name ?? "data", labels: { ...claim.metadata?.labels } },
                spec: claimSpec(claim.spec ?? {}),
              },
            ],
          }),
    },
  });
}

type Template = NonNullable<
  NonNullable<NonNullable<NonNullable<Failover["spec"]["redis"]>["storage"]>["persistentVolumeClaim"]>["spec"]
>;

function claimSpec({ accessModes = ["ReadWriteOnce"], resources = {}, storageClassName }: Template): ClaimSpec {
  return { accessModes, resources, ...(storageClassName === undefined ? {} : { storageClassName }) };
}

function sentinels(failover: Failover): KubeObject {
  const sentinel = failover.spec.sentinel ?? {};
  const labels = labelsOf(failover, "sentinel");
  return Deployment(`rfs-${failover.metadata.name}`, {
    labels,
    spec: {
      replicas: sentinel.replicas ?? 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: podSpec([
          container(
            "sentinel",
            sentinel.image,
            sentinel.resources === undefined ? {} : { resources: sentinel.resources },
          ),
        ]),
      },
    },
  });
}

function services(failover: Failover): KubeObject[] {
  const { name } = failover.metadata;
  const redis = labelsOf(failover, "redis");
  const port = { name: "redis", port: 6379, targetPort: "redis", protocol: "TCP" } as const;
  return [
    Service(`rfs-${name}`, {
      labels: labelsOf(failover, "sentinel"),
      spec: {
        selector: labelsOf(failover, "sentinel"),
        ports: [{ name: "sentinel", port: 26379, targetPort: 26379, protocol: "TCP" }],
      },
    }),
    Service(`rfrm-${name}`, {
      labels: redis,
      spec: { selector: { ...redis, "redisfailovers-role": "master" }, ports: [port] },
    }),
    Service(`rfrs-${name}`, {
      labels: redis,
      spec: { selector: { ...redis, "redisfailovers-role": "slave" }, ports: [port] },
    }),
  ];
}

const failover: Player<Failover> = {
  kind: RedisFailover,
  makes: [StatefulSet, Deployment, Service],
  play(object, scene) {
    if (scene.behaviour === "refuses") return { children: [] };
    return { children: [servers(object), sentinels(object), ...services(object)] };
  },
};

/** The operator marks the master's pod and the replicas' pods; the Services select by that mark. */
const role: Player<ReturnType<typeof Pod>> = {
  kind: Pod,
  makes: [],
  play(pod) {
    const set = pod.metadata.labels?.["redisfailovers.databases.spotahome.com/name"];
    if (set === undefined || pod.metadata.labels?.["app.kubernetes.io/component"] !== "redis") return { children: [] };
    return {
      children: [],
      labels: { "redisfailovers-role": pod.metadata.name === `rfr-${set}-0` ? "master" : "slave" },
    };
  },
};

export const redis = [player(failover), player(role)];

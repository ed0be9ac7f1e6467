/** A pool's machines: how many, from what, and when an ill one is replaced. */
import { MachineDeployment, MachineHealthCheck } from "../../contracts/cluster-x-k8s-io.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Monitor } from "../app.ts";
import { type NodePool, poolName, roleLabels } from "./pool.ts";
import type { Capacity } from "./sizes.ts";
import { kubernetesVersions } from "./versions.ts";

const autoscaler = "cluster.x-k8s.io";

const labelsOf = (pool: NodePool) => ({
  "cluster.x-k8s.io/cluster-name": pool.cluster,
  "cluster.x-k8s.io/deployment-name": poolName(pool),
});

/**
 * The MachineDeployment, without a number of machines: that is the autoscaler's, and Cluster API begins with the least one.
 * `template`: name of the machines' template.
 */
export function machineDeployment(pool: NodePool, template: string, capacity: Capacity): KubeObject {
  const name = poolName(pool);
  const { namespace } = pool;
  const labels = labelsOf(pool);
  return MachineDeployment(name, {
    namespace,
    annotations: {
      [`${autoscaler}/cluster-api-autoscaler-node-group-min-size`]: String(pool.minReplicas),
      [`${autoscaler}/cluster-api-autoscaler-node-group-max-size`]: String(pool.maxReplicas),
      [`${autoscaler}/autoscaling-options-maxnodeprovisiontime`]: pool.maxNodeProvisionTime,
      ...(capacity.memory === undefined ? {} : { "capacity.cluster-autoscaler.kubernetes.io/memory": capacity.memory }),
      ...(capacity.cpu === undefined ? {} : { "capacity.cluster-autoscaler.kubernetes.io/cpu": capacity.cpu }),
    },
    spec: {
      clusterName: pool.cluster,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: pool.maxReplicas, maxUnavailable: 1 } },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...labels, ...roleLabels(pool.roles) } },
        spec: {
          clusterName: pool.cluster,
          bootstrap: {
            configRef: {
              apiVersion: "bootstrap.cluster.x-k8s.io/v1alpha3",
              kind: "TalosConfigTemplate",
              name,
              namespace,
            },
          },
          infrastructureRef: {
            apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha1",
            kind: "KubevirtMachineTemplate",
            name: template,
            namespace,
          },
          version: kubernetesVersions[pool.version],
        },
      },
    },
  });
}

export function machineHealthCheck(pool: NodePool): KubeObject {
  const { maxUnhealthy } = pool;
  return MachineHealthCheck(poolName(pool), {
    namespace: pool.namespace,
    spec: {
      clusterName: pool.cluster,
      // A plain number as a text is refused by Cluster API.
      maxUnhealthy: maxUnhealthy.endsWith("%") ? maxUnhealthy : Number(maxUnhealthy),
      nodeStartupTimeout: pool.nodeStartupTimeout,
      selector: { matchLabels: labelsOf(pool) },
      unhealthyConditions: [
        { type: "Ready", status: "Unknown", timeout: pool.readyUnknownTimeout },
        { type: "Ready", status: "False", timeout: pool.readyFalseTimeout },
      ],
    },
  });
}

/** Machines that count: those that Cluster API's provider made. */
export function poolMonitor(pool: Pick<NodePool, "cluster" | "name" | "minReplicas">): Monitor {
  const name = poolName(pool);
  return {
    name,
    kind: "kubernetes",
    type: "worker",
    minReplicas: pool.minReplicas,
    withNamespace: true,
    selector: {
      "cluster.x-k8s.io/cluster-name": pool.cluster,
      "cluster.x-k8s.io/deployment-name": name,
      "cluster.x-k8s.io/role": "worker",
    },
  };
}

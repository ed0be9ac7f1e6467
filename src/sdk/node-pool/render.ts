/** A pool's objects, and what others need to know of it. */
import { TalosConfigTemplate } from "../../contracts/bootstrap-cluster-x-k8s-io.ts";
import type { KubeObject } from "../../kube/object.ts";
import { checkName } from "../names.ts";
import { checkPool } from "./checks.ts";
import type { PoolsLive } from "./live.ts";
import { machineTemplate, templateName } from "./machine-template.ts";
import { machineDeployment, machineHealthCheck } from "./machines.ts";
import { type NodePool, poolName } from "./pool.ts";
import { machineSize, reserve } from "./sizes.ts";
import { type ClusterAccess, talosConfigTemplate } from "./talos-config.ts";

/** What Kubernetes allows for the value of a label. */
const labelLimit = 63;

/** Template, deployment and health check of the machines. Refuses what makes no machines. */
export function poolMachines(pool: NodePool, live: PoolsLive): readonly KubeObject[] {
  checkName(poolName(pool), "DNS-1123 label", "the name of the machines", pool.field, labelLimit);
  const type = live.instanceTypes[pool.name];
  checkPool(pool, type !== undefined);
  const { capacity } = reserve(pool, machineSize(pool, type));
  return [machineTemplate(pool), machineDeployment(pool, templateName(pool), capacity), machineHealthCheck(pool)];
}

/**
 * The configuration with which machines start, once it is known how they reach their control plane. One that is there already
 * stays as it is while that is not known: machines that start need it.
 */
export function poolConfiguration(
  pool: NodePool,
  live: PoolsLive,
  access: ClusterAccess | undefined,
): readonly KubeObject[] {
  if (access !== undefined) {
    const { reservations } = reserve(pool, machineSize(pool, live.instanceTypes[pool.name]));
    return [talosConfigTemplate(pool, access, reservations)];
  }
  const configuration = live.configurations[pool.name];
  if (configuration === undefined) return [];
  return [TalosConfigTemplate(poolName(pool), { namespace: pool.namespace, spec: configuration.spec })];
}

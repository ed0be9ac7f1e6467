/**
 * What a pool must know of the cluster: how large its machines are, how they reach their control plane, and which templates
 * are still in use.
 */
import { TalosConfigTemplate } from "../../contracts/bootstrap-cluster-x-k8s-io.ts";
import { MachineDeployment, MachineSet } from "../../contracts/cluster-x-k8s-io.ts";
import { Secret, Service } from "../../contracts/core.ts";
import { KubevirtMachine, KubevirtMachineTemplate } from "../../contracts/infrastructure-cluster-x-k8s-io.ts";
import { VirtualMachineClusterInstancetype } from "../../contracts/instancetype-kubevirt-io.ts";
import { matching, optional, type Resolved } from "../needs.ts";
import { instanceTypeOf, type NodePool, poolName } from "./pool.ts";
import type { ClusterAccess } from "./talos-config.ts";

/** Of all pools that an application has, by their names. */
export function poolNeeds(pools: readonly NodePool[]) {
  const each = <T>(need: (pool: NodePool) => T) => Object.fromEntries(pools.map((pool) => [pool.name, need(pool)]));
  const types = pools.flatMap((pool) => {
    const type = instanceTypeOf(pool);
    return type === undefined ? [] : [[pool.name, optional(VirtualMachineClusterInstancetype, type)] as const];
  });
  return {
    instanceTypes: Object.fromEntries(types),
    deployments: each((pool) => optional(MachineDeployment, poolName(pool))),
    configurations: each((pool) => optional(TalosConfigTemplate, poolName(pool))),
  };
}

/** Once for a cluster, named by its Cluster API name. */
export function clusterNeeds(cluster: string) {
  return {
    service: optional(Service, cluster),
    machineAuthority: optional(Secret, `${cluster}-talos-ca`),
    clusterAuthority: optional(Secret, `${cluster}-ca`),
    nameserver: optional(Service, "kube-dns", { namespace: "kube-system" }),
    templates: matching(KubevirtMachineTemplate, {}),
    sets: matching(MachineSet, { "cluster.x-k8s.io/cluster-name": cluster }),
    machines: matching(KubevirtMachine, { "cluster.x-k8s.io/cluster-name": cluster }),
  };
}

export type ClusterLive = Resolved<ReturnType<typeof clusterNeeds>>;
export type PoolsLive = Resolved<ReturnType<typeof poolNeeds>>;

const addressOf = (service: ClusterLive["service"]): string | undefined => {
  const address = service?.spec?.clusterIP;
  return address === undefined || address === "" || address === "None" ? undefined : address;
};

/** Address of the control plane's Service; undefined until there is one. */
export const controlPlaneAddress = ({ service }: ClusterLive): string | undefined => addressOf(service);

/** Texts that machines and control plane share. */
export type TalosSecrets = Pick<ClusterAccess, "token" | "clusterId" | "clusterSecret" | "bootstrapToken">;

/** How machines reach their control plane; undefined until all of it is there. */
export function clusterAccess(live: ClusterLive, secrets: TalosSecrets | undefined): ClusterAccess | undefined {
  const address = controlPlaneAddress(live);
  const nameserver = addressOf(live.nameserver);
  const machineAuthority = live.machineAuthority?.data?.["tls.crt"];
  const clusterAuthority = live.clusterAuthority?.data?.["ca.crt"];
  if (secrets === undefined || address === undefined || nameserver === undefined) return undefined;
  if (!machineAuthority || !clusterAuthority) return undefined;
  return { ...secrets, address, nameserver, machineAuthority, clusterAuthority };
}

/** The configuration with which a pool's machines start. */
import { stringify } from "yaml";
import { TalosConfigTemplate } from "../../contracts/bootstrap-cluster-x-k8s-io.ts";
import type { KubeObject } from "../../kube/object.ts";
import { clusterDomain } from "../cluster.ts";
import { type NodePool, poolName } from "./pool.ts";
import type { Reservations } from "./sizes.ts";
import { kubernetesVersions, podSubnet, serviceSubnet } from "./versions.ts";

/** What the cluster's control plane says to its machines. */
export interface ClusterAccess {
  /** Address of the control plane's Service. */
  readonly address: string;
  /** Address of the DNS Service of the cluster that the machines run in. */
  readonly nameserver: string;
  /** Certificates of the two authorities, base64 of PEM. */
  readonly machineAuthority: string;
  readonly clusterAuthority: string;
  readonly token: string;
  readonly clusterId: string;
  readonly clusterSecret: string;
  readonly bootstrapToken: string;
}

/** DNS names of the control plane's Service. */
export const controlPlaneNames = ({ cluster, namespace }: Pick<NodePool, "cluster" | "namespace">) => {
  const name = `${cluster}.${namespace}.svc`;
  return [name, `${name}.cluster.local`] as const;
};

function searchDomains(pool: NodePool): readonly string[] {
  const domain = clusterDomain(pool.context);
  const own = [`svc.${domain}`, domain];
  return domain === "cluster.local" ? own : [...own, "svc.cluster.local", "cluster.local"];
}

function kubelet({ kubelet: settings, version }: NodePool, reservations: Reservations): object {
  const { evictionHardMemory, evictionSoftMemory } = settings;
  return {
    image: `ghcr.io/siderolabs/kubelet:${kubernetesVersions[version]}`,
    extraConfig: {
      ...reservations,
      evictionHard: {
        "memory.available": evictionHardMemory,
        "nodefs.available": "10%",
        "imagefs.available": "15%",
        "nodefs.inodesFree": "5%",
      },
      evictionSoft: { "memory.available": evictionSoftMemory, "nodefs.available": "15%", "imagefs.available": "20%" },
      evictionSoftGracePeriod: {
        "memory.available": "1m30s",
        "nodefs.available": "1m30s",
        "imagefs.available": "1m30s",
      },
      evictionMinimumReclaim: { "memory.available": "256Mi" },
    },
  };
}

function machine(pool: NodePool, access: ClusterAccess, reservations: Reservations): object {
  const { talos } = pool;
  const mirrors = talos.registryMirrors;
  return {
    type: "worker",
    token: access.token,
    network: {
      nameservers: [access.nameserver],
      searchDomains: searchDomains(pool),
      extraHostEntries: [{ ip: access.address, aliases: controlPlaneNames(pool) }],
    },
    ca: { crt: access.machineAuthority },
    ...(pool.gpus.length === 0 ? {} : { nodeLabels: { gpu: "on" } }),
    kubelet: kubelet(pool, reservations),
    install: {
      disk: "/dev/vda",
      image: `${talos.installerRepository.replace(/\/$/, "")}/${talos.schematicID}:${talos.version}`,
      wipe: false,
    },
    features: { rbac: true, kubePrism: { enabled: false } },
    ...(Object.keys(mirrors).length === 0 ? {} : { registries: { mirrors } }),
  };
}

/** The machine configuration, as a value. */
export function machineConfig(pool: NodePool, access: ClusterAccess, reservations: Reservations): object {
  return {
    version: "v1alpha1",
    persist: true,
    machine: machine(pool, access, reservations),
    cluster: {
      id: access.clusterId,
      secret: access.clusterSecret,
      clusterName: pool.cluster,
      controlPlane: { endpoint: `https://${controlPlaneNames(pool)[0]}:6443` },
      network: { dnsDomain: "cluster.local", podSubnets: [podSubnet], serviceSubnets: [serviceSubnet] },
      token: access.bootstrapToken,
      ca: { crt: access.clusterAuthority },
      discovery: { enabled: true, registries: { kubernetes: { disabled: true }, service: { disabled: true } } },
    },
  };
}

/** The object that the pool's MachineDeployment names. Whatever a tenant writes is text in it. */
export function talosConfigTemplate(pool: NodePool, access: ClusterAccess, reservations: Reservations): KubeObject {
  return TalosConfigTemplate(poolName(pool), {
    namespace: pool.namespace,
    spec: {
      template: {
        spec: {
          generateType: "none",
          talosVersion: pool.talos.version,
          data: stringify(machineConfig(pool, access, reservations), { lineWidth: 0 }),
        },
      },
    },
  });
}

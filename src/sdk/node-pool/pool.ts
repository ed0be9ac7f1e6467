/**
 * A pool of worker machines, as both the cluster and the pool on its own describe it: the same description makes the same
 * objects, so that a pool can move between the two without a machine noticing.
 */
import type { AppContext } from "../context.ts";
import type { KubernetesVersion } from "./versions.ts";

export interface KubeletSettings {
  readonly systemReservedMemory?: string;
  readonly kubeReservedMemory?: string;
  readonly systemReservedCpu?: string;
  readonly kubeReservedCpu?: string;
  /** A percentage of the machine's memory, or an amount. */
  readonly evictionHardMemory: string;
  readonly evictionSoftMemory: string;
}

export interface TalosSettings {
  readonly version: string;
  readonly schematicID: string;
  readonly imageFactoryURL: string;
  readonly installerRepository: string;
  readonly registryMirrors: Readonly<Record<string, unknown>>;
}

export interface NodePool {
  /** Name of the Cluster API cluster; the pool's objects are named after it. */
  readonly cluster: string;
  /** Name of the application of kind Kubernetes, to which machines are attributed. */
  readonly application: string;
  readonly name: string;
  readonly namespace: string;
  /** Path of the pool's fields in the specification, for refusals: `spec` or `spec.nodeGroups.NAME`. */
  readonly field: string;
  readonly context: AppContext;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly instanceType: string;
  readonly diskSize: string;
  /** Empty: none is named. */
  readonly storageClass: string;
  readonly roles: readonly string[];
  readonly resources: { readonly cpu?: string | number; readonly memory?: string | number };
  readonly podCpuLimit?: string | number;
  readonly podCpuRequest?: string | number;
  readonly gpus: readonly { readonly name: string }[];
  readonly kubelet: KubeletSettings;
  readonly logSerialConsole: boolean;
  readonly maxUnhealthy: string;
  readonly nodeStartupTimeout: string;
  readonly readyUnknownTimeout: string;
  readonly readyFalseTimeout: string;
  readonly maxNodeProvisionTime: string;
  readonly version: KubernetesVersion;
  readonly talos: TalosSettings;
}

/** Name of the pool's MachineDeployment, health check and configuration, and beginning of its machines' names. */
export const poolName = ({ cluster, name }: Pick<NodePool, "cluster" | "name">): string => `${cluster}-${name}`;

const given = (value: string | number | undefined): value is string | number => value !== undefined && value !== "";

/** Whether cpu and memory are said explicitly: then the instance type counts for nothing. */
export const isSizedByResources = ({ resources }: Pick<NodePool, "resources">): boolean =>
  given(resources.cpu) && given(resources.memory);

/** The instance type that machines use; undefined: none. */
export function instanceTypeOf(pool: Pick<NodePool, "resources" | "instanceType">): string | undefined {
  return pool.instanceType === "" || isSizedByResources(pool) ? undefined : pool.instanceType;
}

/** `node-role.kubernetes.io/ROLE` for each role. */
export function roleLabels(roles: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(roles.map((role) => [`node-role.kubernetes.io/${role}`, ""]));
}

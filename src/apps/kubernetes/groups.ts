/** The groups of machines that a cluster has. */
import { kubeletOf } from "../../sdk/node-pool/fields.ts";
import type { NodePool } from "../../sdk/node-pool/pool.ts";
import { type Group, groupDefaults, type Input } from "./spec.ts";

/** The group of a cluster whose user names none. */
const implicit: Readonly<Record<string, Group>> = { md0: { roles: ["ingress-nginx"] } };

function poolOf(name: string, given: Group, { release, name: application, namespace, spec, context }: Input): NodePool {
  const { storageClass = "", podCpuLimit, podCpuRequest } = given;
  const { nodeHealthCheck: check } = spec;
  return {
    cluster: release,
    application,
    name,
    namespace,
    field: `spec.nodeGroups.${name}`,
    context,
    minReplicas: given.minReplicas ?? groupDefaults.minReplicas,
    maxReplicas: given.maxReplicas ?? groupDefaults.maxReplicas,
    instanceType: given.instanceType ?? groupDefaults.instanceType,
    diskSize: String(given.diskSize ?? groupDefaults.diskSize),
    storageClass: storageClass === "" ? spec.storageClass : storageClass,
    roles: given.roles ?? [],
    resources: given.resources ?? {},
    ...(podCpuLimit === undefined ? {} : { podCpuLimit }),
    ...(podCpuRequest === undefined ? {} : { podCpuRequest }),
    gpus: given.gpus ?? [],
    kubelet: kubeletOf(given.kubelet),
    logSerialConsole: given.logSerialConsole ?? false,
    maxUnhealthy: given.maxUnhealthy ?? check.maxUnhealthy,
    nodeStartupTimeout: given.nodeStartupTimeout ?? check.nodeStartupTimeout,
    readyUnknownTimeout: check.readyUnknownTimeout,
    readyFalseTimeout: check.readyFalseTimeout,
    maxNodeProvisionTime: spec.maxNodeProvisionTime,
    version: spec.version,
    talos: spec.talos,
  };
}

/** In order of their names. Groups of the user's never mix with the one there is without. */
export function poolsOf(input: Input): readonly NodePool[] {
  const { nodeGroups } = input.spec;
  const groups = Object.keys(nodeGroups).length === 0 ? implicit : nodeGroups;
  return Object.entries(groups)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, given]) => poolOf(name, given, input));
}

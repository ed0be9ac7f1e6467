/** What a tenant says about its ComputePlane. */
import { type Static, Type } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { appSpec, integer, listOf, mapOf, open, passedOn, quantity, rule, text } from "../../sdk/spec.ts";

/** What a group has that leaves it out. Where one is written, it is handed on with nothing filled in. */
export const groupDefaults = { minReplicas: 0, maxReplicas: 10, instanceType: "u1.medium", diskSize: "20Gi" } as const;

export const ingressRole = "ingress-nginx";

export const noIngress = `one of the groups must have the role ${ingressRole} and maxReplicas of at least 1`;

const reserved = (what: string) => text({ maxLength: 64, description: what });

const gpu = passedOn(
  open({ name: text({ required: true, maxLength: 253, options: "gpu", description: "Resource." }) }),
);

const kubelet = passedOn(
  open(
    {
      systemReservedMemory: reserved("Memory for the system."),
      kubeReservedMemory: reserved("Memory for Kubernetes."),
      systemReservedCpu: reserved("CPU for the system."),
      kubeReservedCpu: reserved("CPU for Kubernetes."),
      evictionHardMemory: reserved("Free memory below which pods are evicted at once, such as 7%."),
      evictionSoftMemory: reserved("Free memory below which pods are evicted after a while, such as 10%."),
    },
    { description: "Settings of the kubelet." },
  ),
);

const resources = passedOn(
  open(
    { cpu: quantity({ description: "CPU." }), memory: quantity({ description: "Memory." }) },
    { description: "Size of each node where no instance type is given." },
  ),
);

const nodeGroup = passedOn(
  open({
    minReplicas: integer({ description: `Least number of nodes. Absent: ${groupDefaults.minReplicas}.` }),
    maxReplicas: integer({ description: `Greatest number of nodes. Absent: ${groupDefaults.maxReplicas}.` }),
    instanceType: text({
      maxLength: 253,
      options: "instancetype",
      description: `Size of the nodes. Absent: ${groupDefaults.instanceType}.`,
    }),
    diskSize: quantity({ description: `Disk of each node. Absent: ${groupDefaults.diskSize}.` }),
    roles: listOf(Type.String({ maxLength: 253 }), {
      optional: true,
      maxItems: 32,
      description: `What the nodes are for. One group has to have ${ingressRole}.`,
    }),
    gpus: listOf(gpu, {
      optional: true,
      maxItems: 32,
      description: "Graphics processors of each node.",
    }),
    kubelet: Type.Optional(kubelet),
    resources: Type.Optional(resources),
    storageClass: text({ maxLength: 253, options: "storageclass", description: "StorageClass of the nodes' disks." }),
  }),
);

/** Names of groups are parts of names of objects. */
const groupName = "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$";

export const ComputePlaneSpec = appSpec(
  {
    nodeGroups: mapOf(nodeGroup, {
      maxProperties: 64,
      keyPattern: groupName,
      description: "Groups of worker nodes by name, instead of the one that there is without.",
    }),
  },
  [
    rule({
      path: "nodeGroups",
      rule: `self.size() == 0 || self.exists(name, has(self[name].roles) && '${ingressRole}' in self[name].roles && (!has(self[name].maxReplicas) || self[name].maxReplicas >= 1))`,
      message: noIngress,
    }),
  ],
);

export type Spec = Static<typeof ComputePlaneSpec.schema>;
export type Input = AppInput<Spec>;

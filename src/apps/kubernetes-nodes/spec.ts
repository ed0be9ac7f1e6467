/** What a user says about a pool of machines. */
import type { Static } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import {
  commonFields,
  gpuList,
  imageField,
  kubeletFields,
  machineResources,
  role,
  roles,
  talosFields,
} from "../../sdk/node-pool/fields.ts";
import { kubernetesVersions } from "../../sdk/node-pool/versions.ts";
import { appSpec, flag, group, listOf, oneOf, quantity, replicas, storageClassName, text } from "../../sdk/spec.ts";

const duration = (value: string, description: string) => text({ default: value, maxLength: 64, description });

export const KubernetesNodesSpec = appSpec({
  cluster: text({
    default: "",
    maxLength: 253,
    description: "Name of the Kubernetes that the machines belong to. The pool is named CLUSTER-POOL.",
  }),
  storageClass: storageClassName({ default: "replicated", description: "StorageClass of the machines' disks." }),
  minReplicas: replicas({ default: 0, description: "Least number of machines." }),
  maxReplicas: replicas({ default: 10, description: "Greatest number of machines." }),
  instanceType: text({
    default: "u1.medium",
    maxLength: 253,
    options: "instancetype",
    description: "Size of the machines. Empty: as `resources` says.",
  }),
  diskSize: quantity({ default: "20Gi", description: "Disk of each machine. Another size makes new machines." }),
  roles: listOf(role, roles),
  resources: machineResources,
  ...commonFields,
  gpus: listOf(gpuList.item, gpuList.options),
  kubelet: kubeletFields,
  logSerialConsole: flag({ default: false, description: "Show the machines' console in the logs of their pods." }),
  maxUnhealthy: text({
    default: "50%",
    maxLength: 16,
    description: "Up to how many machines may be ill for ill ones to be replaced: a number, or a percentage.",
  }),
  nodeStartupTimeout: duration("20m", "After what time a machine that has not joined is replaced."),
  readyUnknownTimeout: duration("5m", "After what time a machine that says nothing is replaced."),
  readyFalseTimeout: duration("10m", "After what time a machine that is not ready is replaced."),
  maxNodeProvisionTime: duration("30m", "How long the autoscaler waits for a machine."),
  version: oneOf(kubernetesVersions, { default: "v1.35", description: "Version of Kubernetes: that of the cluster." }),
  talos: talosFields,
  images: group(
    { kubectl: imageField("of kubectl, which is no longer used") },
    { description: "Images instead of those that this release names." },
  ),
});

export type Spec = Static<typeof KubernetesNodesSpec.schema>;
export type Input = AppInput<Spec>;

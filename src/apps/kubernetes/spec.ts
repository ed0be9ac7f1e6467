/** What a user says about a Kubernetes cluster. */
import { type Static, Type } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import {
  commonFields,
  gpuList,
  imageField,
  optionalKubelet,
  optionalResources,
  role,
  roles,
  talosFields,
} from "../../sdk/node-pool/fields.ts";
import { kubernetesVersions } from "../../sdk/node-pool/versions.ts";
import {
  appSpec,
  flag,
  group,
  immutable,
  integer,
  listOf,
  mapOf,
  oneOf,
  open,
  quantity,
  replicas,
  sizing,
  storageClassName,
  text,
} from "../../sdk/spec.ts";
import { addonFields } from "./addons/fields.ts";

/** What a group has that leaves it out. */
export const groupDefaults = { minReplicas: 0, maxReplicas: 10, instanceType: "u1.medium", diskSize: "20Gi" } as const;

/** Former name of a field. Without this it would be an unknown one, and ignored. */
const retired = Type.Optional(
  Type.Unsafe<string | number>({
    "x-kubernetes-int-or-string": true,
    description: "Is called diskSize.",
    "x-kubernetes-validations": [{ rule: "false", message: "ephemeralStorage is called diskSize: rename it" }],
  }),
);

const nodeGroup = open({
  minReplicas: integer({
    minimum: 0,
    description: `Least number of machines. Absent: ${groupDefaults.minReplicas}.`,
  }),
  maxReplicas: integer({
    minimum: 0,
    description: `Greatest number of machines. Absent: ${groupDefaults.maxReplicas}.`,
  }),
  instanceType: text({
    maxLength: 253,
    options: "instancetype",
    description: `Size of the machines. Absent: ${groupDefaults.instanceType}. Empty: as \`resources\` says.`,
  }),
  diskSize: quantity({
    description: `Disk of each machine. Absent: ${groupDefaults.diskSize}. Another size makes new machines.`,
  }),
  ephemeralStorage: retired,
  storageClass: text({
    maxLength: 253,
    options: "storageclass",
    description: "StorageClass of the machines' disks. Absent or empty: that of the cluster.",
  }),
  roles: listOf(role, { ...roles, optional: true }),
  resources: optionalResources,
  ...commonFields,
  gpus: listOf(gpuList.item, { ...gpuList.options, optional: true }),
  kubelet: optionalKubelet,
  logSerialConsole: flag({ description: "Show the machines' console in the logs of their pods." }),
  maxUnhealthy: text({ maxLength: 16, description: "As in `nodeHealthCheck`, for this group." }),
  nodeStartupTimeout: text({ maxLength: 64, description: "As in `nodeHealthCheck`, for this group." }),
});

const foreignItem = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    description,
  });

const apiServer = group(
  {
    ...sizing({ preset: "c1.medium" }),
    extraArgs: listOf(Type.String({ maxLength: 4096 }), { maxItems: 100, description: "Further arguments." }),
    extraVolumes: listOf(foreignItem("A volume."), {
      maxItems: 32,
      description: "Further volumes, each with a `name` and either `configMap` or `secret`.",
    }),
    extraVolumeMounts: listOf(foreignItem("A mount."), { maxItems: 32, description: "Where these are mounted." }),
  },
  { description: "The API server." },
);

const component = (description: string) => group(sizing({ preset: "t1.micro" }), { description });

const user = open({
  email: text({ required: true, maxLength: 320, description: "Address by which the user is known." }),
  role: oneOf(["admin", "view"], { required: true, description: "What the user may do in the cluster." }),
});

const oidc = group(
  {
    mode: oneOf(["None", "System", "CustomConfig"], {
      default: "None",
      description: "Who says who a user is: certificates only, the platform, or a configuration of your own.",
    }),
    customConfig: group(
      {
        config: text({ default: "", maxLength: 65_536, description: "An AuthenticationConfiguration." }),
        secretRef: group(
          { name: text({ default: "", maxLength: 253, description: "Name of the Secret." }) },
          { description: "A Secret with one under the key config.yaml." },
        ),
      },
      { description: "The configuration of your own: one of the two." },
    ),
    users: listOf(user, { maxItems: 500, description: "Who may use the cluster." }),
  },
  { description: "How people log in." },
);

const nodeHealthCheck = group(
  {
    maxUnhealthy: text({
      default: "50%",
      maxLength: 16,
      description:
        "Up to how many machines of a group may be ill for ill ones to be replaced: a number or a percentage.",
    }),
    nodeStartupTimeout: text({
      default: "20m",
      maxLength: 64,
      description: "After what time a machine that has not joined is replaced.",
    }),
    readyUnknownTimeout: text({
      default: "5m",
      maxLength: 64,
      description: "After what time a machine that says nothing is replaced.",
    }),
    readyFalseTimeout: text({
      default: "10m",
      maxLength: 64,
      description: "After what time a machine that is not ready is replaced.",
    }),
  },
  { description: "When machines are replaced." },
);

export const KubernetesSpec = appSpec(
  {
    storageClass: immutable(
      storageClassName({
        default: "replicated",
        description: "StorageClass of machines' disks, and default in the cluster.",
      }),
    ),
    nodeGroups: mapOf(nodeGroup, {
      maxProperties: 64,
      keyPattern: "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$",
      description: "Groups of machines by name. Without any there is one, md0.",
    }),
    version: oneOf(kubernetesVersions, { default: "v1.35", description: "Version of Kubernetes." }),
    host: text({
      default: "",
      pattern: "^([a-z0-9]([-.a-z0-9]*[a-z0-9])?)?$",
      maxLength: 253,
      description: "Host name of the API server. Empty: from the tenant's host.",
    }),
    addons: addonFields,
    controlPlane: group(
      {
        replicas: replicas({ default: 2, description: "Number of control planes." }),
        apiServer,
        controllerManager: component("The controller manager."),
        scheduler: component("The scheduler."),
        konnectivity: group(
          { server: component("The server that tunnels end at.") },
          { description: "The tunnel from the control plane to the machines." },
        ),
      },
      { description: "The control plane, which runs beside the cluster." },
    ),
    images: group(
      {
        waitForKubeconfig: imageField("of what waits for the cluster's kubeconfig"),
        kubectl: imageField("of kubectl"),
        talosCsrSigner: imageField("of what signs machines' certificates"),
      },
      { description: "Images instead of those that this release names." },
    ),
    talos: talosFields,
    nodeHealthCheck,
    maxNodeProvisionTime: text({
      default: "30m",
      maxLength: 64,
      description: "How long the autoscaler waits for a machine.",
    }),
    oidc,
  },
  [],
  { storesData: true },
);

export type Spec = Static<typeof KubernetesSpec.schema>;
export type Input = AppInput<Spec>;
export type Group = Spec["nodeGroups"][string];

/**
 * The inside of a virtual machine: processors, disks, networks, and where it may run.
 */
import { valueAt } from "../../kube/json.ts";
import type { AppInput } from "../../sdk/app.ts";
import { cloudInitSecret, hasCloudInit, sshSecret } from "./cloud-init.ts";
import type { Spec } from "./spec.ts";

type Input = AppInput<Spec>;

/** The DataVolume of a VMDisk. */
export const diskVolume = (disk: string): string => `vm-disk-${disk}`;

/** Names of the disks whose DataVolume is marked as optical. */
export type OpticalDisks = ReadonlySet<string>;

/** `networks` win over their old spelling `subnets`; the two are not merged. */
export const networksOf = (spec: Spec): Spec["networks"] => (spec.networks.length > 0 ? spec.networks : spec.subnets);

/** Processors and memory given by number rather than by an instance type. Absent parts are absent. */
export function ownSize({ resources, cpuModel }: Spec) {
  const { cpu, sockets, memory } = resources;
  const topology = cpu === undefined || sockets === undefined ? {} : { cores: Number(cpu), sockets: Number(sockets) };
  const processors = { ...topology, ...(cpuModel === "" ? {} : { model: cpuModel }) };
  return {
    ...(Object.keys(processors).length === 0 ? {} : { cpu: processors }),
    ...(memory === undefined ? {} : { resources: { requests: { memory } } }),
  };
}

function disks(spec: Spec, optical: OpticalDisks) {
  const own = spec.disks.map(({ name, bus }, index) => {
    const target = bus === undefined || bus === "" ? {} : { bus };
    const device = optical.has(name) ? { cdrom: target } : { disk: target };
    return { name: `disk-${name}`, bootOrder: index + 1, ...device };
  });
  return hasCloudInit(spec) ? [...own, { name: "cloudinitdisk", disk: {} }] : own;
}

function volumes(release: string, spec: Spec) {
  const own = spec.disks.map(({ name }) => ({ name: `disk-${name}`, dataVolume: { name: diskVolume(name) } }));
  if (!hasCloudInit(spec)) return own;
  return [...own, { name: "cloudinitdisk", cloudInitNoCloud: { secretRef: { name: cloudInitSecret(release) } } }];
}

function devices(spec: Spec, optical: OpticalDisks) {
  const attached = disks(spec, optical);
  const bridges = networksOf(spec).map(({ name }) => ({ name, bridge: {} }));
  return {
    ...(spec.gpus.length === 0
      ? {}
      : { gpus: spec.gpus.map(({ name }, index) => ({ name: `gpu${index + 1}`, deviceName: name })) }),
    ...(attached.length === 0 ? {} : { disks: attached }),
    interfaces: [{ name: "default", bridge: {} }, ...bridges],
  };
}

function networks(spec: Spec, namespace: string) {
  const attached = networksOf(spec).map(({ name }) => ({ name, multus: { networkName: `${namespace}/${name}` } }));
  return [{ name: "default", pod: {} }, ...attached];
}

/** Where some nodes are set aside for Windows machines, those must run there and the others should not. */
function affinity({ spec, context }: Input) {
  const dedicated = valueAt(context.cluster, "scheduling", "dedicatedNodesForWindowsVMs");
  if (String(dedicated) !== "true") return {};
  const term = (operator: "In" | "NotIn") => ({
    matchExpressions: [{ key: "scheduling.cozystack.io/vm-windows", operator, values: ["true"] }],
  });
  const nodeAffinity = spec.instanceProfile.startsWith("windows")
    ? { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term("In")] } }
    : { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference: term("NotIn") }] };
  return { affinity: { nodeAffinity } };
}

function accessCredentials(release: string, spec: Spec) {
  if (spec.sshKeys.length === 0) return {};
  const source = { secret: { secretName: sshSecret(release) } };
  return { accessCredentials: [{ sshPublicKey: { source, propagationMethod: { noCloud: {} } } }] };
}

/** `spec.template.spec` of the VirtualMachine. */
export function instanceSpec(input: Input, optical: OpticalDisks, uuid: string) {
  const { release, namespace, spec } = input;
  const attached = volumes(release, spec);
  return {
    domain: {
      ...ownSize(spec),
      firmware: { uuid },
      devices: devices(spec, optical),
      machine: { type: "" },
    },
    ...accessCredentials(release, spec),
    terminationGracePeriodSeconds: 30,
    ...affinity(input),
    ...(attached.length === 0 ? {} : { volumes: attached }),
    networks: networks(spec, namespace),
  };
}

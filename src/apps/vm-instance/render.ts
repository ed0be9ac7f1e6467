/**
 * From a VMInstance's specification to its objects: the VirtualMachine, its Service, and the Secrets that its guest reads.
 *
 * Upstream's chart shortens names to 63 characters; a release has at most 53, so that all are the release's.
 */
import { DataVolume } from "../../contracts/cdi-kubevirt-io.ts";
import {
  VirtualMachineClusterInstancetype,
  VirtualMachineClusterPreference,
} from "../../contracts/instancetype-kubevirt-io.ts";
import { IP } from "../../contracts/kubeovn-io.ts";
import { VirtualMachine } from "../../contracts/kubevirt-io.ts";
import type { ObjectRef } from "../../kube/object.ts";
import type { AppInput, Exposure, Monitor, RenderInput } from "../../sdk/app.ts";
import { chartLabels } from "../../sdk/chart-labels.ts";
import { changing, type Rendered } from "../../sdk/manifest.ts";
import { optional, required } from "../../sdk/needs.ts";
import { templateLabels, transitionOf } from "./changes.ts";
import { cloudInit } from "./cloud-init.ts";
import { checkSpec } from "./contradictions.ts";
import { firmwareUuid } from "./firmware.ts";
import { service } from "./service.ts";
import type { Spec } from "./spec.ts";
import { diskVolume, instanceSpec } from "./template.ts";
import { chart } from "./versions.ts";

type Input = AppInput<Spec>;

/** The address is Kube-OVN's record of what the machine got at its first start: from then on it is asked for. */
export function needs({ release, namespace, spec }: Input) {
  const { instanceType, instanceProfile, disks } = spec;
  return {
    machine: optional(VirtualMachine, release),
    address: optional(IP, `${release}.${namespace}`),
    instanceType: instanceType === "" ? undefined : required(VirtualMachineClusterInstancetype, instanceType),
    instanceProfile: instanceProfile === "" ? undefined : required(VirtualMachineClusterPreference, instanceProfile),
    disks: Object.fromEntries(disks.map(({ name }) => [name, required(DataVolume, diskVolume(name))])),
  };
}

type RenderMachine = RenderInput<Spec, ReturnType<typeof needs>>;

function podAnnotations({ needs: { address } }: RenderMachine): Readonly<Record<string, string>> {
  const { macAddress = "", ipAddress = "" } = address?.spec ?? {};
  return {
    "kubevirt.io/allow-pod-bridge-network-live-migration": "true",
    ...(macAddress === "" ? {} : { "ovn.kubernetes.io/mac_address": macAddress }),
    ...(ipAddress === "" ? {} : { "ovn.kubernetes.io/ip_address": ipAddress }),
  };
}

function opticalDisks({ needs: { disks } }: RenderMachine): ReadonlySet<string> {
  const marked = Object.entries(disks).filter(
    ([, volume]) => volume.metadata.annotations?.["vm-disk.cozystack.io/optical"] === "true",
  );
  return new Set(marked.map(([name]) => name));
}

const named = (kind: string, name: string) => (name === "" ? undefined : { kind, name });

function machine(input: RenderMachine): Rendered {
  const { release, namespace, spec, context, needs: known } = input;
  const labels = chartLabels(chart, release, context);
  const annotations = podAnnotations(input);
  const liveUuid = known.machine?.spec.template.spec?.domain.firmware?.uuid;
  const uuid = firmwareUuid(namespace, release, spec.cloudInitSeed, liveUuid);
  const template = instanceSpec(input, opticalDisks(input), uuid);
  const instancetype = named(VirtualMachineClusterInstancetype.kind, spec.instanceType);
  const preference = named(VirtualMachineClusterPreference.kind, spec.instanceProfile);
  const object = VirtualMachine(release, {
    labels,
    spec: {
      runStrategy: spec.runStrategy,
      ...(instancetype === undefined ? {} : { instancetype }),
      ...(preference === undefined ? {} : { preference }),
      template: {
        metadata: { labels: templateLabels(known.machine, { annotations, labels, spec: template }), annotations },
        spec: template,
      },
    },
  });
  const transition = transitionOf(known.machine, object);
  return transition === undefined ? object : changing(object, { transition });
}

export function render(input: RenderMachine): readonly Rendered[] {
  checkSpec(input.spec);
  return [...cloudInit(input), machine(input), service(input)];
}

/** A machine that is to be halted has no pod, and lacks none. */
export function monitors({ release, spec }: Input): readonly Monitor[] {
  return [
    {
      name: release,
      kind: "virtual-machine",
      type: "virtual-machine",
      replicas: 1,
      minReplicas: spec.runStrategy === "Halted" ? 0 : 1,
      selector: { "app.kubernetes.io/instance": release },
      withNamespace: true,
    },
  ];
}

export function expose({ release }: Input): Exposure {
  return {
    services: [release],
    monitors: [release],
    labelled: { services: { "apps.cozystack.io/user-service": "true" } },
  };
}

/** A disk in use cannot be deleted: the machine could not start again. */
export function references({ spec }: Input): readonly ObjectRef[] {
  return spec.disks.map(({ name }) => ({ group: "apps.cozystack.io", kind: "VMDisk", name }));
}

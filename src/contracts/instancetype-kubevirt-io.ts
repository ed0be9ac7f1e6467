/**
 * KubeVirt: sizes (instance types) and tastes of guest systems (preferences), for the whole cluster.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { intOrString, open, some, text, textMap } from "./fields.ts";

const group = "instancetype.kubevirt.io";
const version = "v1beta1";

const enabled = some({ enabled: Type.Boolean() });

export const VirtualMachineClusterInstancetype = defineContract({
  group,
  version,
  kind: "VirtualMachineClusterInstancetype",
  plural: "virtualmachineclusterinstancetypes",
  namespaced: false,
  schema: Type.Object({
    spec: Type.Object({
      cpu: Type.Object({
        guest: Type.Integer(),
        dedicatedCPUPlacement: Type.Optional(Type.Boolean()),
        isolateEmulatorThread: Type.Optional(Type.Boolean()),
        model: Type.Optional(text()),
        numa: Type.Optional(open()),
        realtime: Type.Optional(open()),
      }),
      memory: Type.Object({
        guest: intOrString(),
        hugepages: Type.Optional(some({ pageSize: text() })),
        overcommitPercent: Type.Optional(Type.Integer()),
      }),
      ioThreadsPolicy: Type.Optional(text()),
      gpus: Type.Optional(Type.Array(Type.Object({ name: text(), deviceName: Type.Optional(text()) }))),
      annotations: Type.Optional(textMap()),
      nodeSelector: Type.Optional(textMap()),
    }),
  }),
  // Machines keep the revision they were started with.
  impact: { otherwise: "none" },
});

export const VirtualMachineClusterPreference = defineContract({
  group,
  version,
  kind: "VirtualMachineClusterPreference",
  plural: "virtualmachineclusterpreferences",
  namespaced: false,
  schema: Type.Object({
    spec: some({
      annotations: textMap(),
      clock: open(),
      cpu: some({ preferredCPUTopology: text(), spreadOptions: some({ across: text(), ratio: Type.Integer() }) }),
      devices: some({
        preferredAutoattachGraphicsDevice: Type.Boolean(),
        preferredAutoattachInputDevice: Type.Boolean(),
        preferredAutoattachMemBalloon: Type.Boolean(),
        preferredBlockMultiQueue: Type.Boolean(),
        preferredCdromBus: text(),
        preferredDiskBus: text(),
        preferredDiskCache: text(),
        preferredDiskDedicatedIoThread: Type.Boolean(),
        preferredDiskIO: text(),
        preferredInputBus: text(),
        preferredInputType: text(),
        preferredInterfaceModel: text(),
        preferredInterfaceMasquerade: open(),
        preferredNetworkInterfaceMultiQueue: Type.Boolean(),
        preferredRng: open(),
        preferredUseVirtioTransitional: Type.Boolean(),
        preferredTPM: some({ enabled: Type.Boolean(), persistent: Type.Boolean() }),
      }),
      features: some({
        preferredAcpi: enabled,
        preferredApic: enabled,
        preferredHyperv: open(),
        preferredKvm: open(),
        preferredSmm: enabled,
      }),
      firmware: some({
        preferredEfi: some({ persistent: Type.Boolean(), secureBoot: Type.Boolean() }),
        preferredUseBios: Type.Boolean(),
        preferredUseEfi: Type.Boolean(),
        preferredUseSecureBoot: Type.Boolean(),
      }),
      machine: some({ preferredMachineType: text() }),
      preferredTerminationGracePeriodSeconds: Type.Integer(),
      preferredArchitecture: text(),
      requirements: some({
        architecture: text(),
        cpu: Type.Object({ guest: Type.Integer() }),
        memory: Type.Object({ guest: intOrString() }),
      }),
      volumes: some({ preferredStorageClassName: text() }),
    }),
  }),
  impact: { otherwise: "none" },
});

export const instancetypeContracts = [VirtualMachineClusterInstancetype, VirtualMachineClusterPreference] as const;

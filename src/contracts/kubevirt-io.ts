/**
 * KubeVirt: virtual machines and their running instances.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import {
  affinity,
  int32,
  int64,
  intOrString,
  looseConditions,
  open,
  some,
  text,
  textMap,
  texts,
  topologySpreadConstraints,
} from "./fields.ts";

const group = "kubevirt.io";
const version = "v1";

const target = some({ bus: text(), readonly: Type.Boolean() });

const disk = Type.Object({
  name: text(),
  bootOrder: Type.Optional(Type.Integer()),
  serial: Type.Optional(text()),
  cache: Type.Optional(text()),
  disk: Type.Optional(target),
  cdrom: Type.Optional(target),
  lun: Type.Optional(target),
});

const networkInterface = Type.Object({
  name: text(),
  bridge: Type.Optional(open<Record<never, never>>()),
  masquerade: Type.Optional(open<Record<never, never>>()),
  model: Type.Optional(text()),
  macAddress: Type.Optional(text()),
});

const device = Type.Object({ name: text(), deviceName: Type.Optional(text()) });

const domain = Type.Object({
  cpu: Type.Optional(
    some({
      cores: Type.Integer(),
      sockets: Type.Integer(),
      threads: Type.Integer(),
      model: text(),
      features: Type.Array(Type.Object({ name: text(), policy: Type.Optional(text()) })),
    }),
  ),
  memory: Type.Optional(some({ guest: intOrString() })),
  resources: Type.Optional(some({ limits: textOrNumberMap(), requests: textOrNumberMap() })),
  machine: Type.Optional(some({ type: text() })),
  firmware: Type.Optional(some({ uuid: text(), serial: text(), bootloader: open() })),
  features: Type.Optional(open()),
  devices: some({
    disks: Type.Array(disk),
    interfaces: Type.Array(networkInterface),
    gpus: Type.Array(device),
    hostDevices: Type.Array(device),
    logSerialConsole: Type.Boolean(),
    rng: open(),
  }),
});

function textOrNumberMap() {
  return Type.Record(Type.String(), intOrString());
}

const volume = Type.Object({
  name: text(),
  dataVolume: Type.Optional(Type.Object({ name: text(), hotpluggable: Type.Optional(Type.Boolean()) })),
  persistentVolumeClaim: Type.Optional(Type.Object({ claimName: text(), hotpluggable: Type.Optional(Type.Boolean()) })),
  containerDisk: Type.Optional(Type.Object({ image: text() })),
  emptyDisk: Type.Optional(Type.Object({ capacity: intOrString() })),
  cloudInitNoCloud: Type.Optional(
    some({ secretRef: some({ name: text() }), networkDataSecretRef: some({ name: text() }), userData: text() }),
  ),
});

const instanceSpec = Type.Object({
  domain,
  networks: Type.Optional(
    Type.Array(
      Type.Object({
        name: text(),
        pod: Type.Optional(open<Record<never, never>>()),
        multus: Type.Optional(Type.Object({ networkName: text(), default: Type.Optional(Type.Boolean()) })),
      }),
    ),
  ),
  volumes: Type.Optional(Type.Array(volume)),
  accessCredentials: Type.Optional(
    Type.Array(
      some({
        sshPublicKey: Type.Object({
          source: some({ secret: Type.Object({ secretName: text() }) }),
          propagationMethod: some({ noCloud: open<Record<never, never>>(), configDrive: open<Record<never, never>>() }),
        }),
      }),
    ),
  ),
  affinity: Type.Optional(affinity()),
  nodeSelector: Type.Optional(textMap()),
  topologySpreadConstraints: Type.Optional(topologySpreadConstraints()),
  tolerations: Type.Optional(Type.Array(open())),
  terminationGracePeriodSeconds: Type.Optional(int64()),
  evictionStrategy: Type.Optional(text()),
  hostname: Type.Optional(text()),
  subdomain: Type.Optional(text()),
  priorityClassName: Type.Optional(text()),
});

const sizeRef = some({ kind: text(), name: text(), revisionName: text(), inferFromVolume: text() });

/** Labels and annotations of the pod. */
interface InstanceMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export const VirtualMachine = defineContract({
  group,
  version,
  kind: "VirtualMachine",
  plural: "virtualmachines",
  shortNames: ["vm", "vms"],
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      runStrategy: Type.Optional(text()),
      running: Type.Optional(Type.Boolean()),
      instancetype: Type.Optional(sizeRef),
      preference: Type.Optional(sizeRef),
      template: Type.Object({ metadata: Type.Optional(open<InstanceMetadata>()), spec: Type.Optional(instanceSpec) }),
    }),
    status: Type.Optional(
      some({
        created: Type.Boolean(),
        ready: Type.Boolean(),
        printableStatus: text(),
        runStrategy: text(),
        observedGeneration: int64(),
        desiredGeneration: int64(),
        conditions: looseConditions(),
      }),
    ),
  }),
  impact: {
    // What the guest sees changes at its next start; the controller that wants it at once restarts the machine.
    otherwise: "restarts",
    at: {
      // Read when the machine starts, and copied into a ControllerRevision.
      "spec.instancetype.revisionName": "inPlace",
      "spec.preference.revisionName": "inPlace",
      "spec.template.metadata": "restarts",
    },
  },
});

export const VirtualMachineInstance = defineContract({
  group,
  version,
  kind: "VirtualMachineInstance",
  plural: "virtualmachineinstances",
  shortNames: ["vmi", "vmis"],
  namespaced: true,
  // KubeVirt writes status with the object.
  statusSubresource: false,
  schema: Type.Object({
    spec: instanceSpec,
    status: Type.Optional(
      some({
        phase: text(),
        reason: text(),
        nodeName: text(),
        interfaces: Type.Array(
          some({ name: text(), ipAddress: text(), ipAddresses: texts(), mac: text(), interfaceName: text() }),
        ),
        volumeStatus: Type.Array(Type.Object({ name: text(), target: text(), phase: Type.Optional(text()) })),
        memory: some({ guestAtBoot: intOrString(), guestCurrent: intOrString(), guestRequested: intOrString() }),
        currentCPUTopology: some({ cores: int32(), sockets: int32(), threads: int32() }),
        conditions: looseConditions(),
      }),
    ),
  }),
  impact: { otherwise: "replaces" },
});

export const kubevirtContracts = [VirtualMachine, VirtualMachineInstance] as const;

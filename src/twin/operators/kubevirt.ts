/**
 * Plays KubeVirt: a VirtualMachine's instance, the pod it runs in, and their statuses.
 */
import { PersistentVolumeClaim, Pod } from "../../contracts/core.ts";
import { VirtualMachine, VirtualMachineInstance } from "../../contracts/kubevirt-io.ts";
import { type Player, player } from "../player.ts";
import { container, isReady, podSpec } from "./parts.ts";

type Machine = ReturnType<typeof VirtualMachine>;
type Instance = ReturnType<typeof VirtualMachineInstance>;

const running = new Set(["Always", "RerunOnFailure", "Once"]);

const machine: Player<Machine> = {
  kind: VirtualMachine,
  makes: [VirtualMachineInstance],
  play(vm, scene) {
    const strategy = vm.spec.runStrategy ?? (vm.spec.running === true ? "Always" : "Halted");
    const wanted = running.has(strategy) && scene.behaviour !== "refuses";
    const template = vm.spec.template;
    const instance = VirtualMachineInstance(vm.metadata.name, {
      labels: { ...template.metadata?.labels, "vm.kubevirt.io/name": vm.metadata.name },
      annotations: {
        ...template.metadata?.annotations,
        ...(vm.spec.instancetype?.name === undefined
          ? {}
          : { "kubevirt.io/cluster-instancetype-name": vm.spec.instancetype.name }),
        ...(vm.spec.preference?.name === undefined
          ? {}
          : { "kubevirt.io/cluster-preference-name": vm.spec.preference.name }),
      },
      spec: template.spec ?? { domain: { devices: {} } },
    });
    const live = scene.children(VirtualMachineInstance)[0];
    const ready = live?.status?.phase === "Running";
    const printable =
      scene.behaviour === "refuses" ? "ErrorUnschedulable" : ready ? "Running" : wanted ? "Starting" : "Stopped";
    const conditions = [
      ready
        ? { type: "Ready", status: "True" }
        : { type: "Ready", status: "False", reason: wanted ? "VMINotReady" : "VMINotExists", message: printable },
    ];
    const status = {
      created: live !== undefined,
      ready,
      printableStatus: printable,
      runStrategy: strategy,
      observedGeneration: vm.metadata.generation ?? 1,
      desiredGeneration: vm.metadata.generation ?? 1,
      conditions,
    };
    return { children: wanted ? [instance] : [], status };
  },
};

const instance: Player<Instance> = {
  kind: VirtualMachineInstance,
  makes: [Pod],
  reads: [PersistentVolumeClaim],
  play(vmi, scene) {
    const claims = (vmi.spec.volumes ?? []).flatMap((volume) => {
      const name = volume.dataVolume?.name ?? volume.persistentVolumeClaim?.claimName;
      return name === undefined ? [] : [{ volume: volume.name, claim: name }];
    });
    const missing = claims.some(
      ({ claim }) => scene.find(PersistentVolumeClaim, claim, vmi.metadata.namespace) === undefined,
    );
    const pod = Pod(`virt-launcher-${vmi.metadata.name}-${scene.token("pod", 5)}`, {
      labels: {
        ...vmi.metadata.labels,
        "kubevirt.io": "virt-launcher",
        "kubevirt.io/created-by": vmi.metadata.uid ?? "",
      },
      annotations: { ...vmi.metadata.annotations },
      spec: podSpec([container("compute", "twin.invalid/virt-launcher")], {
        volumes: claims.map(({ volume, claim }) => ({ name: volume, persistentVolumeClaim: { claimName: claim } })),
      }),
    });
    const live = scene.children(Pod).find(isReady);
    const address = live?.status?.podIP;
    const up = live !== undefined && scene.behaviour === "normal";
    return {
      children: missing ? [] : [pod],
      status: {
        phase: up ? "Running" : missing ? "Pending" : "Scheduling",
        ...(up && live.spec.nodeName !== undefined ? { nodeName: live.spec.nodeName } : {}),
        ...(up && address !== undefined
          ? { interfaces: [{ name: "default", ipAddress: address, ipAddresses: [address] }] }
          : {}),
        conditions: [{ type: "Ready", status: up ? "True" : "False" }],
      },
    };
  },
};

export const kubevirt = [player(machine), player(instance)];

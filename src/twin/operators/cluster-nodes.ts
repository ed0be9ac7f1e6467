/**
 * Plays kubelets of tenants' machines as far as their own clusters see of them: a node for each machine that has run, in the cluster
 * whose API server answers. Said to be simulated, as the twin's own nodes are.
 */
import { KamajiControlPlane } from "../../contracts/controlplane-cluster-x-k8s-io.ts";
import { Node } from "../../contracts/core.ts";
import { KubevirtMachine, KubevirtMachineTemplate } from "../../contracts/infrastructure-cluster-x-k8s-io.ts";
import { VirtualMachineClusterInstancetype } from "../../contracts/instancetype-kubevirt-io.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { simulatedLabel } from "../machines/nodes.ts";
import { type Player, player, type Scene } from "../player.ts";
import { conditionOf } from "./parts.ts";

type Machine = ReturnType<typeof KubevirtMachine>;

const clusterLabel = "cluster.x-k8s.io/cluster-name";
const clonedFrom = "cluster.x-k8s.io/cloned-from-name";

/** What the machine has, as its template says. */
function capacityOf({ metadata: { namespace, annotations } }: Machine, scene: Scene) {
  const template = scene.find(KubevirtMachineTemplate, annotations?.[clonedFrom] ?? "", namespace);
  const spec = valueAt(template?.spec.template.spec, "virtualMachineTemplate", "spec");
  const type = scene.find(VirtualMachineClusterInstancetype, String(valueAt(spec, "instancetype", "name") ?? ""));
  const domain = valueAt(spec, "template", "spec", "domain");
  const cpu = valueAt(domain, "cpu", "cores") ?? type?.spec.cpu.guest ?? 1;
  const memory = valueAt(domain, "memory", "guest") ?? type?.spec.memory.guest ?? "1Gi";
  return { cpu: String(cpu), memory: String(memory), pods: "110" };
}

function nodeOf(
  machine: Machine,
  cluster: string,
  before: ReturnType<typeof Node> | undefined,
  scene: Scene,
): KubeObject {
  const { name, namespace, labels = {} } = machine.metadata;
  const roles = Object.entries(labels).filter(([key]) => key.startsWith("node-role.kubernetes.io/"));
  const isUp = machine.status?.ready === true;
  const capacity = capacityOf(machine, scene);
  const says = { reason: isUp ? "KubeletReady" : "KubeletNotReady", message: "simulated" };
  const version = scene.find(KamajiControlPlane, cluster, namespace)?.spec.version ?? "";
  return Node(name, {
    labels: {
      [simulatedLabel]: "true",
      "kubernetes.io/arch": "amd64",
      "kubernetes.io/hostname": name,
      "kubernetes.io/os": "linux",
      ...Object.fromEntries(roles),
    },
    // No taints: admission taints a new node as not ready.
    spec: { providerID: machine.spec?.providerID ?? `kubevirt://${name}`, taints: [] },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [conditionOf("Ready", isUp, says, before?.status?.conditions, scene)],
      addresses: [
        { type: "InternalIP", address: "127.0.0.1" },
        { type: "Hostname", address: name },
      ],
      nodeInfo: { kubeletVersion: version, osImage: "Talos (simulated)" },
    },
  });
}

const nodes: Player<Machine> = {
  kind: KubevirtMachine,
  makes: [],
  reads: [KubevirtMachineTemplate, VirtualMachineClusterInstancetype, KamajiControlPlane],
  inClusters: [Node],
  play(machine, scene) {
    const name = machine.metadata.labels?.[clusterLabel] ?? "";
    const cluster = scene.cluster(name);
    if (typeof cluster === "string") return { children: [] };
    const before = cluster.find(Node, machine.metadata.name);
    // One that has never run has not joined.
    const hasJoined = machine.status?.ready === true || before !== undefined;
    return {
      children: [],
      inCluster: { cluster: name, objects: hasJoined ? [nodeOf(machine, name, before, scene)] : [] },
    };
  },
};

export const clusterNodes = [player(nodes)];

/**
 * The twin's nodes: four, said to be simulated in their name and labels, and the heartbeats that keep them alive.
 */
import { Node } from "../../contracts/core.ts";
import type { Client } from "../../kube/client.ts";
import { defineKind } from "../../kube/define-kind.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { World } from "../../kube/world.ts";

const prefix = "twin-";
const count = 4;
/** Seconds between heartbeats; the control plane gives a node up after 40 to 50. */
const heartbeat = 10;

export const simulatedLabel = "twin.cozystack.io/simulated";

/** Whether a node is one of the twin's. */
export function isSimulated(nodeName: string): boolean {
  return nodeName.startsWith(prefix);
}

interface LeaseObject extends KubeObject {
  readonly spec: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
  };
}
const Lease = defineKind<LeaseObject>({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  namespaced: true,
});

const names = Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
const size = { cpu: "512", memory: "4Ti", "ephemeral-storage": "64Ti", pods: "5000" };

/** Creates the nodes, or brings them back to life. */
export async function putUpNodes(client: Client, world: World): Promise<void> {
  for (const name of names) {
    const labels = {
      [simulatedLabel]: "true",
      "kubernetes.io/hostname": name,
      "kubernetes.io/os": "linux",
      "kubernetes.io/arch": "amd64",
      "topology.kubernetes.io/zone": `zone-${(names.indexOf(name) % 3) + 1}`,
      "node.kubernetes.io/instance-type": "simulated",
    };
    // No taints: admission taints a new node as not ready, and we know that it is.
    await client.apply(Node, Node(name, { labels, spec: { taints: [] } }), { fieldManager: "twin" });
    const now = new Date(world.now()).toISOString();
    const condition = (type: string, status: string, reason: string) => ({
      type,
      status,
      reason,
      message: "simulated",
      lastHeartbeatTime: now,
      lastTransitionTime: now,
    });
    const status = {
      capacity: size,
      allocatable: size,
      conditions: [
        condition("Ready", "True", "KubeletReady"),
        condition("MemoryPressure", "False", "KubeletHasSufficientMemory"),
        condition("DiskPressure", "False", "KubeletHasNoDiskPressure"),
        condition("PIDPressure", "False", "KubeletHasSufficientPID"),
      ],
      addresses: [
        { type: "InternalIP", address: "127.0.0.1" },
        { type: "Hostname", address: name },
      ],
    };
    await client.mergePatch(Node, name, undefined, { status }, { subresource: "status" });
  }
}

/** Renews the nodes' Leases until the signal is aborted. */
export async function keepNodesAlive(client: Client, world: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const renewTime = new Date(world.now()).toISOString().replace("Z", "000Z");
    for (const name of names) {
      const lease = Lease(name, {
        namespace: "kube-node-lease",
        spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime },
      });
      await client.apply(Lease, lease, { fieldManager: "twin", signal });
    }
    await world.sleep(heartbeat * 1000, signal);
  }
}

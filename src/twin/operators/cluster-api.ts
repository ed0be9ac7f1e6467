/**
 * Plays Cluster API with its providers for KubeVirt and Talos: deployments of machines have a set for each template, sets have
 * machines, and machines are pods. Sets make machines only while the template and the configuration that they name are there.
 */
import { createHash } from "node:crypto";
import { TalosConfigTemplate } from "../../contracts/bootstrap-cluster-x-k8s-io.ts";
import { Cluster, MachineDeployment, MachineHealthCheck, MachineSet } from "../../contracts/cluster-x-k8s-io.ts";
import { KamajiControlPlane } from "../../contracts/controlplane-cluster-x-k8s-io.ts";
import { Pod } from "../../contracts/core.ts";
import {
  KubevirtCluster,
  KubevirtMachine,
  KubevirtMachineTemplate,
} from "../../contracts/infrastructure-cluster-x-k8s-io.ts";
import { type Player, player } from "../player.ts";
import { conditionOf, container, isReady, podSpec, upTo } from "./parts.ts";

type Deployment = ReturnType<typeof MachineDeployment>;
type MachineSetObject = ReturnType<typeof MachineSet>;

const cluster: Player<ReturnType<typeof Cluster>> = {
  kind: Cluster,
  makes: [],
  reads: [KamajiControlPlane],
  play(object, scene) {
    const { name = "" } = object.spec?.controlPlaneRef ?? {};
    const isUp = scene.find(KamajiControlPlane, name, object.metadata.namespace)?.status?.ready === true;
    const ready = isUp && scene.behaviour === "normal";
    const says = { reason: ready ? "Ready" : "WaitingForControlPlane" };
    return {
      children: [],
      status: {
        phase: ready ? "Provisioned" : "Provisioning",
        controlPlaneReady: ready,
        infrastructureReady: true,
        observedGeneration: object.metadata.generation ?? 1,
        conditions: [conditionOf("Ready", ready, says, object.status?.conditions, scene)],
      },
    };
  },
};

const infrastructure: Player<ReturnType<typeof KubevirtCluster>> = {
  kind: KubevirtCluster,
  makes: [],
  play: (_, scene) => ({ children: [], status: { ready: scene.behaviour === "normal" } }),
};

const least = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size";

/** The number that the autoscaler has set, else the least one. */
const wantedOf = ({ metadata, spec }: Deployment): number =>
  spec.replicas ?? Number(metadata.annotations?.[least] ?? "1");

const setName = ({ metadata, spec }: Deployment): string =>
  `${metadata.name}-${createHash("sha256").update(JSON.stringify(spec.template.spec)).digest("hex").slice(0, 5)}`;

const readyOf = ({ status }: MachineSetObject): number => status?.readyReplicas ?? 0;

const madeAt = ({ metadata }: MachineSetObject): string => metadata.creationTimestamp ?? "";

/** The set of the present template at once as large as it gets; of former ones as many machines as are missing from that. */
function setsOf(object: Deployment, live: readonly MachineSetObject[]): readonly MachineSetObject[] {
  const name = setName(object);
  const { clusterName, selector, template } = object.spec;
  const wanted = wantedOf(object);
  const own = MachineSet(name, {
    labels: { ...template.metadata?.labels },
    spec: { clusterName, replicas: wanted, selector, template },
  });
  const present = live.find(({ metadata }) => metadata.name === name);
  const former = live.filter(({ metadata }) => metadata.name !== name).sort((a, b) => (madeAt(a) < madeAt(b) ? 1 : -1));
  let missing = Math.max(0, wanted - (present === undefined ? 0 : readyOf(present)));
  const kept = former.flatMap((set, at) => {
    const replicas = Math.min(missing, set.spec.replicas ?? 0);
    missing -= replicas;
    const isEmpty = replicas === 0 && (set.status?.replicas ?? 0) === 0;
    // One is kept for a way back, as Cluster API does by default.
    if (isEmpty && at > 0) return [];
    return [MachineSet(set.metadata.name, { labels: { ...set.metadata.labels }, spec: { ...set.spec, replicas } })];
  });
  return [own, ...kept];
}

const deployment: Player<Deployment> = {
  kind: MachineDeployment,
  makes: [MachineSet],
  play(object, scene) {
    const live = scene.children(MachineSet);
    const wanted = wantedOf(object);
    const updated = live.find(({ metadata }) => metadata.name === setName(object));
    const replicas = live.reduce((sum, { status }) => sum + (status?.replicas ?? 0), 0);
    const ready = live.reduce((sum, set) => sum + readyOf(set), 0);
    return {
      children: scene.behaviour === "refuses" ? [] : setsOf(object, live),
      status: {
        observedGeneration: object.metadata.generation ?? 1,
        replicas,
        readyReplicas: ready,
        availableReplicas: ready,
        updatedReplicas: updated?.status?.replicas ?? 0,
        unavailableReplicas: Math.max(0, wanted - ready),
        phase: ready >= wanted && replicas <= wanted ? "Running" : replicas > wanted ? "ScalingDown" : "ScalingUp",
      },
    };
  },
};

const clonedFrom = "cluster.x-k8s.io/cloned-from-name";

const set: Player<MachineSetObject> = {
  kind: MachineSet,
  makes: [KubevirtMachine],
  reads: [KubevirtMachineTemplate, TalosConfigTemplate],
  play(object, scene) {
    const { namespace, name } = object.metadata;
    const { template, replicas = 0 } = object.spec;
    const source = template?.spec.infrastructureRef.name ?? "";
    const configuration = template?.spec.bootstrap.configRef?.name ?? "";
    const live = scene.children(KubevirtMachine);
    const canMake =
      scene.behaviour === "normal" &&
      scene.find(KubevirtMachineTemplate, source, namespace) !== undefined &&
      scene.find(TalosConfigTemplate, configuration, namespace) !== undefined;
    const names = upTo(replicas).map((index) => `${name}-${scene.token(`machine ${index}`, 5)}`);
    const existing = new Set(live.map(({ metadata }) => metadata.name));
    const machines = names.filter((one) => canMake || existing.has(one));
    return {
      children: machines.map((one) =>
        KubevirtMachine(one, {
          labels: { ...template?.metadata?.labels },
          annotations: { [clonedFrom]: source },
          spec: { providerID: `kubevirt://${one}` },
        }),
      ),
      status: {
        observedGeneration: object.metadata.generation ?? 1,
        replicas: live.length,
        fullyLabeledReplicas: live.length,
        readyReplicas: live.filter(({ status }) => status?.ready === true).length,
        availableReplicas: live.filter(({ status }) => status?.ready === true).length,
      },
    };
  },
};

const machine: Player<ReturnType<typeof KubevirtMachine>> = {
  kind: KubevirtMachine,
  makes: [Pod],
  play(object, scene) {
    const { name, labels } = object.metadata;
    return {
      children: [
        Pod(`virt-launcher-${name}`, {
          labels: { ...labels, "cluster.x-k8s.io/role": "worker", "kubevirt.io": "virt-launcher" },
          spec: podSpec([container("compute", "twin.invalid/virt-launcher")]),
        }),
      ],
      status: { ready: scene.behaviour === "normal" && scene.children(Pod).some(isReady) },
    };
  },
};

const healthCheck: Player<ReturnType<typeof MachineHealthCheck>> = {
  kind: MachineHealthCheck,
  makes: [],
  play: ({ metadata }) => ({ children: [], status: { observedGeneration: metadata.generation ?? 1 } }),
};

export const clusterApi = [
  player(cluster),
  player(infrastructure),
  player(deployment),
  player(set),
  player(machine),
  player(healthCheck),
];

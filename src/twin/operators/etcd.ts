/**
 * Plays the etcd operator: members with random names, each a pod with its volume, without a StatefulSet. Members that exist keep
 * what they were made with, but for their volumes' size.
 */
import { PersistentVolumeClaim, Pod, Secret, Service } from "../../contracts/core.ts";
import { EtcdCluster, EtcdMember } from "../../contracts/etcd-operator-cozystack-io.ts";
import { PodDisruptionBudget } from "../../kube/core-kinds.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Player, player, type Scene } from "../player.ts";
import { conditionOf, container, isReady, podSpec, upTo } from "./parts.ts";

type Cluster = ReturnType<typeof EtcdCluster>;
type Member = ReturnType<typeof EtcdMember>;

const selector = (cluster: string) => ({ "etcd-operator.cozystack.io/cluster": cluster });

const labelsOf = (cluster: string, more: Readonly<Record<string, string>> = {}) => ({
  ...more,
  ...selector(cluster),
  "app.kubernetes.io/name": "etcd",
  "app.kubernetes.io/instance": cluster,
  "app.kubernetes.io/managed-by": "etcd-operator",
});

const replicasOf = ({ spec }: Cluster): number => spec.replicas ?? 3;

/** Whether every Secret that members are given has a certificate in it. */
function hasCertificates({ metadata: { namespace }, spec: { tls } }: Cluster, scene: Scene): boolean {
  const refs = [tls?.client?.serverSecretRef, tls?.client?.operatorClientSecretRef, tls?.peer?.secretRef];
  return refs.every((ref) => {
    const data = ref?.name === undefined ? undefined : scene.find(Secret, ref.name, namespace)?.data;
    return ref?.name === undefined || ["tls.crt", "tls.key", "ca.crt"].every((key) => data?.[key] !== undefined);
  });
}

function members(cluster: Cluster, scene: Scene): readonly KubeObject[] {
  const { name } = cluster.metadata;
  const { version, resources, additionalMetadata } = cluster.spec;
  const storage = { size: "1Gi", ...cluster.spec.storage };
  const token = scene.token("cluster token", 32);
  return upTo(replicasOf(cluster)).map((index) => {
    const member = `${name}-${scene.token(`member ${index}`, 5)}`;
    const live = scene.children(EtcdMember).find(({ metadata }) => metadata.name === member);
    const asMade = live?.spec ?? {
      clusterName: name,
      clusterToken: token,
      initialCluster: "",
      version,
      bootstrap: index === 0,
      ...(resources === undefined ? {} : { resources }),
      ...(additionalMetadata === undefined ? {} : { additionalMetadata }),
    };
    return EtcdMember(member, { labels: labelsOf(name), spec: { ...asMade, storage } });
  });
}

function around(cluster: Cluster): readonly KubeObject[] {
  const { name } = cluster.metadata;
  const labels = labelsOf(name, cluster.spec.additionalMetadata?.labels);
  const port = (portName: string, number: number) => ({ name: portName, port: number, protocol: "TCP" as const });
  return [
    Service(name, {
      labels,
      spec: {
        clusterIP: "None",
        publishNotReadyAddresses: true,
        selector: selector(name),
        ports: [port("client", 2379), port("peer", 2380)],
      },
    }),
    PodDisruptionBudget(name, {
      labels,
      spec: {
        minAvailable: Math.floor(replicasOf(cluster) / 2) + 1,
        selector: { matchLabels: selector(name) },
      },
    }),
  ];
}

function clusterStatus(cluster: Cluster, scene: Scene): object {
  const { name, generation = 1 } = cluster.metadata;
  const wanted = replicasOf(cluster);
  const isUp = ({ status }: Member) =>
    status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") === true;
  const ready = scene.children(EtcdMember).filter(isUp).length;
  const before = cluster.status?.conditions;
  const available = scene.behaviour === "normal" && wanted > 0 && ready > wanted / 2;
  const whole = scene.behaviour === "normal" && ready === wanted;
  const message = `${ready} of ${wanted} members are ready`;
  const says = (reason: string) => ({ reason, message });
  const conditions = [
    conditionOf("Available", available, says(available ? "QuorumHealthy" : "NoQuorum"), before, scene),
    conditionOf("Progressing", !whole, says(whole ? "TargetReached" : "Reconciling"), before, scene),
    conditionOf("Degraded", !whole, says(whole ? "AllMembersReady" : "MembersMissing"), before, scene),
  ];
  return {
    clusterID: scene.token("cluster id", 16),
    clusterToken: scene.token("cluster token", 32),
    readyMembers: whole || scene.behaviour === "normal" ? ready : 0,
    selector: `etcd-operator.cozystack.io/cluster=${name}`,
    conditions: conditions.map((one) => ({ ...one, observedGeneration: generation })),
  };
}

const cluster: Player<Cluster> = {
  kind: EtcdCluster,
  makes: [EtcdMember, Service, PodDisruptionBudget],
  reads: [Secret],
  play(object, scene) {
    const started = scene.children(EtcdMember).length > 0 || hasCertificates(object, scene);
    const refuses = scene.behaviour === "refuses";
    const children = refuses ? [] : [...around(object), ...(started ? members(object, scene) : [])];
    return { children, status: clusterStatus(object, scene) };
  },
};

const member: Player<Member> = {
  kind: EtcdMember,
  makes: [Pod, PersistentVolumeClaim],
  play(object, scene) {
    const { name } = object.metadata;
    const { clusterName, version, storage, resources, additionalMetadata } = object.spec;
    const labels = labelsOf(clusterName, additionalMetadata?.labels);
    const claim = `data-${name}`;
    const ports = [
      { name: "client", containerPort: 2379 },
      { name: "peer", containerPort: 2380 },
      { name: "metrics", containerPort: 2381 },
    ];
    const image = `quay.io/coreos/etcd:v${version}`;
    const children = [
      PersistentVolumeClaim(claim, {
        labels,
        spec: {
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: storage.size ?? "1Gi" } },
          ...(storage.storageClassName === undefined ? {} : { storageClassName: storage.storageClassName }),
        },
      }),
      Pod(name, {
        labels: { ...labels, "app.kubernetes.io/component": "member" },
        spec: podSpec([container("etcd", image, { ports, ...(resources === undefined ? {} : { resources }) })], {
          hostname: name,
          subdomain: clusterName,
          volumes: [{ name: "data", persistentVolumeClaim: { claimName: claim } }],
        }),
      }),
    ];
    const ready = scene.behaviour === "normal" && scene.children(Pod).some(isReady);
    const says = { reason: ready ? "PodReady" : "PodNotReady" };
    return {
      children,
      status: {
        podName: name,
        pvcName: claim,
        isVoter: ready,
        version,
        conditions: [conditionOf("Ready", ready, says, object.status?.conditions, scene)],
      },
    };
  },
};

export const etcd = [player(cluster), player(member)];

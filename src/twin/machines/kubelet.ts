/**
 * Plays the kubelet for pods that were placed on the twin's nodes: they start, become ready, Jobs' pods succeed, deleted
 * pods go. A pod whose Secret, ConfigMap or claim is missing waits, as a real one does.
 */
import { ConfigMap, Pod, type PodObject, Secret } from "../../contracts/core.ts";
import type { AnyKind } from "../../kube/object.ts";
import { type Act, type Player, player, type Scene } from "../player.ts";
import { isSimulated } from "./nodes.ts";

interface Missing {
  readonly kind: string;
  readonly name: string;
}

/** The first object that the pod's containers cannot start without and that is not there. */
function missingObject(pod: PodObject, scene: Scene): Missing | undefined {
  const wanted: { readonly kind: typeof Secret | typeof ConfigMap; readonly name: string }[] = [];
  for (const one of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    for (const { valueFrom } of one.env ?? []) {
      const secret = valueFrom?.secretKeyRef;
      const config = valueFrom?.configMapKeyRef;
      if (secret !== undefined && secret.optional !== true) wanted.push({ kind: Secret, name: secret.name });
      if (config !== undefined && config.optional !== true) wanted.push({ kind: ConfigMap, name: config.name });
    }
  }
  for (const volume of pod.spec.volumes ?? []) {
    const { secret, configMap } = volume;
    if (secret?.secretName !== undefined && secret.optional !== true)
      wanted.push({ kind: Secret, name: secret.secretName });
    if (configMap?.name !== undefined && configMap.optional !== true)
      wanted.push({ kind: ConfigMap, name: configMap.name });
  }
  const { namespace } = pod.metadata;
  const absent = wanted.find(({ kind, name }) =>
    kind === Secret
      ? scene.find(Secret, name, namespace) === undefined
      : scene.find(ConfigMap, name, namespace) === undefined,
  );
  return absent === undefined ? undefined : { kind: absent.kind.kind, name: absent.name };
}

function containerStatuses(pod: PodObject, state: "running" | "done", ready: boolean, at: string) {
  return pod.spec.containers.map(({ name, image = "" }) => ({
    name,
    image,
    imageID: image,
    ready,
    started: state === "running",
    restartCount: 0,
    state:
      state === "running"
        ? { running: { startedAt: pod.status?.startTime ?? at } }
        : { terminated: { exitCode: 0, reason: "Completed", startedAt: pod.status?.startTime ?? at, finishedAt: at } },
  }));
}

function conditions(pod: PodObject, ready: boolean, at: string, reason?: string) {
  const since = (type: string, status: string) =>
    pod.status?.conditions?.find((one) => one.type === type && one.status === status)?.lastTransitionTime ?? at;
  const value = (ok: boolean) => (ok ? "True" : "False");
  const rows = [
    { type: "PodScheduled", ok: true },
    { type: "Initialized", ok: true },
    { type: "ContainersReady", ok: ready },
    { type: "Ready", ok: ready },
  ];
  return rows.map(({ type, ok }) => ({
    type,
    status: value(ok),
    lastTransitionTime: since(type, value(ok)),
    ...(ok || reason === undefined ? {} : { reason }),
  }));
}

/** An address of the simulated pod network that follows from the pod's uid. */
function addressOf(scene: Scene): string {
  const [a = 0, b = 0, c = 0] = Buffer.from(scene.token("address", 6), "hex");
  return `10.${128 + (a % 64)}.${b}.${1 + (c % 254)}`;
}

function play(pod: PodObject, scene: Scene, isOurs: (nodeName: string) => boolean): Act {
  if (pod.spec.nodeName === undefined || !isOurs(pod.spec.nodeName)) return { children: [] };
  if (pod.metadata.deletionTimestamp !== undefined) return { children: [], remove: true };
  if (pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed") return { children: [] };
  const now = scene.now();
  const missing = missingObject(pod, scene);
  if (missing !== undefined) {
    const message = `${missing.kind.toLowerCase()} "${missing.name}" not found`;
    return { children: [], status: { phase: "Pending", reason: "CreateContainerConfigError", message } };
  }
  const start = scene.pace("start");
  const elapsed = scene.since("start");
  if (elapsed < start) return { children: [], again: start - elapsed };
  const running = {
    phase: "Running",
    reason: null,
    message: null,
    hostIP: "127.0.0.1",
    podIP: addressOf(scene),
    podIPs: [{ ip: addressOf(scene) }],
    startTime: pod.status?.startTime ?? now,
  };
  const isJob = pod.metadata.ownerReferences?.some((owner) => owner.kind === "Job") === true;
  if (scene.behaviour === "neverReady" || scene.behaviour === "refuses") {
    return {
      children: [],
      status: {
        ...running,
        conditions: conditions(pod, false, now, "ContainersNotReady"),
        containerStatuses: containerStatuses(pod, "running", false, now),
      },
    };
  }
  if (isJob) {
    const work = start + scene.pace("work");
    if (elapsed < work) {
      return {
        children: [],
        again: work - elapsed,
        status: {
          ...running,
          conditions: conditions(pod, true, now),
          containerStatuses: containerStatuses(pod, "running", true, now),
        },
      };
    }
    return {
      children: [],
      status: {
        ...running,
        phase: "Succeeded",
        conditions: conditions(pod, false, now, "PodCompleted"),
        containerStatuses: containerStatuses(pod, "done", false, now),
      },
    };
  }
  return {
    children: [],
    status: {
      ...running,
      conditions: conditions(pod, true, now),
      containerStatuses: containerStatuses(pod, "running", true, now),
    },
  };
}

const reads: readonly AnyKind[] = [Secret, ConfigMap];
const kubeletOf = (isOurs: (nodeName: string) => boolean): Player<PodObject> => ({
  kind: Pod,
  makes: [],
  reads,
  playsDeleting: true,
  play: (pod, scene) => play(pod, scene, isOurs),
});

export const kubelet = [player(kubeletOf(isSimulated))];

/** For a copy of a cluster, whose machines are not there: all nodes are played. */
export const kubeletOfAll = [player(kubeletOf(() => true))];

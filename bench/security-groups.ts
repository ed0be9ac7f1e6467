/**
 * How long a new pod is without the label of its security group: with the controller alone, and where the API server puts
 * the label on while it stores the pod.
 */
import { Pod } from "../src/contracts/core.ts";
import { SecurityGroup } from "../src/contracts/sdn-cozystack-io.ts";
import { valueAt } from "../src/kube/json.ts";
import type { KubeObject } from "../src/kube/object.ts";
import { order } from "./applications.ts";
import type { BenchOptions, Figure } from "./figure.ts";
import { type Lab, openLab, until } from "./lab.ts";

const GROUP = "bench";
const LABEL = `securitygroup.sdn.cozystack.io/${GROUP}`;
const PATIENCE = 60_000;
/** Of a Redis and a Postgres together. */
const PODS = 7;

/** What a watch saw of one pod, in milliseconds of our clock. */
interface Seen {
  readonly created: number;
  member?: number;
  running?: number;
}

const ways = [
  { name: "controller alone", apiserver: {} },
  {
    name: "at admission",
    apiserver: {
      "feature-gates": "MutatingAdmissionPolicy=true",
      "runtime-config": "admissionregistration.k8s.io/v1beta1=true",
    },
  },
] as const;

export async function run({ quick, log }: BenchOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { name, apiserver } of ways) {
    const lab = await openLab({ log, playing: true, apiserver });
    try {
      figures.push(...figuresOf(name, await replacePods(lab, quick ? 2 : 20)));
    } finally {
      await lab.close();
    }
  }
  return figures;
}

/** Deletes all pods of a Redis and a Postgres again and again; those that come in their place are what is looked at. */
async function replacePods(lab: Lab, rounds: number): Promise<readonly Seen[]> {
  const { client, namespace } = lab;
  const applications = ["Redis", "Postgres"];
  for (const kind of applications) await order(lab, { kind, count: 1, prefix: "sg", until: "Ready" });
  const attachments = applications.map((kind) => ({ kind, name: "sg0" }));
  await client.create(SecurityGroup, SecurityGroup(GROUP, { namespace, spec: { attachments } }));
  const pods = new Map<string, Seen>();
  const old = new Set<string>();
  const stop = new AbortController();
  const watching = watchPods(lab, pods, stop.signal);
  const current = async () => (await client.list(Pod, { namespace })).items.filter(isServing);
  const isSettled = async () => {
    const live = await current();
    return live.length >= PODS && live.every((pod) => isMember(pod) && isRunning(pod) && !old.has(uidOf(pod)));
  };
  try {
    await until("all pods are members", PATIENCE, isSettled);
    const first = new Set(pods.keys());
    for (let round = 0; round < rounds; round += 1) {
      const live = await current();
      // Admission goes by what the status says of the members' makers.
      const status = async () => (await client.get(SecurityGroup, GROUP, namespace))?.status;
      await until("the status is current", PATIENCE, async () => ((await status())?.members ?? 0) >= live.length);
      for (const pod of live) {
        old.add(uidOf(pod));
        await client.delete(Pod, pod.metadata.name, namespace, { gracePeriodSeconds: 0 });
      }
      await until("the next pods are members", PATIENCE, isSettled);
    }
    return [...pods].filter(([uid]) => !first.has(uid)).map(([, seen]) => seen);
  } finally {
    stop.abort();
    await watching;
  }
}

async function watchPods({ client, namespace }: Lab, pods: Map<string, Seen>, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of client.watch(Pod, { namespace, signal })) {
      if (!("object" in event) || event.type === "deleted") continue;
      const now = performance.now();
      const { uid = "" } = event.object.metadata;
      const seen = pods.get(uid) ?? { created: now };
      if (isMember(event.object)) seen.member ??= now;
      if (isRunning(event.object)) seen.running ??= now;
      pods.set(uid, seen);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? "";
/** Neither going nor the finished pod of a Job. */
const isServing = (pod: KubeObject): boolean =>
  pod.metadata.deletionTimestamp === undefined && valueAt(pod, "status", "phase") !== "Succeeded";
const isMember = ({ metadata }: KubeObject): boolean => metadata.labels?.[LABEL] === "";
const isRunning = (pod: KubeObject): boolean => valueAt(pod, "status", "phase") === "Running";

function figuresOf(way: string, pods: readonly Seen[]): readonly Figure[] {
  const windows = pods
    .flatMap(({ created, member }) => (member === undefined ? [] : [member - created]))
    .sort((a, b) => a - b);
  const at = (share: number) => windows[Math.min(windows.length - 1, Math.floor(windows.length * share))] ?? Number.NaN;
  const percent = (count: number) => (100 * count) / pods.length;
  const inTime = pods.filter(
    ({ member, running }) => member !== undefined && (running === undefined || member <= running),
  );
  return [
    { name: `pod without its group's label, p50, ${way}`, value: at(0.5), unit: "ms" },
    { name: `pod without its group's label, p99, ${way}`, value: at(0.99), unit: "ms" },
    {
      name: `pods stored with the label, ${way}`,
      value: percent(windows.filter((window) => window === 0).length),
      unit: "%",
    },
    { name: `pods labelled before they run, ${way}`, value: percent(inTime.length), unit: "%" },
    { name: `pods looked at, ${way}`, value: pods.length, unit: "pods" },
  ];
}

/**
 * Watches what runs: pods, machines and volumes that go while it looks, each with the objects that own it. What an upgrade
 * really did is read from this.
 */
import { contractKinds } from "../../contracts/index.ts";
import { KubevirtMachine } from "../../contracts/infrastructure-cluster-x-k8s-io.ts";
import { VirtualMachineInstance } from "../../contracts/kubevirt-io.ts";
import {
  DaemonSet,
  Deployment,
  Job,
  PersistentVolumeClaim,
  Pod,
  ReplicaSet,
  StatefulSet,
} from "../../kube/core-kinds.ts";
import { defineKind } from "../../kube/define-kind.ts";
import { type AnyKind, type KubeObject, keyOf } from "../../kube/object.ts";
import type { Change, Store } from "../../kube/store.ts";
import type { Stores } from "../../kube/stores.ts";
import { refIn } from "../../reconcile/view.ts";
import type { UnitKind } from "./effect.ts";

/** Something that ran and is gone. */
export interface Gone {
  readonly what: UnitKind;
  /** {@link keyOf} of itself, and of its owners, the nearest first. */
  readonly line: readonly string[];
}

const units: readonly (readonly [AnyKind, UnitKind])[] = [
  [Pod, "pods"],
  [PersistentVolumeClaim, "volumes"],
  [KubevirtMachine, "machines"],
  [VirtualMachineInstance, "virtual machines"],
];

/** Of Cluster API: between a set and what stands for the machine. Nobody else reads it. */
const Machine = defineKind<KubeObject>({
  group: "cluster.x-k8s.io",
  version: "v1beta1",
  kind: "Machine",
  plural: "machines",
  namespaced: true,
});

/** What stands between a pod and the object that an application renders. */
const between: readonly AnyKind[] = [ReplicaSet, StatefulSet, Deployment, DaemonSet, Job, Machine, ...contractKinds];

export interface Turnover {
  /** Resolves when all that runs is known. */
  ready(signal: AbortSignal): Promise<void>;
  /** What went since then. */
  readonly gone: readonly Gone[];
  close(): void;
}

interface Known {
  readonly key: string;
  readonly unit: boolean;
  readonly owners: readonly string[];
}

/** Begins to look. */
export function watchTurnover(stores: Stores): Turnover {
  const gone: Gone[] = [];
  /** By uid; kept after the object has gone, for those that go after it. */
  const known = new Map<string, Known>();
  const unitOf = new Map(units.map(([kind, what]) => [`${kind.group}/${kind.kind}`, what]));

  function lineOf(uid: string): readonly Known[] {
    const self = known.get(uid);
    if (self === undefined) return [];
    const [owner] = self.owners;
    return [self, ...(owner === undefined || owner === uid ? [] : lineOf(owner))];
  }

  function isGone(uid: string, what: UnitKind): void {
    const line = lineOf(uid);
    // The pod of a machine is its machine, and a Job's pods go by themselves.
    if (line.slice(1).some(({ unit, key }) => unit || key.startsWith("batch/Job/"))) return;
    gone.push({ what, line: line.map(({ key }) => key) });
  }

  function take({ kind }: Store<KubeObject>, change: Change<KubeObject>): void {
    const what = unitOf.get(`${kind.group}/${kind.kind}`);
    const { uid = "", name, namespace, ownerReferences = [] } = change.object.metadata;
    const key = keyOf(refIn(kind, name, namespace));
    known.set(uid, { key, unit: what !== undefined, owners: ownerReferences.map((owner) => owner.uid) });
    if (what === undefined) return;
    if (change.type === "deleted") isGone(uid, what);
    if (change.type !== "modified") return;
    const { uid: before = "" } = change.previous.metadata;
    if (before !== uid) isGone(before, what);
  }

  const kinds = new Set<AnyKind>([...between, ...units.map(([kind]) => kind)]);
  const uses = [...kinds].map((kind) => stores.useMetadata(kind));
  const leave = uses.map(({ store }) => store.subscribe((change) => take(store, change)));
  return {
    async ready(signal) {
      await Promise.all(uses.map(({ store }) => store.ready(signal)));
    },
    gone,
    close() {
      for (const end of leave) end();
      for (const { release } of uses) release();
    },
  };
}

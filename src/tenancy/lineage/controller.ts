/**
 * Labels what operators make for applications: which application it belongs to, and whether its tenant's people see it.
 * Everything comes from watches of metadata; nothing is asked at admission, so that no pod ever waits for us.
 */
import { apps as catalogue } from "../../apps/index.ts";
import { PersistentVolumeClaim, Pod, Secret, Service } from "../../contracts/core.ts";
import { WorkloadMonitor } from "../../contracts/cozystack-io.ts";
import type { Client } from "../../kube/client.ts";
import { Ingress } from "../../kube/core-kinds.ts";
import { isApiError } from "../../kube/errors.ts";
import type { AnyKind, KubeObject } from "../../kube/object.ts";
import { type Outcome, workQueue } from "../../kube/queue.ts";
import type { Stores } from "../../kube/stores.ts";
import type { World } from "../../kube/world.ts";
import type { ContextSource } from "../../reconcile/context.ts";
import { digestOf } from "../../reconcile/digest.ts";
import { Fights } from "../../reconcile/fights.ts";
import { otherManagerOf } from "../../reconcile/owned-fields.ts";
import { OWNER_ANNOTATION } from "../../reconcile/owner.ts";
import type { App } from "../../sdk/app.ts";
import { type AppSource, sourceOf } from "../../sdk/app-source.ts";
import { followApplications } from "./applications.ts";
import { Exposures } from "./exposures.ts";
import { formatInstance, type Instance, Instances, placesOf } from "./instances.ts";
import { LINEAGE_ANNOTATION, lineageFacts, patchOf, relabelled } from "./labels.ts";
import { Members } from "./members.ts";
import { ownerStores } from "./owners.ts";
import { namedBy, provenOwner } from "./proof.ts";
import { RELEASE_LABEL, type Surroundings, trace } from "./trace.ts";
import { warn } from "./warn.ts";

/** The field manager of the labels. */
export const lineageManager = "cozystack-lineage";

export interface LineageOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  readonly contexts: ContextSource;
  /** Default: all applications. */
  readonly apps?: readonly App[] | AppSource;
  /** Which namespaces this controller acts in. Default: all. */
  readonly scope?: (namespace: string) => boolean;
  readonly mayAct?: () => boolean;
  readonly onError?: (what: string, error: unknown) => void;
}

/** What is labelled. Other kinds are only climbed through. */
const LEAVES: Readonly<Record<string, AnyKind>> = {
  pod: Pod,
  secret: Secret,
  service: Service,
  ingress: Ingress,
  claim: PersistentVolumeClaim,
  // Charts bring their own, and the application's health counts them by these labels.
  monitor: WorkloadMonitor,
};

/** The reconcile path labels what it rendered when it next passes; what it creates once and never applies is left to us. */
const RENDERED_GRACE_MS = 5_000;

const RELEASE_INDEX = "lineage-release";
const byRelease = ({ metadata }: KubeObject): readonly string[] => {
  const name = metadata.ownerReferences === undefined ? metadata.labels?.[RELEASE_LABEL] : undefined;
  return name === undefined ? [] : [`${metadata.namespace}/${name}`];
};

/** Runs until the signal is aborted. */
export async function runLineage(options: LineageOptions, signal: AbortSignal): Promise<void> {
  const { client, stores, world, contexts, apps = catalogue, scope = () => true, mayAct = () => true } = options;
  const onError = options.onError ?? (() => undefined);
  const instances = new Instances();
  const exposures = new Exposures(contexts);
  const members = new Members();
  const fights = new Fights();
  let isReady = false;
  /** Who waits for the store of an owner's kind. */
  const waiting = new Map<string, Set<string>>();
  /** When a rendered object was first seen without what it should have. */
  const late = new Map<string, number>();
  const leaves = new Map(Object.entries(LEAVES).map(([prefix, kind]) => [prefix, stores.useMetadata(kind)]));

  const leafStores = [...leaves.values()].map(({ store }) => store);
  const queue = workQueue({ world, concurrency: 8, groupOf: (key) => key.split("/")[1] ?? "", work, onError });
  const owners = ownerStores({
    client,
    stores,
    world,
    signal,
    onError,
    onReady(key) {
      for (const each of waiting.get(key) ?? []) queue.add(each);
      waiting.delete(key);
    },
    onChange(change) {
      if (change.type === "modified" && lineageFacts(change.previous) === lineageFacts(change.object)) return;
      wakeOwnedBy(change.object);
    },
  });

  const keyOf = (prefix: string, { metadata }: KubeObject): string =>
    `${prefix}/${metadata.namespace ?? ""}/${metadata.name}`;

  /** Everything labelled that is owned by an object, through however many owners. */
  function wakeOwnedBy(owner: KubeObject, seen = new Set<string>()): void {
    const { uid = "", name, namespace } = owner.metadata;
    if (seen.has(uid)) return;
    seen.add(uid);
    for (const [prefix, { store }] of leaves) {
      if (!store.hasSynced) continue;
      const released = owner.kind === "HelmRelease" ? store.lookup(RELEASE_INDEX, `${namespace}/${name}`) : [];
      for (const object of [...store.ownedBy(uid), ...released]) queue.add(keyOf(prefix, object));
    }
    for (const each of owners.ownedBy(uid)) wakeOwnedBy(each, seen);
  }

  async function work(key: string): Promise<Outcome> {
    if (!mayAct()) return { is: "again", after: 1_000 };
    if (!isReady) await Promise.all([...leafStores, ...applications.stores()].map((store) => store.ready(signal)));
    isReady = true;
    const [prefix = "", namespace = "", name = ""] = key.split("/");
    if (prefix === "application") return workApplication(name);
    const object = leaves.get(prefix)?.store.get(name, namespace);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return forget(key);
    return workLeaf(key, object, prefix, namespace);
  }

  function forget(key: string): Outcome {
    const uid = members.remove(key);
    if (uid !== undefined) fights.forget(uid);
    late.delete(key);
    return { is: "done" };
  }

  /** Whether what an application exposes has changed; if so everything of it is looked at. */
  async function workApplication(uid: string): Promise<Outcome> {
    const instance = instances.byUid(uid);
    if (instance !== undefined && (await exposures.changed(instance, signal))) {
      for (const member of members.of(uid)) queue.add(member);
    }
    return { is: "done" };
  }

  async function workLeaf(key: string, object: KubeObject, prefix: string, namespace: string): Promise<Outcome> {
    const traced = instances.in(namespace).length === 0 ? { is: "unowned" as const } : trace(object, around(namespace));
    const { uid = "" } = object.metadata;
    if (traced.is === "owned") {
      members.set(key, uid, traced.by.uid);
      return label(key, object, prefix, traced.by, traced.rendered);
    }
    members.set(key, uid, undefined, hasHint(object) ? namespace : undefined);
    if (traced.is === "pending") {
      for (const on of traced.on) waiting.set(on, (waiting.get(on) ?? new Set()).add(key));
    } else if (traced.is === "ambiguous") {
      const who = traced.among.map(formatInstance).sort().join(", ");
      const message = `its owners belong to different applications (${who}) and none controls it: it is not labelled`;
      await warn(options, object, { reason: "LineageAmbiguous", message });
    } else if (isStale(object)) await write(prefix, patchOf(object, {}, {}));
    return { is: "done" };
  }

  function around(namespace: string): Surroundings {
    return {
      provenOwner: (object) => provenOwner(object, namespace, instances),
      owner(reference) {
        const instance = instances.byUid(reference.uid);
        return instance === undefined ? owners.find(reference, namespace) : { is: "instance", instance };
      },
      release: (name) => owners.find({ apiVersion: "helm.toolkit.fluxcd.io/v2", kind: "HelmRelease", name }, namespace),
    };
  }

  /** Labelled by us for an application that is there, but not its any more. */
  function isStale(object: KubeObject): boolean {
    return object.metadata.annotations?.[LINEAGE_ANNOTATION] !== undefined && namedBy(object, instances).length > 0;
  }

  async function label(
    key: string,
    object: KubeObject,
    prefix: string,
    instance: Instance,
    rendered: boolean,
  ): Promise<Outcome> {
    const patch = relabelled(instance, await exposures.of(instance, signal), object, rendered);
    if (patch === undefined) {
      late.delete(key);
      return { is: "done" };
    }
    if (rendered) {
      const since = late.get(key) ?? world.monotonic();
      late.set(key, since);
      const left = since + RENDERED_GRACE_MS - world.monotonic();
      if (left > 0) return { is: "again", after: left };
    }
    const { uid = "" } = object.metadata;
    const wanted = digestOf(patch);
    if (!fights.mayCorrect(uid, wanted, world.now())) {
      await reportFight(object, prefix, patch);
      return { is: "again", after: fights.wait(uid, world.now()) };
    }
    await write(prefix, patch);
    fights.corrected(uid, wanted, world.now());
    return { is: "done" };
  }

  async function write(prefix: string, patch: KubeObject): Promise<void> {
    const store = leaves.get(prefix)?.store;
    if (store === undefined) return;
    try {
      store.assume(await client.apply(store.kind, patch, { fieldManager: lineageManager }));
    } catch (error) {
      // It is gone, or another of its name: what became of it is an event.
      if (!isApiError(error, "NotFound", "Conflict", "NamespaceTerminating")) throw error;
    }
  }

  async function reportFight(object: KubeObject, prefix: string, patch: KubeObject): Promise<void> {
    const kind = LEAVES[prefix];
    const { name, namespace } = object.metadata;
    const live = kind === undefined ? undefined : await client.getMetadata(kind, name, namespace, { signal });
    const differing = Object.entries(patch.metadata.labels ?? {}).find(
      ([label, value]) => live?.metadata.labels?.[label] !== value,
    );
    if (live === undefined || differing === undefined) return;
    const [field] = differing;
    const other = otherManagerOf(live, ["metadata", "labels", field], lineageManager) ?? "somebody";
    const message = `${other} changes the label ${field} back each time; it is left as it is`;
    onError(`${object.kind} ${namespace}/${name}`, new Error(`FightingOver: ${message}`));
    await warn(options, object, { reason: "FightingOver", message });
  }

  const applications = followApplications({
    stores,
    source: sourceOf(apps),
    onInstance(instance, news) {
      instances.set(instance);
      const { uid, namespace } = instance;
      if (!scope(namespace)) return;
      if (news === "added") {
        for (const place of placesOf(instance)) for (const each of members.unsettled(place)) queue.add(each);
      }
      queue.add(`application/${namespace}/${uid}`);
    },
    onTouched: (instance) => instances.set(instance),
    onGone(uid) {
      instances.remove(uid);
      exposures.forget(uid);
      for (const member of members.of(uid)) queue.add(member);
    },
  });
  for (const [prefix, { store }] of leaves) {
    store.addIndex(RELEASE_INDEX, byRelease);
    store.subscribe((change) => {
      const { object } = change;
      if (!scope(object.metadata.namespace ?? "")) return;
      if (change.type === "modified" && lineageFacts(change.previous) === lineageFacts(object)) return;
      queue.add(keyOf(prefix, object));
    });
  }
  const leave = contexts.onChange((namespace) => {
    for (const { uid, namespace: place } of applications.instances(namespace)) {
      if (scope(place)) queue.add(`application/${place}/${uid}`);
    }
  });
  try {
    await queue.run(signal);
  } finally {
    leave();
    owners.close();
    applications.close();
    for (const { release } of leaves.values()) release();
  }
}

/** Whether an object that belongs to nobody may turn out to belong to an application later. */
function hasHint({ metadata }: KubeObject): boolean {
  const { ownerReferences = [], annotations = {}, labels = {} } = metadata;
  return (
    ownerReferences.length > 0 ||
    annotations[OWNER_ANNOTATION] !== undefined ||
    annotations[LINEAGE_ANNOTATION] !== undefined ||
    labels[RELEASE_LABEL] !== undefined
  );
}

/**
 * The stage: watches what the players play for, plays each object whenever it or something it depends on changes, and
 * writes what the players want. Level-triggered, bounded, nothing polls.
 */
import { ConfigMap } from "../contracts/core.ts";
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { isRecord } from "../kube/json.ts";
import { type AnyKind, groupOf, type Kind, type KubeObject } from "../kube/object.ts";
import { type Outcome, workQueue } from "../kube/queue.ts";
import type { Store } from "../kube/store.ts";
import { openStores } from "../kube/stores.ts";
import type { World } from "../kube/world.ts";
import { behaviourOf, behavioursName, behavioursNamespace } from "./behaviours.ts";
import { fieldManager, keepChildren, makerKey } from "./children.ts";
import { type ClusterName, type Fleet, type FleetOptions, runFleet } from "./clusters/fleet.ts";
import { clusterStage, kindsInClusters, lookUp, lookUpIn } from "./clusters/stage.ts";
import { includes } from "./includes.ts";
import type { Act, AnyPlayer, Scene } from "./player.ts";
import { sceneOf } from "./scene.ts";

export interface StageOptions {
  readonly client: Client;
  readonly players: readonly AnyPlayer[];
  /** Names, keys and timings of a run follow from it. */
  readonly seed: string;
  /** Multiplies every duration: 1 is a lively demonstration, 0 makes everything immediate. */
  readonly pace: number;
  /** In which namespaces it plays. Objects without one are always played. */
  readonly scope: (namespace: string) => boolean;
  readonly world: World;
  readonly signal: AbortSignal;
  /** Certificate of the twin's authority, PEM. */
  readonly certificate: string;
  /** API servers for tenants' clusters, and where their data is. Default: none. */
  readonly clusters?: Pick<FleetOptions, "directory" | "most" | "fsync">;
  /** See ChildrenOptions. */
  readonly takesOver: boolean;
  readonly onError: (what: string, error: unknown) => void;
}

interface Part {
  readonly player: AnyPlayer;
  readonly namespace: string;
  readonly name: string;
}

const kindKey = (kind: Pick<AnyKind, "group" | "kind">) => `${kind.group}/${kind.kind}`;

/** Plays until the signal is aborted. */
export async function runStage(options: StageOptions): Promise<void> {
  const { client, players, seed, pace, scope, world, signal, certificate, takesOver, onError } = options;
  const stores = openStores({ client, signal, world, onError: (kind, error) => onError(kind.kind, error) });
  const kinds = new Map<string, AnyKind>();
  for (const { kind, makes, reads } of players)
    for (const one of [kind, ...makes, ...reads]) kinds.set(kindKey(one), one);

  const storeOf = <T extends KubeObject>(kind: Kind<T>): Store<T> => stores.use(kind).store;
  const behaviours = stores.use(ConfigMap, { namespace: behavioursNamespace }).store;
  const marks = new Map<string, Map<string, number>>();
  /** Who looked up an object: `group/kind/namespace/name`, or what `lookUp` says, to keys of the queue. */
  const readers = new Map<string, Set<string>>();
  const reads = (key: string, found: string) => void readers.set(found, (readers.get(found) ?? new Set()).add(key));
  const changed = (found: string) => {
    for (const key of readers.get(found) ?? []) queue.add(key);
  };

  const partKey = (index: number, object: KubeObject) =>
    `${index}|${object.metadata.namespace ?? ""}|${object.metadata.name}`;
  const partOf = (key: string): Part | undefined => {
    const [index = "", namespace = "", name = ""] = key.split("|");
    const player = players[Number(index)];
    return player === undefined ? undefined : { player, namespace, name };
  };

  const queue = workQueue({
    world,
    concurrency: 8,
    groupOf: (key) => key.split("|")[1] ?? "",
    backoff: { base: 200, cap: 20_000 },
    work: async (key) => {
      try {
        return await play(key);
      } catch (error) {
        // What went away meanwhile, or whose namespace is going, has nothing left to play.
        if (isApiError(error, "NotFound", "NamespaceTerminating")) return { is: "done" };
        throw error;
      }
    },
    onError: (key, error) => onError(key, error),
  });

  const fleet = options.clusters === undefined ? undefined : runFleet({ ...options.clusters, ...fleetHooks() });
  const clusters = clusterStage(fleet);

  function fleetHooks(): Omit<FleetOptions, "directory"> {
    const onChange = (cluster: ClusterName, object?: KubeObject) => {
      if (object === undefined) return changed(lookUp(cluster));
      changed(lookUpIn(cluster, object.kind, object.metadata.namespace, object.metadata.name));
      addMaker(object);
    };
    return { kinds: kindsInClusters(players), world, signal, onError, onChange };
  }

  /** Data of control planes that went while nothing played. */
  function sweepClusters(of: Fleet): void {
    const planes = players.filter(({ hasApiServer }) => hasApiServer).flatMap(({ kind }) => storeOf(kind).list());
    of.sweep(new Set(planes.map(({ metadata }) => metadata.uid ?? "")));
  }

  async function play(key: string): Promise<Outcome> {
    const part = partOf(key);
    if (part === undefined || (part.namespace !== "" && !scope(part.namespace))) return { is: "done" };
    const { player } = part;
    const object = storeOf(player.kind).get(part.name, part.namespace === "" ? undefined : part.namespace);
    if (object === undefined) {
      marks.delete(key);
      await clusters.dismiss(player, part.namespace, part.name);
      return { is: "done" };
    }
    const scene = sceneOf({
      object,
      seed,
      pace,
      world,
      certificate,
      marks: marksOf(`${key}|${object.metadata.uid}`),
      behaviour: behaviourOf(behaviours.get(behavioursName, behavioursNamespace), object),
      storeOf,
      onFind: (kind, name, namespace) =>
        reads(key, `${kindKey(kind)}/${kind.namespaced ? (namespace ?? "") : ""}/${name}`),
      cluster: (name) => clusters.view({ namespace: part.namespace, name }, (found) => reads(key, found)),
    });
    if (object.metadata.deletionTimestamp !== undefined && !player.playsDeleting) {
      await clusters.dismiss(player, part.namespace, part.name);
      await sayFarewell(player, object, scene);
      return { is: "done" };
    }
    await addFinalizer(player, object);
    const act = player.play(object, scene);
    if (act.inCluster !== undefined) reads(key, lookUp({ namespace: part.namespace, name: act.inCluster.cluster }));
    await perform(player, object, act);
    return act.again === undefined ? { is: "done" } : { is: "again", after: act.again };
  }

  function marksOf(key: string): Map<string, number> {
    const known = marks.get(key) ?? new Map<string, number>();
    marks.set(key, known);
    return known;
  }

  async function addFinalizer(player: AnyPlayer, object: KubeObject): Promise<void> {
    const { finalizer, finalizerIsAskedFor, kind } = player;
    const { finalizers = [], name, namespace, resourceVersion } = object.metadata;
    if (finalizer === undefined || finalizerIsAskedFor || finalizers.includes(finalizer)) return;
    const patch = { metadata: { resourceVersion, finalizers: [...finalizers, finalizer] } };
    storeOf(kind).assume(await client.mergePatch(kind, name, namespace, patch, { fieldManager }));
  }

  async function sayFarewell(player: AnyPlayer, object: KubeObject, scene: Scene): Promise<void> {
    const { finalizers = [], name, namespace, resourceVersion } = object.metadata;
    if (player.finalizer === undefined || !finalizers.includes(player.finalizer)) return;
    const farewell = player.farewell(object, scene);
    if (farewell === "notYet") return;
    for (const gone of farewell) await client.delete(gone.kind, gone.name, gone.namespace);
    const patch = { metadata: { resourceVersion, finalizers: finalizers.filter((one) => one !== player.finalizer) } };
    await client.mergePatch(player.kind, name, namespace, patch, { fieldManager });
  }

  async function perform(player: AnyPlayer, object: KubeObject, act: Act): Promise<void> {
    const { kind } = player;
    const { name, namespace, uid } = object.metadata;
    if (act.remove === true) {
      await client.delete(kind, name, namespace, { gracePeriodSeconds: 0, ...(uid === undefined ? {} : { uid }) });
      return;
    }
    const refused = await keptBack(player, object, act);
    await report(kind, object, act);
    await clusters.perform(player, object, act);
    if (refused !== undefined) throw refused;
  }

  /** The quota's refusal of a child. Operators go on to say how far they are; what else keeps a child from being made is thrown. */
  async function keptBack(player: AnyPlayer, object: KubeObject, act: Act): Promise<Error | undefined> {
    if (player.makes.length === 0) return undefined;
    try {
      await keepChildren(
        { client, takesOver, parent: object, kinds: player.makes, storeOf },
        act.children,
        act.unowned ?? [],
      );
      return undefined;
    } catch (error) {
      if (isApiError(error, "QuotaExceeded")) return error;
      throw error;
    }
  }

  async function report(kind: AnyKind, object: KubeObject, act: Act): Promise<void> {
    const { name, namespace } = object.metadata;
    if (act.labels !== undefined && !includes(object.metadata.labels, act.labels)) {
      await client.mergePatch(kind, name, namespace, { metadata: { labels: act.labels } }, { fieldManager });
    }
    const live = "status" in object ? object.status : undefined;
    if (act.status === undefined || includes(live, act.status)) return;
    const subresource = hasStatusSubresource(kind) ? ({ subresource: "status" } as const) : {};
    storeOf(kind).assume(
      await client.mergePatch(kind, name, namespace, { status: act.status }, { ...subresource, fieldManager }),
    );
  }

  for (const kind of kinds.values()) subscribe(kind);
  behaviours.subscribe(() => {
    for (const [index, player] of players.entries()) {
      const store = storeOf(player.kind);
      if (store.hasSynced) for (const object of store.list()) queue.add(partKey(index, object));
    }
  });

  function subscribe(kind: AnyKind): void {
    const played = players.flatMap((player, index) => (kindKey(player.kind) === kindKey(kind) ? [index] : []));
    storeOf(kind).subscribe(({ object }) => {
      for (const index of played) queue.add(partKey(index, object));
      for (const owner of object.metadata.ownerReferences ?? []) {
        addParents(`${groupOf(owner.apiVersion)}/${owner.kind}`, object.metadata.namespace, owner.name);
      }
      addMaker(object);
      changed(`${kindKey(kind)}/${object.metadata.namespace ?? ""}/${object.metadata.name}`);
    });
  }

  function addParents(parentKind: string, namespace: string | undefined, name: string): void {
    for (const [index, { kind }] of players.entries()) {
      if (kindKey(kind) === parentKind) queue.add(`${index}|${kind.namespaced ? (namespace ?? "") : ""}|${name}`);
    }
  }

  function addMaker(object: KubeObject): void {
    const maker = object.metadata.annotations?.[makerKey]?.split("/");
    if (maker === undefined) return;
    const [kindName = "", namespace = "", name = ""] = maker;
    for (const [index, { kind }] of players.entries())
      if (kind.kind === kindName) queue.add(`${index}|${namespace}|${name}`);
  }

  await Promise.all([...kinds.values()].map((kind) => storeOf(kind).ready(signal)));
  await behaviours.ready(signal);
  if (fleet !== undefined) sweepClusters(fleet);
  await Promise.all([queue.run(signal), fleet?.ended]);
}

/** Kinds of third parties say so in their contract; Kubernetes' own all have the subresource. */
function hasStatusSubresource(kind: AnyKind): boolean {
  if (!("contract" in kind) || !isRecord(kind.contract)) return true;
  return kind.contract["statusSubresource"] !== false;
}

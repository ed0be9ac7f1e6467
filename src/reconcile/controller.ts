/**
 * The controller of applications: stores and a queue around the passes of instance.ts. Events only enqueue; nothing polls.
 */
import { randomBytes } from "node:crypto";
import { ResourceQuota } from "../contracts/core.ts";
import { impactRulesOf, kindByGroupKind } from "../contracts/index.ts";
import { Inventory } from "../contracts/internal-cozystack-io.ts";
import type { Client } from "../kube/client.ts";
import { type AnyKind, groupOf, type Kind, type KubeObject, keyOf, type ObjectRef, refOfKey } from "../kube/object.ts";
import { type Outcome, workQueue } from "../kube/queue.ts";
import type { Store } from "../kube/store.ts";
import { openStores, type Stores } from "../kube/stores.ts";
import { systemWorld, type World } from "../kube/world.ts";
import type { App } from "../sdk/app.ts";
import { type AppSource, sourceOf } from "../sdk/app-source.ts";
import { appsGroup } from "../sdk/define-app.ts";
import type { Change } from "./change.ts";
import type { ContextSource } from "./context.ts";
import { passOverDeleted } from "./deletion.ts";
import { Fights } from "./fights.ts";
import { kindOfApp, type Pass, passOver, refOfApp, reportProblem } from "./instance.ts";
import { Interests, kindKey } from "./interests.ts";
import type { UnownedPolicy, Wanted } from "./plan-types.ts";
import { type PrepareOptions, passProblem } from "./prepare.ts";
import { PruneWaits } from "./prune.ts";
import { ShortageWatch } from "./shortage-watch.ts";
import { type InstanceState, nextAction } from "./state.ts";
import { storeView, trimmer } from "./store-view.ts";
import type { KindLookup } from "./view.ts";

export interface ControllerOptions {
  /** Its field manager is the owner of everything applied. */
  readonly client: Client;
  /** A source: kinds come, change and go while it runs. */
  readonly apps: readonly App[] | AppSource;
  readonly context: ContextSource;
  readonly world?: World;
  /** Stores to share with others of the process; they must keep what {@link controllerTrim} keeps. Default: its own. */
  readonly stores?: Stores;
  /** Which instances this controller acts on, by their namespace or themselves. Default: all. */
  readonly scope?: (namespace: string, instance: ObjectRef) => boolean;
  /** Whether it may act now, as while it holds its lease. Default: always. */
  readonly mayAct?: () => boolean;
  /** Instances worked on at a time. Default 32: with that many requests under way etcd stores several with one wait for the disk. */
  readonly concurrency?: number;
  /** Which tenant pays for an instance's turn. Default: its namespace. */
  readonly groupOf?: (namespace: string) => string;
  /** Back-off between failed attempts in milliseconds, see `QueueOptions`. */
  readonly backoff?: { readonly base?: number; readonly cap?: number; readonly gap?: number };
  /** How long nothing must refer to an object before it is pruned, in milliseconds. Default 10,000. */
  readonly pruneSettle?: number;
  /** See `PlanInput.onUnowned`. Default: applications share, all else is refused. */
  readonly onUnowned?: (live: KubeObject, wanted: Wanted) => UnownedPolicy;
  readonly randomBytes?: (count: number) => Uint8Array;
  /** Told the state after each pass. */
  readonly onPass?: (instance: ObjectRef, state: InstanceState) => void;
  /** Told the changes that a pass has carried out. */
  readonly onWritten?: (instance: ObjectRef, changes: readonly Change[]) => void;
  /** Told about failed passes, interrupted watches and faults. */
  readonly onError?: (what: string, error: unknown) => void;
  /** Told what a forced deletion left behind. */
  readonly onAbandoned?: (instance: ObjectRef, objects: readonly ObjectRef[]) => void;
}

export interface Controller {
  /** Resolves when nothing waits for a worker or is under way. Retries that are due later are not waited for. */
  idle(): Promise<void>;
  /** Works on an instance once more. */
  wake(instance: ObjectRef): void;
  /** Ends when the signal was aborted and what was under way is finished. Never rejects. */
  readonly ended: Promise<void>;
  /** Whether it has seen every application there is. */
  readonly hasSynced: boolean;
  readonly waiting: number;
  readonly working: number;
}

/** A kind that is followed. */
interface ServedApp {
  app: App;
  readonly store: Store<KubeObject>;
  readonly stop: () => void;
}

/** What passes over one instance leave to the next. */
interface Memory extends Required<Pick<PrepareOptions, "pending" | "uids">> {
  /** Uid of the instance: another of the same name begins with nothing. */
  readonly of: string | undefined;
}

/** Kinds by group and name: those of the applications, then all contracts. */
export function kindLookup(apps: readonly App[]): KindLookup {
  const ours = new Map(apps.map((app) => [kindKey(app), kindOfApp(app)]));
  return (group, kind) => ours.get(kindKey({ group, kind })) ?? kindByGroupKind(group, kind);
}

/**
 * What stores of the controller keep of an object; to be given to `openStores` when stores are shared. `others`: kinds
 * that somebody else who shares them reads whole.
 */
export function controllerTrim(
  apps: readonly App[],
  others: readonly AnyKind[] = [],
): <T extends KubeObject>(object: T) => T {
  const whole = new Set([...apps, Inventory, ResourceQuota, ...others].map(kindKey));
  // Kinds of applications that come later are among those of their group.
  const isWhole = (group: string, kind: string) => group === appsGroup || whole.has(kindKey({ group, kind }));
  return trimmer((object) => isWhole(groupOf(object.apiVersion), object.kind));
}

/** Applications that somebody made before are shared: our labels go on, their spec stays theirs. All else is refused. */
export function shareApplications(live: KubeObject): UnownedPolicy {
  return groupOf(live.apiVersion) === appsGroup ? "share" : "refuse";
}

/** Starts a controller; it runs until the signal is aborted. */
export function startController(options: ControllerOptions, signal: AbortSignal): Controller {
  const { client, world = systemWorld, scope = () => true, mayAct = () => true } = options;
  const onError = options.onError ?? (() => undefined);
  const source = sourceOf(options.apps);
  const served = new Map<string, ServedApp>();
  const interests = new Interests();
  /** Uids of instances whose deletion is finished, as long as their store still shows them. */
  const released = new Map<string, string>();
  const memories = new Map<string, Memory>();
  const stores: Stores =
    options.stores ??
    openStores({
      client,
      signal,
      world,
      trim: controllerTrim(source.list()),
      onError: (kind, error) => onError(`store of ${kind.kind}`, error),
    });
  let kindOf = kindLookup([]);
  const views = storeView({ client, stores, signal, onUse: follow });
  const shared = {
    client,
    world,
    rules: (ref: ObjectRef) => impactRulesOf(ref.group, ref.kind),
    context: options.context,
    manager: client.fieldManager,
    randomBytes: options.randomBytes ?? randomBytes,
    onUnowned: options.onUnowned ?? shareApplications,
    mayAdopt: () => false,
    fights: new Fights(),
    prunes: new PruneWaits(options.pruneSettle),
    onAbandoned: options.onAbandoned ?? (() => undefined),
    onWritten: options.onWritten ?? (() => undefined),
    signal,
  };

  const queue = workQueue({
    world,
    concurrency: options.concurrency ?? 32,
    groupOf: (key) => (options.groupOf ?? ((namespace) => namespace))(refOfKey(key).namespace ?? ""),
    work,
    onError,
    ...(options.backoff === undefined ? {} : { backoff: options.backoff }),
  });

  const shortages = new ShortageWatch(world, (key, after) => queue.addAfter(key, after));

  /** Wakes who looks at the objects of a store; not the one whose own write it was. */
  function follow(store: Store<KubeObject>): void {
    store.subscribe((change) => {
      const previous = change.type === "modified" ? change.previous : undefined;
      for (const key of interests.affected(change.object, previous)) if (key !== views.writer) queue.add(key);
    });
    if (kindKey(store.kind) === kindKey(ResourceQuota)) {
      store.subscribe(({ object }) => shortages.changed(object.metadata.namespace ?? ""));
    }
    let was = store.state.is;
    store.onState((state) => {
      if (state.is !== was && (state.is === "unserved" || was === "unserved")) {
        for (const key of interests.waitingFor(kindKey(store.kind))) queue.add(key);
      }
      was = state.is;
    });
  }

  /** Follows the kinds that are defined now; instances of a kind whose definition changed are looked at again. */
  function followApps(): void {
    const wanted = new Map(source.list().map((app) => [kindKey(app), app]));
    kindOf = kindLookup(source.list());
    for (const [key, app] of wanted) {
      const one = served.get(key);
      if (one === undefined) served.set(key, startApp(app));
      else if (one.app !== app) {
        one.app = app;
        wakeAll(one);
      }
    }
    for (const [key, { stop }] of served) {
      if (wanted.has(key)) continue;
      served.delete(key);
      stop();
    }
  }

  function startApp(app: App): ServedApp {
    const kind: Kind<KubeObject> = kindOfApp(app);
    const { store, release } = stores.use(kind);
    const leave = store.subscribe(({ object }) => {
      const ref = refOfApp(app, object);
      if (!scope(object.metadata.namespace ?? "", ref)) return;
      if (keyOf(ref) !== views.writer) queue.add(keyOf(ref));
    });
    const stop = (): void => {
      leave();
      release();
    };
    return { app, store, stop };
  }

  function wakeAll({ app, store }: ServedApp, namespace?: string): void {
    if (!store.hasSynced) return;
    for (const object of store.list(namespace)) {
      const ref = refOfApp(app, object);
      if (scope(object.metadata.namespace ?? "", ref)) queue.add(keyOf(ref));
    }
  }

  async function work(key: string): Promise<Outcome> {
    if (!mayAct()) return { is: "again", after: 1_000 };
    const { group, kind, namespace = "", name } = refOfKey(key);
    const { app, store } = served.get(kindKey({ group, kind })) ?? {};
    // The first events come before the store is complete.
    await store?.ready(signal);
    const object = store?.get(name, namespace);
    if (app === undefined || object === undefined) {
      released.delete(key);
      return forget(key);
    }
    // Let go already; the event that it is gone is on its way.
    if (released.get(key) === object.metadata.uid) return { is: "done" };
    const passOptions = {
      ...shared,
      ...memoryOf(key, object),
      apps: source.list(),
      kindOf,
      view: views.as(key),
      shortages: shortages.of(key, namespace),
      onInterest: (watched: Parameters<Interests["set"]>[1]) => interests.set(key, watched),
    };
    try {
      const deleted = object.metadata.deletionTimestamp !== undefined;
      const pass = await (deleted ? passOverDeleted(app, object, passOptions) : passOver(app, object, passOptions));
      options.onPass?.(refOfApp(app, object), pass.state);
      if (pass.state.is === "gone" && object.metadata.uid !== undefined) released.set(key, object.metadata.uid);
      return outcomeOf(key, pass);
    } catch (error) {
      // The first failures pass by themselves, as conflicts do; one that stays is said.
      if (queue.failures(key) >= 2 && !signal.aborted) {
        await reportProblem(app, object, passProblem(refOfApp(app, object), error), passOptions);
      }
      throw error;
    }
  }

  function memoryOf(key: string, { metadata }: KubeObject): Memory {
    const known = memories.get(key);
    if (known !== undefined && known.of === metadata.uid) return known;
    const memory = { of: metadata.uid, pending: new Map(), uids: new Map() };
    memories.set(key, memory);
    return memory;
  }

  function outcomeOf(key: string, pass: Pass): Outcome {
    if (pass.again === true) return { is: "again", after: pass.state.is === "ready" ? 0 : 50 };
    const next = nextAction(pass.state);
    if (next.do === "forget") return forget(key);
    if (next.do === "retry") return { is: "failed", error: new Error(next.because) };
    return pass.after === undefined ? { is: "done" } : { is: "again", after: pass.after };
  }

  function forget(key: string): Outcome {
    interests.forget(key);
    shortages.forget(key, refOfKey(key).namespace ?? "");
    memories.delete(key);
    return { is: "done" };
  }

  options.context.onChange((namespace) => {
    for (const one of served.values()) wakeAll(one, namespace);
  });
  followApps();
  const leave = source.onChange(followApps);
  const ended = queue.run(signal).finally(leave);
  return {
    idle: () => queue.idle(),
    wake: (instance) => queue.add(keyOf(instance)),
    ended,
    get hasSynced() {
      return [...served.values()].every(({ store: { state } }) => state.is === "synced" || state.is === "unserved");
    },
    get waiting() {
      return queue.waiting;
    },
    get working() {
      return queue.working;
    },
  };
}

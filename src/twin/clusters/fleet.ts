/**
 * The API servers that play tenants' control planes: one for each control plane that its player wants one for, up to a number
 * that a machine bears. One that crashes is started anew; one whose control plane has gone goes with its data.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { purge } from "../../../embedded/engine.ts";
import type { Client } from "../../kube/client.ts";
import { connect } from "../../kube/connect.ts";
import { isApiError } from "../../kube/errors.ts";
import type { AnyKind, Kind, KubeObject } from "../../kube/object.ts";
import { type Outcome, workQueue } from "../../kube/queue.ts";
import type { Store } from "../../kube/store.ts";
import { openStores } from "../../kube/stores.ts";
import type { World } from "../../kube/world.ts";
import { fieldManager } from "../children.ts";
import { type ApiServer, type ApiServerOptions, startApiServer } from "./api-server.ts";

/** A tenant's cluster whose API server answers. */
export interface TenantCluster extends Pick<ApiServer, "server" | "ca" | "token" | "pids"> {
  readonly client: Client;
  /** Of the kinds of `FleetOptions.kinds` only. */
  storeOf<T extends KubeObject>(kind: Kind<T>): Store<T>;
}

/** What a control plane wants of its API server. */
export interface Wish {
  /** Of the control plane: another one of the same name has none of its data. */
  readonly uid: string;
  /** Text of an AuthenticationConfiguration, or nothing. */
  readonly configuration: string;
  /** It does not answer now, and keeps its data. */
  readonly isStopped: boolean;
}

/** How far the API server of a control plane is. `simulated`: there is none and there will be none. */
export type ClusterState = TenantCluster | "starting" | "simulated";

export interface FleetOptions {
  /** Data of all of them; made when absent. */
  readonly directory: string;
  /** How many may run at a time; control planes beyond that are simulated. Default 2. */
  readonly most?: number;
  readonly fsync?: boolean;
  /** Kinds of objects in tenants' clusters that the twin makes or reads. */
  readonly kinds: readonly AnyKind[];
  readonly world: World;
  /** Ends all. */
  readonly signal: AbortSignal;
  readonly onError: (what: string, error: unknown) => void;
  /** Told when the state of a cluster changes, or an object in it. */
  readonly onChange: (cluster: ClusterName, object?: KubeObject) => void;
}

export interface ClusterName {
  readonly namespace: string;
  readonly name: string;
}

export interface Fleet {
  /** Sees to it that the control plane has an API server as it wants it; undefined: that it has none, and its data goes. */
  keep(cluster: ClusterName, wish: Wish | undefined): void;
  stateOf(cluster: ClusterName): ClusterState;
  /** Those of a namespace that answer now. */
  answering(namespace: string): readonly TenantCluster[];
  /** Removes the data of control planes that are no more. `uids`: of all that there are. */
  sweep(uids: ReadonlySet<string>): void;
  /** Resolves when all have ended after an abort. */
  readonly ended: Promise<void>;
}

interface Running {
  readonly wish: Wish;
  readonly api: ApiServer;
  readonly cluster: TenantCluster;
  end(): Promise<void>;
}

const keyOf = ({ namespace, name }: ClusterName): string => `${namespace}/${name}`;

function clusterOf(key: string): ClusterName {
  const [namespace = "", name = ""] = key.split("/");
  return { namespace, name };
}

/** A path of a unix socket has to stay short, and a uid is long enough. */
const folderOf = (uid: string): string => createHash("sha256").update(uid).digest("hex").slice(0, 12);

export function runFleet(options: FleetOptions): Fleet {
  const { directory, most = 2, world, signal, onError, onChange } = options;
  const wishes = new Map<string, Wish>();
  const running = new Map<string, Running>();

  const remove = (folder: string): void => {
    const dataDir = join(directory, folder);
    purge(dataDir);
    rmSync(`${dataDir}.authentication.yaml`, { force: true });
  };

  /** Ends the one that runs, if it is not what is wanted. */
  async function endFormer(key: string, wish: Wish | undefined): Promise<void> {
    const former = running.get(key);
    const isSame = former?.wish.uid === wish?.uid;
    if (former === undefined || (isSame && wish?.isStopped === false)) return;
    running.delete(key);
    onChange(clusterOf(key));
    await former.end();
    if (!isSame) remove(folderOf(former.wish.uid));
    // There is room for another one.
    for (const waiting of wishes.keys()) if (!running.has(waiting)) queue.add(waiting);
  }

  async function start(key: string, wish: Wish): Promise<void> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const given: ApiServerOptions = {
      dataDir: join(directory, folderOf(wish.uid)),
      configuration: wish.configuration,
      signal,
      ...(options.fsync === undefined ? {} : { fsync: options.fsync }),
    };
    const api = await startApiServer(given);
    const one = await opened(api, wish);
    running.set(key, one);
    for (const kind of options.kinds)
      one.cluster.storeOf(kind).subscribe(({ object }) => onChange(clusterOf(key), object));
    void api.ended.then((crash) => {
      if (crash === undefined || running.get(key) !== one) return;
      running.delete(key);
      onError(`API server of ${key}`, crash);
      onChange(clusterOf(key));
      void one.end().finally(() => queue.addAfter(key, 1000));
    });
    onChange(clusterOf(key));
  }

  /** With its stores filled. */
  async function opened(api: ApiServer, wish: Wish): Promise<Running> {
    const stop = new AbortController();
    const { server, ca, token, pids } = api;
    const client = connect({ server, ca, token, fieldManager });
    const stores = openStores({
      client,
      world,
      signal: stop.signal,
      onError(kind, error) {
        // What crashed is told once, by its end.
        if (!isApiError(error, "Network")) onError(`${kind.kind} of ${server}`, error);
      },
    });
    const end = async () => {
      stop.abort();
      await client.close();
      await api.stop();
    };
    try {
      await Promise.all(options.kinds.map((kind) => stores.use(kind).store.ready(signal)));
    } catch (error) {
      await end();
      throw error;
    }
    return { wish, api, end, cluster: { server, ca, token, pids, client, storeOf: (kind) => stores.use(kind).store } };
  }

  async function work(key: string): Promise<Outcome> {
    const wish = wishes.get(key);
    await endFormer(key, wish);
    const live = running.get(key);
    if (wish === undefined || wish.isStopped) return { is: "done" };
    if (live === undefined) {
      if (running.size < most) await start(key, wish);
    } else if (live.wish.configuration !== wish.configuration) {
      live.api.authenticate(wish.configuration);
      running.set(key, { ...live, wish });
    }
    return { is: "done" };
  }

  const queue = workQueue({ world, concurrency: 1, work, onError, backoff: { base: 1000, cap: 60_000 } });

  const ended = queue.run(signal).then(async () => {
    const all = [...running.values()];
    running.clear();
    await Promise.all(all.map((one) => one.end()));
  });

  return {
    ended,
    keep(cluster, wish) {
      const key = keyOf(cluster);
      const before = wishes.get(key);
      if (isDeepStrictEqual(before, wish)) return;
      if (wish === undefined) wishes.delete(key);
      else wishes.set(key, wish);
      queue.add(key);
    },
    stateOf(cluster) {
      const key = keyOf(cluster);
      const live = running.get(key);
      if (live !== undefined) return live.cluster;
      // Those that asked first have the places; one that has not asked yet would be the next.
      const asked = [...wishes.keys()].indexOf(key);
      return (asked < 0 ? wishes.size : asked) < most ? "starting" : "simulated";
    },
    answering: (namespace) =>
      [...running].flatMap(([key, { cluster }]) => (clusterOf(key).namespace === namespace ? [cluster] : [])),
    sweep(uids) {
      if (!existsSync(directory)) return;
      const wanted = new Set([...uids].map(folderOf));
      for (const entry of readdirSync(directory, { withFileTypes: true }))
        if (entry.isDirectory() && !wanted.has(entry.name)) remove(entry.name);
    },
  };
}

/**
 * Follows applications until all are ready, or gone, or one of them cannot come right by itself.
 */
import type { Client } from "../kube/client.ts";
import { type KubeObject, keyOf, type ObjectRef } from "../kube/object.ts";
import { openStores } from "../kube/stores.ts";
import { systemWorld } from "../kube/world.ts";
import { kindOfApp } from "../reconcile/instance.ts";
import type { App } from "../sdk/app.ts";
import { type Standing, standingOf } from "./applications.ts";

/** One application to follow. */
export interface Followed {
  readonly app: App;
  readonly name: string;
  readonly namespace: string;
  /** Only what is said of this generation, or a later one, counts. */
  readonly generation?: number;
}

export interface Row extends Followed {
  /** Undefined while it does not exist. */
  readonly object: KubeObject | undefined;
  readonly standing: Standing | undefined;
  readonly done: boolean;
  /** Milliseconds from the beginning until it was done. */
  readonly took?: number;
}

export interface FollowOptions {
  readonly client: Client;
  readonly until: "ready" | "gone";
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
  /** Called at the beginning and after each change. */
  readonly onChange: (rows: readonly Row[]) => void;
}

export type FollowEnd = "done" | "stalled" | "timeout" | "interrupted";

/** Reasons that a user must act on, yet pass by themselves when something that is being made appears. */
const passing: ReadonlySet<string> = new Set(["WaitingForObject"]);

function refOf({ app, name, namespace }: Followed): ObjectRef {
  return { group: app.group, kind: app.kind, namespace, name };
}

/** Watches all of them. */
export async function follow(
  all: readonly Followed[],
  options: FollowOptions,
): Promise<{ readonly end: FollowEnd; readonly rows: readonly Row[] }> {
  const { client, until, onChange } = options;
  const stop = new AbortController();
  const timeout = AbortSignal.timeout(options.timeout);
  const outer = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  const signal = AbortSignal.any([outer, stop.signal]);
  const started = systemWorld.monotonic();
  const took = new Map<string, number>();
  const stores = openStores({ client, signal });
  const scopes = Map.groupBy(all, ({ app, namespace }) => `${app.group}/${app.kind}/${namespace}`);
  const opened = new Map(
    [...scopes].map(([key, [first]]) => {
      const use = first === undefined ? undefined : stores.use(kindOfApp(first.app), { namespace: first.namespace });
      return [key, use?.store] as const;
    }),
  );

  const rowOf = (one: Followed): Row => {
    const object = opened.get(`${one.app.group}/${one.app.kind}/${one.namespace}`)?.get(one.name, one.namespace);
    const standing = object === undefined ? undefined : standingOf(object);
    const isSeen = (object?.metadata.generation ?? 0) >= (one.generation ?? 0);
    const done = until === "gone" ? object === undefined : isSeen && standing?.ready === "True";
    const key = keyOf(refOf(one));
    if (!done) took.delete(key);
    else if (!took.has(key)) took.set(key, systemWorld.monotonic() - started);
    const time = took.get(key);
    return { ...one, object, standing, done, ...(time === undefined ? {} : { took: time }) };
  };
  // A deletion that is held up often goes on by itself: garbage collection takes its time.
  const isStuck = ({ standing }: Row): boolean =>
    until === "ready" && standing?.stalled === true && !passing.has(standing.reason);

  const finished = Promise.withResolvers<FollowEnd>();
  const look = (): void => {
    const rows = all.map(rowOf);
    onChange(rows);
    if (rows.every(({ done }) => done)) finished.resolve("done");
    else if (rows.some(isStuck)) finished.resolve("stalled");
  };
  const ended = (): void => finished.resolve(options.signal?.aborted === true ? "interrupted" : "timeout");
  signal.addEventListener("abort", ended, { once: true });
  try {
    await Promise.all([...opened.values()].map((store) => store?.ready(signal)));
    for (const store of opened.values()) store?.subscribe(() => queueMicrotask(look));
    look();
    const end = await finished.promise;
    return { end, rows: all.map(rowOf) };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { end: await finished.promise, rows: all.map(rowOf) };
  } finally {
    stop.abort();
  }
}

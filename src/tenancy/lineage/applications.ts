/**
 * Follows the objects of every application, as many kinds as there are now: definitions come, change and go while we run.
 */

import type { KubeObject } from "../../kube/object.ts";
import type { Change, Store } from "../../kube/store.ts";
import type { Stores, StoreUse } from "../../kube/stores.ts";
import { kindOfApp } from "../../reconcile/instance.ts";
import type { App } from "../../sdk/app.ts";
import type { AppSource } from "../../sdk/app-source.ts";
import { type Instance, instanceOf } from "./instances.ts";

export interface Following {
  /** Stores of all kinds that are followed now. */
  stores(): readonly Store<KubeObject>[];
  /** What is known now, of one namespace or all. */
  instances(namespace?: string): readonly Instance[];
  close(): void;
}

export interface FollowOptions {
  readonly stores: Stores;
  readonly source: AppSource;
  /** An instance came, or its spec or definition changed. */
  readonly onInstance: (instance: Instance, news: "added" | "changed") => void;
  /** Only its status or metadata changed. */
  readonly onTouched: (instance: Instance) => void;
  readonly onGone: (uid: string) => void;
}

interface Followed {
  app: App;
  readonly use: StoreUse<KubeObject>;
  readonly leave: () => void;
}

export function followApplications(options: FollowOptions): Following {
  const { stores, source, onInstance, onTouched, onGone } = options;
  const followed = new Map<string, Followed>();
  const known = ({ app, use }: Followed, namespace?: string): readonly Instance[] =>
    use.store.hasSynced ? use.store.list(namespace).map((object) => instanceOf(app, object)) : [];

  function take(app: App, change: Change<KubeObject>): void {
    const instance = instanceOf(app, change.object);
    if (change.type === "deleted") {
      onGone(instance.uid);
      return;
    }
    const before = change.type === "modified" ? change.previous.metadata : undefined;
    const isSame = before?.uid === instance.uid;
    if (before !== undefined && !isSame) onGone(before.uid ?? "");
    if (!isSame) onInstance(instance, "added");
    else if (before.generation !== change.object.metadata.generation) onInstance(instance, "changed");
    else onTouched(instance);
  }

  function follow(key: string, app: App): void {
    const use = stores.use(kindOfApp(app));
    const leave = use.store.subscribe((change) => take(followed.get(key)?.app ?? app, change));
    followed.set(key, { app, use, leave });
  }

  function sync(): void {
    const wanted = new Map(source.list().map((app) => [`${app.group}/${app.kind}`, app]));
    for (const [key, app] of wanted) {
      const one = followed.get(key);
      if (one === undefined) follow(key, app);
      else if (one.app !== app) {
        one.app = app;
        for (const instance of known(one)) onInstance(instance, "changed");
      }
    }
    for (const [key, one] of followed) {
      if (wanted.has(key)) continue;
      followed.delete(key);
      one.leave();
      for (const { uid } of known(one)) onGone(uid);
      one.use.release();
    }
  }

  sync();
  const leave = source.onChange(sync);
  return {
    stores: () => [...followed.values()].map(({ use }) => use.store),
    instances: (namespace) => [...followed.values()].flatMap((one) => known(one, namespace)),
    close() {
      leave();
      for (const { use } of followed.values()) use.release();
    },
  };
}

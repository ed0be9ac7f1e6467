/** Waits for applications as a user's `kubectl wait` does: by a watch. */
import { valueAt } from "../src/kube/json.ts";
import type { AnyKind, Kind, KubeObject } from "../src/kube/object.ts";
import { openStores } from "../src/kube/stores.ts";
import { conditionsOf } from "../src/reconcile/status.ts";
import type { Lab } from "./lab.ts";

export interface Following {
  /** Resolves once `count` applications have the condition for their current generation. */
  reached(count: number, condition: "Released" | "Ready"): Promise<void>;
  /** Resolves once there are no more than `count` left. */
  left(count: number): Promise<void>;
  stop(): void;
}

/** Follows the applications of a kind in the lab's tenant whose names begin with `prefix`. */
export async function follow(lab: Lab, kind: AnyKind, prefix: string): Promise<Following> {
  const stop = new AbortController();
  const plain: Kind<KubeObject> = kind;
  const trim = <T extends KubeObject>(object: T): T => object;
  const { store } = openStores({ client: lab.client, signal: stop.signal, trim }).use(plain, {
    namespace: lab.namespace,
  });
  await store.ready();
  const reached = { Released: new Set<string>(), Ready: new Set<string>() };
  const there = new Set<string>();
  let waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];
  store.subscribe(({ type, object }) => {
    const { name, generation } = object.metadata;
    if (!name.startsWith(prefix)) return;
    if (type === "deleted") there.delete(name);
    else there.add(name);
    for (const condition of conditionsOf(valueAt(object, "status"))) {
      const { type: about, status, observedGeneration } = condition;
      if ((about !== "Released" && about !== "Ready") || status !== "True") continue;
      if (observedGeneration === generation) reached[about].add(name);
    }
    const over = waiting.filter(({ holds }) => holds());
    waiting = waiting.filter((each) => !over.includes(each));
    for (const { resolve } of over) resolve();
  });
  const when = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      if (holds()) resolve();
      else waiting.push({ holds, resolve });
    });
  return {
    reached: (count, condition) => when(() => reached[condition].size >= count),
    left: (count) => when(() => there.size <= count),
    stop: () => stop.abort(),
  };
}

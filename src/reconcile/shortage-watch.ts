/**
 * Who lacks what a quota has no room for. A shortage is said once it has lasted, as budgets move to where they are needed
 * within moments; and whoever lacks something is looked at again when a quota of its namespace changes, however often that is.
 */
import { PersistentVolumeClaim, Pod, ResourceQuota } from "../contracts/core.ts";
import { WorkloadMonitor } from "../contracts/cozystack-io.ts";
import type { KubeObject } from "../kube/object.ts";
import type { World } from "../kube/world.ts";
import { lastingShortageText, type Shortage, scarcities } from "./quota-shortage.ts";
import { isOfKind, type View } from "./view.ts";

/** How long a shortage must last to be said, in milliseconds. */
const SETTLE = 5_000;
/** Time between two looks at what lacks something, in milliseconds: at least, and for each that lacks something. */
const PACE = { least: 1_000, each: 20 } as const;

/** What is said of an instance's shortage now, and after how many milliseconds that may change by itself. */
export interface Judgement {
  readonly lasting: readonly Shortage[];
  readonly after?: number;
}

export class ShortageWatch {
  readonly #world: World;
  readonly #wake: (key: string, after: number) => void;
  readonly #lacking = new Map<string, Set<string>>();
  readonly #since = new Map<string, { readonly text: string; readonly at: number }>();

  /** `wake`: has an instance looked at again after so many milliseconds; the earliest of several counts. */
  constructor(world: World, wake: (key: string, after: number) => void) {
    this.#world = world;
    this.#wake = wake;
  }

  /** Judges one instance by what it is short of now; undefined: nothing bounds it, or it lacks nothing. */
  of(key: string, namespace: string): (short: readonly Shortage[] | undefined) => Judgement {
    return (short) => {
      if (short !== undefined) return this.#judge(key, namespace, short);
      this.forget(key, namespace);
      return { lasting: [] };
    };
  }

  #judge(key: string, namespace: string, short: readonly Shortage[]): Judgement {
    const keys = this.#lacking.get(namespace) ?? new Set();
    this.#lacking.set(namespace, keys.add(key));
    const text = short.map(lastingShortageText).join("\n");
    if (text === "") {
      this.#since.delete(key);
      return { lasting: [] };
    }
    const now = this.#world.monotonic();
    const known = this.#since.get(key);
    const at = known?.text === text ? known.at : now;
    this.#since.set(key, { text, at });
    return now - at >= SETTLE ? { lasting: short } : { lasting: [], after: at + SETTLE - now };
  }

  /** It lacks nothing that a quota could refuse. */
  forget(key: string, namespace: string): void {
    this.#since.delete(key);
    const keys = this.#lacking.get(namespace);
    keys?.delete(key);
    if (keys?.size === 0) this.#lacking.delete(namespace);
  }

  /** A quota of the namespace has other figures. */
  changed(namespace: string): void {
    const keys = this.#lacking.get(namespace) ?? new Set();
    for (const key of keys) this.#wake(key, Math.max(PACE.least, PACE.each * keys.size));
  }
}

/** What quotas leave no room for, of what an instance's objects lack; undefined where nothing bounds them. */
export async function shortagesNow(
  view: View,
  namespace: string,
  live: readonly KubeObject[],
  unhealthy: readonly KubeObject[],
): Promise<readonly Shortage[] | undefined> {
  const monitors = live.filter((one) => isOfKind(WorkloadMonitor, one));
  if (monitors.length === 0) return undefined;
  const quotas = (await view.list(ResourceQuota, {}, namespace)).filter((one) => isOfKind(ResourceQuota, one));
  if (quotas.length === 0) return undefined;
  const pods = (await view.list(Pod, {}, namespace)).filter((one) => isOfKind(Pod, one));
  const claims = (await view.list(PersistentVolumeClaim, {}, namespace)).filter((one) =>
    isOfKind(PersistentVolumeClaim, one),
  );
  return scarcities({ quotas, pods, claims, monitors, unhealthy });
}

/**
 * The enforcer: writes each namespace's share of the budgets above it into ResourceQuota `tenant-quota-allocated`, which
 * Kubernetes enforces beside all others. It never touches the quota that the tenant itself is rendered with.
 */
import { QUOTA_KEYS } from "../../apps/tenant/quota.ts";
import { LimitRange, Namespace, ResourceQuota, type ResourceQuotaObject } from "../../contracts/core.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Outcome, type WorkQueue, workQueue } from "../../kube/queue.ts";
import type { Change, Store } from "../../kube/store.ts";
import type { World } from "../../kube/world.ts";
import { type Amounts, atMost, sameAmounts } from "./amounts.ts";
import type { Budgets } from "./budgets.ts";
import { ALLOCATED, type RefusalMemory } from "./demands.ts";
import type { Pool } from "./pool.ts";
import type { Pools } from "./pools.ts";
import {
  allocatedQuota,
  DEFAULTS,
  defaultLimits,
  keysText,
  needsDefaults,
  publishedKeys,
  QUOTA_MANAGER,
  quotaStateOf,
} from "./quota-objects.ts";
import type { Place } from "./row.ts";
import { decide, type Hard, relief } from "./shares.ts";

export interface EnforcerOptions {
  readonly client: Client;
  readonly world: World;
  readonly pools: Pools;
  readonly budgets: Budgets;
  readonly demands: RefusalMemory;
  readonly namespaces: Store<KubeObject>;
  /** Those named `tenant-quota-allocated`. */
  readonly quotas: Store<ResourceQuotaObject>;
  /** Those named `tenant-quota-defaults`. */
  readonly defaults: Store<KubeObject>;
  /** Whether budgets are known at all: until then nothing is written, and nothing taken away. */
  readonly isKnown: () => boolean;
  readonly onError?: (namespace: string, error: unknown) => void;
  /** Told of every namespace whose use has changed. */
  readonly onUse?: (namespace: string) => void;
}

/** Namespaces that are told at a time when there is room in a pool: the next ones when these have had theirs. */
const WOKEN = 8;

/** Until it is asked again whether the platform's values are known. */
const UNKNOWN_MS = 1_000;

export class Enforcer {
  readonly #options: EnforcerOptions;
  readonly #queue: WorkQueue;
  /** Lower amounts that others need, by namespace, until they are written. */
  readonly #cuts = new Map<string, Hard>();

  constructor(options: EnforcerOptions) {
    this.#options = options;
    const { world, onError } = options;
    this.#queue = workQueue({
      world,
      concurrency: 4,
      work: (namespace) => this.#work(namespace),
      ...(onError === undefined ? {} : { onError }),
    });
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#queue.run(signal);
  }

  /** Resolves when nothing is to be done but what waits for others. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  look(namespace: string): void {
    this.#queue.add(namespace);
  }

  /** For {@link Pools}: some of those that wait are looked at again. */
  readonly onRoom = (pool: Pool): void => {
    for (const namespace of pool.waiting.first(WOKEN)) this.#queue.add(namespace);
  };

  quotaChanged({ type, object }: Change<ResourceQuotaObject>): void {
    const { namespace = "" } = object.metadata;
    const before = this.#options.pools.quotaOf(namespace);
    const now = type === "deleted" ? undefined : quotaStateOf(object);
    this.#options.pools.setQuota(namespace, now);
    if (before === undefined || now === undefined || !sameAmounts(before.used, now.used)) {
      this.#options.onUse?.(namespace);
    }
    this.#queue.add(namespace);
  }

  /** For {@link Budgets}. */
  readonly budgetChanged = ({ owns, ancestors }: Place, keys: boolean): void => {
    const { pools } = this.#options;
    if (keys) for (const namespace of pools.subtree(owns)) this.#queue.add(namespace);
    for (const tenant of [owns, ...ancestors]) {
      // Its own namespace has whatever is left in a pool of one.
      this.#queue.add(tenant);
      for (const pool of pools.poolsOf(tenant).values()) if (pool.tenant === tenant) this.#take(relief(pools, pool));
    }
  };

  /** A namespace came or went; others may have more, or less, of what they share. */
  namespaceChanged(namespace: string, ancestors: readonly string[]): void {
    for (const each of [namespace, ...ancestors]) this.#queue.add(each);
  }

  #take(takes: ReadonlyMap<string, Hard>): void {
    for (const [namespace, hard] of takes) {
      const known = this.#cuts.get(namespace);
      if (known === undefined) this.#cuts.set(namespace, new Map(hard));
      else for (const [key, amount] of hard) known.set(key, atMost(amount, known.get(key) ?? amount));
      this.#queue.add(namespace);
    }
  }

  async #work(namespace: string): Promise<Outcome> {
    const { pools, isKnown } = this.#options;
    if (!isKnown()) return { is: "again", after: UNKNOWN_MS };
    const known = this.#options.namespaces.get(namespace);
    if (known === undefined || known.metadata.deletionTimestamp !== undefined) return { is: "done" };
    try {
      if (pools.poolsOf(namespace).size === 0) await this.#release(namespace, known);
      else await this.#share(namespace, known);
    } catch (error) {
      // It goes, and everything in it.
      if (!isApiError(error, "NotFound", "NamespaceTerminating")) throw error;
      pools.intend(namespace, undefined);
    }
    return { is: "done" };
  }

  async #share(namespace: string, known: KubeObject): Promise<void> {
    const { pools, demands, budgets } = this.#options;
    const keys = pools.poolsOf(namespace).keys();
    await this.#setDefaults(namespace, budgets.of(namespace) === undefined && needsDefaults(keys));
    const { hard, takes } = decide(pools, namespace, demands);
    this.#take(takes);
    for (const [key, cut] of this.#cuts.get(namespace) ?? []) hard.set(key, atMost(cut, hard.get(key) ?? cut));
    this.#cuts.delete(namespace);
    const quota = pools.quotaOf(namespace);
    if (quota === undefined || !sameAmounts(quota.spec, hard)) await this.#write(namespace, hard);
    else if (sameAmounts(new Map([...quota.hard].filter(([key]) => hard.has(key))), hard)) {
      await this.#publish(known, keysText(hard.keys()));
    }
  }

  async #write(namespace: string, hard: Amounts): Promise<void> {
    const { client, pools, quotas } = this.#options;
    // Before the request goes out: whoever is looked at meanwhile must not give the same away again.
    pools.intend(namespace, hard);
    try {
      const stored = await client.apply(ResourceQuota, allocatedQuota(namespace, hard), {
        fieldManager: QUOTA_MANAGER,
      });
      quotas.assume(stored);
    } catch (error) {
      if (isApiError(error) && error.ambiguous) {
        const live = await client.get(ResourceQuota, ALLOCATED, namespace);
        if (live !== undefined) quotas.assume(live);
      }
      pools.intend(namespace, undefined);
      throw error;
    }
    pools.intend(namespace, undefined);
    this.#queue.add(namespace);
  }

  async #setDefaults(namespace: string, wanted: boolean): Promise<void> {
    const { client, defaults } = this.#options;
    const exists = defaults.get(DEFAULTS, namespace) !== undefined;
    if (wanted === exists) return;
    if (wanted)
      defaults.assume(await client.apply(LimitRange, defaultLimits(namespace), { fieldManager: QUOTA_MANAGER }));
    else await client.delete(LimitRange, DEFAULTS, namespace);
  }

  /** `keys` undefined: nothing is in force. */
  async #publish(known: KubeObject, keys: string | undefined): Promise<void> {
    if (publishedKeys(known) === keys) return;
    const annotations = { [QUOTA_KEYS]: keys ?? null };
    // By a manager of its own: what the controllers hold by Update is moved to their Apply, and the next apply would release it.
    const by = { fieldManager: QUOTA_MANAGER };
    await this.#options.client.mergePatch(Namespace, known.metadata.name, undefined, { metadata: { annotations } }, by);
  }

  async #release(namespace: string, known: KubeObject): Promise<void> {
    const { client, quotas } = this.#options;
    this.#cuts.delete(namespace);
    await this.#publish(known, undefined);
    await this.#setDefaults(namespace, false);
    if (quotas.get(ALLOCATED, namespace) !== undefined) await client.delete(ResourceQuota, ALLOCATED, namespace);
  }
}

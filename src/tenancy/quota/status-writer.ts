/**
 * Writes what {@link tenantQuota} says into the status of Tenants, and the conditions about budgets. Use changes all the time:
 * it is written after a while, for all that happened meanwhile.
 */
import { createHash } from "node:crypto";
import { ROOT } from "../../apps/tenant/place.ts";
import { Event, type EventObject } from "../../contracts/core.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import { type Outcome, type WorkQueue, workQueue } from "../../kube/queue.ts";
import type { Store } from "../../kube/store.ts";
import { timestamp, type World } from "../../kube/world.ts";
import { conditionsOf } from "../../reconcile/status.ts";
import { tenantNamespace } from "../../sdk/names.ts";
import type { Budgets } from "./budgets.ts";
import type { Pools } from "./pools.ts";
import { type Condition, conditionsWith, type Finding } from "./quota-conditions.ts";
import { Tenant, type TenantObject } from "./tenant-kind.ts";
import { excessOf, type TenantQuota, tenantQuota } from "./tenant-status.ts";

export interface StatusWriterOptions {
  readonly client: Client;
  readonly world: World;
  readonly pools: Pools;
  readonly budgets: Budgets;
  readonly tenants: Store<TenantObject>;
  /** Why the gate can be bypassed; undefined: it cannot. Shown on the tenant of `tenant-root`. */
  readonly bypass: () => string | undefined;
  /** Milliseconds after which a change of use is written. Default 5,000. */
  readonly useDelay?: number;
  readonly onError?: (namespace: string, error: unknown) => void;
}

export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #queue: WorkQueue;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    const { world, onError } = options;
    const work = (owns: string): Promise<Outcome> => this.#work(owns);
    this.#queue = workQueue({ world, concurrency: 2, work, ...(onError === undefined ? {} : { onError }) });
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#queue.run(signal);
  }

  /** Budgets have changed: these tenants are written at once. */
  budgets(owned: Iterable<string>): void {
    for (const owns of owned) this.#queue.add(owns);
  }

  /** Use has changed in the namespace. */
  use(namespace: string): void {
    const { budgets, useDelay = 5_000 } = this.#options;
    const ancestors = budgets.placeOf(namespace)?.ancestors ?? [];
    for (const owns of [namespace, ...ancestors]) this.#queue.addAfter(owns, useDelay);
  }

  /** A Tenant was written: whoever wrote its status may have lost what was ours. */
  tenantChanged({ metadata, status }: TenantObject): void {
    if (status?.["quota"] === undefined && metadata.namespace !== ROOT) return;
    const owns = tenantNamespace(metadata.namespace ?? "", metadata.name);
    this.#queue.addAfter(owns, this.#options.useDelay ?? 5_000);
  }

  async #work(owns: string): Promise<Outcome> {
    const { pools, budgets, tenants } = this.#options;
    const tenant = budgets.ownerOf(owns);
    if (tenant === undefined || tenant.metadata.deletionTimestamp !== undefined) return { is: "done" };
    const { name, namespace = "" } = tenant.metadata;
    const children = tenants
      .list(owns)
      .map((child) => ({ name: child.metadata.name, owns: tenantNamespace(owns, child.metadata.name) }))
      .filter((child) => child.owns !== owns)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const quota = tenantQuota({ owns, pools, budgets, children });
    const stored = tenant.status ?? {};
    const now = timestamp(this.#options.world);
    const findings = this.#findings(owns);
    const conditions = conditionsWith(stored["conditions"], findings, tenant.metadata.generation ?? 0, now);
    const change = changeOf(stored, quota, conditions);
    if (change === undefined) return { is: "done" };
    // Others write conditions too: of two lists that do not know of each other one would be lost.
    const { uid, resourceVersion } = tenant.metadata;
    const metadata = conditions === undefined ? { uid } : { uid, resourceVersion };
    try {
      const written = await this.#options.client.mergePatch(
        Tenant,
        name,
        namespace,
        { metadata, status: change },
        { subresource: "status" },
      );
      tenants.assume(written);
    } catch (error) {
      if (isApiError(error, "NotFound")) return { is: "done" };
      // It changed; the change comes by the watch.
      if (isApiError(error, "Conflict")) return { is: "again", after: 200 };
      throw error;
    }
    if (conditions !== undefined) await this.#tell(owns, findings, stored["conditions"]);
    return { is: "done" };
  }

  #findings(owns: string): readonly Finding[] {
    const { pools, budgets, bypass } = this.#options;
    const excess = excessOf(owns, pools, budgets);
    const over: Finding = {
      type: "QuotaOvercommitted",
      message: `${excess.join("; ")}. Raise the budget, or lower those of the tenants below; nothing that runs is stopped`,
      is: excess.length > 0,
      otherwise: "what is allocated and used fits the budget",
    };
    if (owns !== ROOT) return [over];
    const why = bypass();
    return [
      over,
      {
        type: "GateBypassed",
        message: `budgets are not checked when they are declared: ${why}`,
        is: why !== undefined,
        otherwise: "budgets are checked when they are declared",
      },
    ];
  }

  /** One Warning on the Namespace each time it becomes true, as upstream tells it. */
  async #tell(owns: string, findings: readonly Finding[], before: unknown): Promise<void> {
    const over = findings.find(({ type, is }) => type === "QuotaOvercommitted" && is);
    const was = conditionsOf({ conditions: before }).find(({ type }) => type === "QuotaOvercommitted");
    if (over === undefined || was?.status === "True") return;
    const time = timestamp(this.#options.world);
    const name = `${owns}.${createHash("sha256")
      .update(over.message + time)
      .digest("hex")
      .slice(0, 16)}`;
    const event: EventObject = Event(name, {
      namespace: "default",
      involvedObject: { apiVersion: "v1", kind: "Namespace", name: owns },
      type: "Warning",
      reason: "QuotaOvercommitted",
      message: over.message,
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
      source: { component: "cozystack-quota" },
    });
    await this.#options.client.create(Event, event);
  }
}

/** What of the status to write; undefined: nothing. null takes away. */
function changeOf(
  stored: Readonly<Record<string, unknown>>,
  quota: TenantQuota | undefined,
  conditions: readonly Condition[] | undefined,
): object | undefined {
  const before = stored["quota"];
  const sameQuota = canonical(before) === canonical(quota);
  if (sameQuota && conditions === undefined) return undefined;
  return {
    ...(sameQuota ? {} : { quota: quota === undefined ? null : replacing(before, quota) }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

/** The merge patch that makes the one the other: what is not in it any more is null. */
function replacing(before: unknown, after: object): object {
  const gone: Record<string, null> = {};
  const merged: Record<string, unknown> = {};
  const known = isObject(before) ? before : {};
  for (const key of Object.keys(known)) if (!Object.hasOwn(after, key)) gone[key] = null;
  for (const [key, value] of Object.entries(after)) {
    merged[key] = isObject(value) ? replacing(known[key], value) : value;
  }
  return { ...gone, ...merged };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}

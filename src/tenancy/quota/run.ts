/**
 * The quota controllers of a process: ledgers are settled, shares enforced, statuses kept. One process at a time runs them.
 */
import { ROOT } from "../../apps/tenant/place.ts";
import { LimitRange, Namespace, ResourceQuota } from "../../contracts/core.ts";
import { QuotaLedger } from "../../contracts/internal-cozystack-io.ts";
import type { Client } from "../../kube/client.ts";
import { ValidatingWebhookConfiguration } from "../../kube/core-kinds.ts";
import type { AnyKind } from "../../kube/object.ts";
import type { Stores } from "../../kube/stores.ts";
import type { World } from "../../kube/world.ts";
import type { ContextSource } from "../../reconcile/context.ts";
import type { ClusterValues } from "../../sdk/context.ts";
import type { Amounts } from "./amounts.ts";
import { Budgets } from "./budgets.ts";
import { ALLOCATED, RefusalMemory } from "./demands.ts";
import { Enforcer } from "./enforcer.ts";
import { LEDGER_NAMESPACE } from "./ledger.ts";
import type { Pool } from "./pool.ts";
import { Pools } from "./pools.ts";
import { DEFAULTS } from "./quota-objects.ts";
import type { RefusalSource } from "./refusal-source.ts";
import { watchRefusals } from "./refusal-watch.ts";
import { Settler } from "./settler.ts";
import { StatusWriter } from "./status-writer.ts";
import { placeOfNamespace, Tenant } from "./tenant-kind.ts";
import { bypass, GATE_CONFIGURATION } from "./webhook.ts";

/** Kinds that stores shared with others must keep whole. */
export const quotaSources: readonly AnyKind[] = [ResourceQuota, QuotaLedger, ValidatingWebhookConfiguration];

export interface QuotaOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  /** Where the platform's values come from: allocation ratios, and the buffer. */
  readonly contexts: ContextSource;
  /** Which namespaces, with what is ordered in them, count at all. Default: all. */
  readonly scope?: (namespace: string) => boolean;
  /** See StatusWriterOptions. */
  readonly useDelay?: number;
  /** See GateOptions. */
  readonly reservedMs?: number;
  /** What controllers of this process were refused by quotas; others tell it by events. */
  readonly refusals?: RefusalSource;
  readonly onError?: (what: string, error: unknown) => void;
}

/** Runs until the signal is aborted. */
export async function runQuotas(options: QuotaOptions, signal: AbortSignal): Promise<void> {
  const { client, stores, world, contexts, scope = () => true, onError = () => undefined } = options;
  const named = (name: string) => ({ fieldSelector: `metadata.name=${name}` });
  const tenants = stores.use(Tenant);
  const namespaces = stores.useMetadata(Namespace);
  const quotas = stores.use(ResourceQuota, named(ALLOCATED));
  const defaults = stores.useMetadata(LimitRange, named(DEFAULTS));
  const ledgers = stores.use(QuotaLedger, { namespace: LEDGER_NAMESPACE });
  const gates = stores.use(ValidatingWebhookConfiguration, named(GATE_CONFIGURATION));
  const used = [tenants, namespaces, quotas, defaults, ledgers, gates];

  let cluster: ClusterValues | undefined;
  const readCluster = async (): Promise<void> => {
    const answer = await contexts.contextOf(ROOT, signal);
    if (answer.is === "known") cluster = answer.context.cluster;
  };
  const told = (what: string) => (key: string, error: unknown) => onError(`${what} ${key}`, error);
  const demands = new RefusalMemory(world);
  const pools: Pools = new Pools((pool: Pool) => enforcer.onRoom(pool));
  const budgets: Budgets = new Budgets({
    pools,
    tenants: tenants.store,
    namespaces: namespaces.store,
    cluster: () => cluster,
    onChange: (place, keys) => {
      enforcer.budgetChanged(place, keys);
      statuses.budgets([...place.ancestors, ...(keys ? pools.subtree(place.owns) : []), place.owns]);
    },
    onError: told("budget"),
  });
  const enforcer: Enforcer = new Enforcer({
    client,
    world,
    pools,
    budgets,
    demands,
    namespaces: namespaces.store,
    quotas: quotas.store,
    defaults: defaults.store,
    isKnown: () => cluster !== undefined,
    onError: told("quota"),
    onUse: (namespace) => statuses.use(namespace),
  });
  const statuses = new StatusWriter({
    client,
    world,
    pools,
    budgets,
    tenants: tenants.store,
    bypass: () => bypass(gates.store.get(GATE_CONFIGURATION)),
    ...(options.useDelay === undefined ? {} : { useDelay: options.useDelay }),
    onError: told("quota status"),
  });
  const settler = new Settler({
    client,
    world,
    tenants: tenants.store,
    ledgers: ledgers.store,
    placeOf: (namespace) => budgets.placeOf(namespace),
    ...(options.reservedMs === undefined ? {} : { reservedMs: options.reservedMs }),
    onError: told("ledger"),
  });

  let begun = false;
  const recompute = async () => {
    await readCluster();
    // Before the stores are complete nothing is computed yet that could be outdated.
    if (begun) budgets.recompute();
  };
  const refused = (namespace: string, amounts: Amounts): void => {
    if (!scope(namespace)) return;
    demands.refused(namespace, amounts);
    enforcer.look(namespace);
  };
  const deaf = options.refusals?.onRefusal(refused) ?? (() => undefined);
  const leave = contexts.onChange((namespace) => {
    if (namespace !== undefined && namespace !== ROOT) return;
    recompute().catch((error: unknown) => {
      if (!signal.aborted) onError("platform values", error);
    });
  });
  try {
    await Promise.all([readCluster(), ...used.map(({ store }) => store.ready(signal))]);
    begun = true;
    namespaces.store.subscribe(({ type, object }) => {
      const { name } = object.metadata;
      if (!scope(name)) return;
      const place = placeOfNamespace(object);
      if (type === "deleted") {
        pools.removeNamespace(name);
        demands.forget(name);
      } else budgets.namespaceChanged(name);
      if (place !== undefined) enforcer.namespaceChanged(name, place.ancestors);
    });
    tenants.store.subscribe((change) => {
      if (!scope(change.object.metadata.namespace ?? "")) return;
      budgets.tenantChanged(change.object, change.type === "deleted");
      settler.tenantChanged(change);
      statuses.tenantChanged(change.object);
    });
    ledgers.store.subscribe((change) => {
      if (scope(change.object.metadata.name)) settler.ledgerChanged(change);
    });
    quotas.store.subscribe((change) => {
      if (scope(change.object.metadata.namespace ?? "")) enforcer.quotaChanged(change);
    });
    defaults.store.subscribe(({ object: { metadata } }) => {
      if (scope(metadata.namespace ?? "")) enforcer.look(metadata.namespace ?? "");
    });
    if (scope(ROOT)) {
      gates.store.subscribe(() => statuses.budgets([ROOT]));
      statuses.budgets([ROOT]);
    }
    await Promise.all([
      enforcer.run(signal),
      statuses.run(signal),
      settler.run(signal),
      watchRefusals(
        {
          client,
          world,
          onError: (error) => onError("refusals", error),
          onRefusal: refused,
        },
        signal,
      ),
    ]);
  } finally {
    leave();
    deaf();
    for (const { release } of used) release();
  }
}

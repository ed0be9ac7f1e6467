/**
 * An instance of the gate, fed from the process's stores. Any number of instances may run.
 */
import { randomBytes } from "node:crypto";
import { ROOT } from "../../apps/tenant/place.ts";
import { Namespace, ResourceQuota, Secret } from "../../contracts/core.ts";
import { QuotaLedger } from "../../contracts/internal-cozystack-io.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import type { Stores } from "../../kube/stores.ts";
import type { World } from "../../kube/world.ts";
import type { ContextSource } from "../../reconcile/context.ts";
import type { ClusterValues } from "../../sdk/context.ts";
import { Budgets } from "./budgets.ts";
import { ALLOCATED } from "./demands.ts";
import { Gate } from "./gate.ts";
import { usageKey } from "./keys.ts";
import { LEDGER_NAMESPACE } from "./ledger.ts";
import { Pools } from "./pools.ts";
import { quotaStateOf } from "./quota-objects.ts";
import { placeOfNamespace, Tenant } from "./tenant-kind.ts";

export interface OpenGateOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  readonly contexts: ContextSource;
  /** See GateOptions. */
  readonly reservedMs?: number;
  readonly onError?: (what: string, error: unknown) => void;
}

/** Resolves when the instance may decide: it has seen all tenants, and the ledgers have them. Ends with the signal. */
export async function openGate(options: OpenGateOptions, signal: AbortSignal): Promise<Gate> {
  const { client, stores, world, contexts, onError = () => undefined } = options;
  const tenants = stores.use(Tenant);
  const namespaces = stores.useMetadata(Namespace);
  const quotas = stores.use(ResourceQuota, { fieldSelector: `metadata.name=${ALLOCATED}` });
  const ledgers = stores.use(QuotaLedger, { namespace: LEDGER_NAMESPACE });
  const used = [tenants, namespaces, quotas, ledgers];
  const end = (): void => {
    for (const { release } of used) release();
  };
  signal.addEventListener("abort", end, { once: true });
  let cluster: ClusterValues | undefined;
  const readCluster = async (): Promise<void> => {
    const answer = await contexts.contextOf(ROOT, signal);
    if (answer.is === "known") cluster = answer.context.cluster;
  };
  await Promise.all([readCluster(), ...used.map(({ store }) => store.ready(signal))]);
  const pools = new Pools();
  const budgets = new Budgets({
    pools,
    tenants: tenants.store,
    namespaces: namespaces.store,
    // What is used is counted the same whatever is enforced of a budget.
    cluster: () => cluster ?? {},
    onChange: () => undefined,
    onError: (tenant, error) => onError(`budget ${tenant}`, error),
  });
  namespaces.store.subscribe(({ type, object }) => {
    if (type === "deleted") pools.removeNamespace(object.metadata.name);
    else budgets.namespaceChanged(object.metadata.name);
  });
  quotas.store.subscribe(({ type, object }) => {
    pools.setQuota(object.metadata.namespace ?? "", type === "deleted" ? undefined : quotaStateOf(object));
  });
  const gate = new Gate({
    client,
    world,
    placeOf: async (namespace) => {
      const known = placeOfNamespace(namespaces.store.get(namespace));
      // The namespace may be younger than what the watch has brought.
      return known ?? placeOfNamespace(await client.getMetadata(Namespace, namespace));
    },
    used: (tenant, resource, except) => pools.usedOf(tenant, usageKey(resource), except),
    ...(options.reservedMs === undefined ? {} : { reservedMs: options.reservedMs }),
  });
  tenants.store.subscribe(({ type, object }) => {
    gate.landed.note(object.metadata.uid, object.metadata.resourceVersion);
    budgets.tenantChanged(object, type === "deleted");
  });
  ledgers.store.subscribe(({ type, object }) => {
    if (type === "deleted") gate.ledgers.forget(object.metadata.name);
    else gate.ledgers.learn(object);
  });
  await gate.prepare();
  return gate;
}

const SECRET = "cozystack-tenant-budgets";

/** The secret in the gate's path, the same for all instances: made by whichever comes first. */
export async function gateSecret(client: Client): Promise<string> {
  for (;;) {
    const stored = (await client.get(Secret, SECRET, LEDGER_NAMESPACE))?.data?.["path"];
    if (stored !== undefined) return stored;
    const data = { path: Buffer.from(randomBytes(32).toString("hex")).toString("base64") };
    try {
      await client.create(Secret, Secret(SECRET, { namespace: LEDGER_NAMESPACE, type: "Opaque", data }));
    } catch (error) {
      if (!isApiError(error, "AlreadyExists")) throw error;
    }
  }
}

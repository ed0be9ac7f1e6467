/**
 * People who order, change and delete tenants with budgets, at random and all at once, over two instances of the gate that
 * are killed now and then; and a watcher that judges every revision.
 */

import type { QuotaLedgerSpec } from "../../src/contracts/internal-cozystack-io.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { TenantPlace } from "../../src/sdk/context.ts";
import { type Amounts, readAmounts } from "../../src/tenancy/quota/amounts.ts";
import { Charges, overcommitted } from "../../src/tenancy/quota/charges.ts";
import { Gate } from "../../src/tenancy/quota/gate.ts";
import { ledgerOf } from "../../src/tenancy/quota/ledger.ts";
import type { Observation } from "../../src/tenancy/quota/observation.ts";
import type { Row } from "../../src/tenancy/quota/row.ts";
import { settleLedger } from "../../src/tenancy/quota/settle.ts";
import { placeBelow, seenOf, Tenant, tenantKey } from "../../src/tenancy/quota/tenant-kind.ts";
import { SimulatedCluster } from "./simulated-cluster.ts";
import { Turns, testClock } from "./turns.ts";

const REQUEST_TIMEOUT = 60_000;
const WEBHOOK_TIMEOUT = 5_000;
const RESERVED = 150_000;

interface Instance {
  readonly gate: Gate;
  readonly alive: { is: boolean };
  readonly ready: Promise<void>;
}

export interface Run {
  readonly operations: number;
  /** Budgets that were exceeded at some revision; must be empty. */
  readonly exceeded: readonly string[];
  readonly admitted: number;
  readonly refused: number;
  readonly kills: number;
  /** Rows of all ledgers that do not say what the Tenants say, after everything has come to rest. */
  readonly leaked: readonly string[];
  /** Ledgers after all tenants were deleted. */
  readonly left: readonly string[];
}

const names = ["a", "b", "c"];
const resources = ["cpu", "memory", "nvidia.com/gpu"];

/** A tree of all tenants that may exist, by their namespaces. */
function places(depth: number): readonly TenantPlace[] {
  const all: TenantPlace[] = [{ namespace: "tenant-root", ancestors: [] }];
  for (const parent of all) {
    if (parent.ancestors.length >= depth) continue;
    for (const name of names) {
      const { owns, ancestors } = placeBelow(name, parent);
      all.push({ namespace: owns, ancestors });
    }
  }
  return all;
}

/** `ungated`: nobody asks the gate, to see that it would show. */
export async function randomTenants(
  seed: number,
  operations: number,
  { ungated = false }: { readonly ungated?: boolean } = {},
): Promise<Run> {
  const turns = new Turns(seed);
  const clock = testClock(turns.random);
  const cluster = new SimulatedCluster(turns);
  const tree = places(3);
  const exceeded: string[] = [];
  let [admitted, refused, kills, uids] = [0, 0, 0, 0];

  const start = (): Instance => {
    const alive = { is: true };
    const gate = new Gate({
      client: cluster.client(() => !alive.is),
      world: clock,
      placeOf: async (namespace) => tree.find((place) => place.namespace === namespace),
      used: () => 0n,
      reservedMs: RESERVED,
    });
    const ready = gate.prepare();
    ready.catch(() => undefined);
    return { gate, alive, ready };
  };
  const instances: [Instance, Instance] = [start(), start()];

  const judge = (): void => {
    const rows = new Map<string, Row>();
    for (const tenant of cluster.all("Tenant")) {
      const parent = tree.find(({ namespace }) => namespace === tenant.metadata.namespace);
      if (parent === undefined) continue;
      const place = placeBelow(tenant.metadata.name, parent);
      rows.set(place.owns, { ...place, stored: seenOf(tenant), pending: [] });
    }
    for (const owns of rows.keys()) {
      for (const [resource, { total, allocated }] of overcommitted(rows, owns)) {
        exceeded.push(`revision ${cluster.version}: ${owns} has ${allocated} of ${total} ${resource}`);
      }
    }
  };

  const amounts = (): Record<string, string> => {
    const most = turns.pick([2, 6, 20]) ?? 1;
    const chosen = resources.filter(() => turns.chance(0.5));
    return Object.fromEntries(chosen.map((resource) => [resource, String(1 + turns.below(most))]));
  };

  /** What a gate says; undefined when none answered, which is a no. */
  const ask = async (
    place: TenantPlace,
    name: string,
    budget: Amounts,
    over: Parameters<Gate["decide"]>[0]["over"],
  ): Promise<boolean> => {
    if (ungated) return true;
    const instance = instances[turns.below(2)];
    if (instance === undefined) return false;
    try {
      await instance.ready;
      const write = {
        name,
        namespace: place.namespace,
        amounts: budget,
        over,
        force: false,
        dryRun: turns.chance(0.05),
      };
      const began = clock.now();
      const { is } = await instance.gate.decide(write);
      if (is === "refused") refused += 1;
      // The API server has given up on the answer.
      if (clock.now() - began > WEBHOOK_TIMEOUT) return false;
      return is === "admitted" && !write.dryRun;
    } catch {
      return false;
    }
  };

  const create = async (place: TenantPlace, name: string): Promise<void> => {
    uids += 1;
    const object = Tenant(name, {
      namespace: place.namespace,
      metadata: { uid: `uid-${uids}` },
      spec: { resourceQuotas: amounts() },
    });
    const budget = readAmounts(object.spec?.resourceQuotas);
    if (budget.size > 0 && !(await ask(place, name, budget, { creates: `uid-${uids}` }))) return;
    const began = clock.now();
    await turns.turn();
    // Gone on its way, or too late.
    if (turns.chance(0.15) || clock.now() - began > REQUEST_TIMEOUT) return;
    const stored = cluster.put(object, undefined);
    if (stored !== undefined) admitted += 1;
    judge();
    // The watches bring it, one sooner than the other.
    for (const { gate, alive } of instances) {
      await turns.turn();
      if (alive.is) gate.landed.note(stored?.metadata.uid, stored?.metadata.resourceVersion);
    }
  };

  const update = async (place: TenantPlace, name: string): Promise<void> => {
    const wanted = amounts();
    const stale = turns.chance(0.3) ? cluster.stored("Tenant", place.namespace, name) : undefined;
    if (stale !== undefined) await turns.turn();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      // The API server's first attempt may be on what its cache holds.
      const live = (attempt === 0 ? stale : undefined) ?? cluster.stored("Tenant", place.namespace, name);
      if (live === undefined) return;
      const differs = JSON.stringify(valueAt(live, "spec", "resourceQuotas")) !== JSON.stringify(wanted);
      if (differs && !(await ask(place, name, readAmounts(wanted), seenOf(live)))) return;
      const began = clock.now();
      await turns.turn();
      if (turns.chance(0.15) || clock.now() - began > REQUEST_TIMEOUT) return;
      const stored = cluster.put({ ...live, spec: { resourceQuotas: wanted } }, live.metadata.resourceVersion);
      judge();
      if (stored === undefined) continue;
      admitted += 1;
      return;
    }
  };

  /** An edit that has nothing to do with budgets, so that no gate sees it. */
  const touch = async (place: TenantPlace, name: string): Promise<void> => {
    const live = cluster.stored("Tenant", place.namespace, name);
    await turns.turn();
    if (live !== undefined) cluster.put(live, live.metadata.resourceVersion);
  };

  const look = async (): Promise<Observation> => {
    const client = cluster.client(() => false);
    const began = clock.now();
    const { items, resourceVersion } = await client.list(Tenant);
    const seen = new Map(items.map((one) => [tenantKey(one.metadata.namespace, one.metadata.name), seenOf(one)]));
    return { at: (key) => seen.get(key), asOf: resourceVersion, expiredBefore: began - RESERVED };
  };
  const settle = async (): Promise<void> => {
    const { ledgers } = new Gate({
      client: cluster.client(() => false),
      world: clock,
      placeOf: async () => undefined,
      used: () => 0n,
    });
    const observation = await look();
    for (const { metadata } of cluster.all("QuotaLedger")) await settleLedger(ledgers, metadata.name, { observation });
  };

  for (let operation = 0; operation < operations; operation += 1) {
    const place = turns.pick(tree.filter(({ ancestors }) => ancestors.length < 3));
    const name = turns.pick(names);
    if (place === undefined || name === undefined) continue;
    const dice = turns.random();
    // The root tenant is ordered in its own namespace.
    const who = place.namespace === "tenant-root" && turns.chance(0.15) ? "root" : name;
    if (dice < 0.35) turns.start(() => create(place, who));
    else if (dice < 0.72) turns.start(() => update(place, who));
    else if (dice < 0.8) turns.start(() => touch(place, who));
    else if (dice < 0.97) cluster.remove("Tenant", place.namespace, who);
    else turns.start(settle);
    if (turns.chance(0.01)) {
      const index = turns.below(2) === 0 ? 0 : 1;
      instances[index].alive.is = false;
      instances[index] = start();
      kills += 1;
    }
    if (turns.chance(0.3)) clock.advance(turns.below(2_000));
    if (turns.chance(0.01)) clock.advance(RESERVED);
    for (let step = turns.below(14); step > 0; step -= 1) await turns.step();
    while (turns.running > 25) await turns.step();
  }
  await turns.drain();

  const rest = async (): Promise<void> => {
    clock.advance(RESERVED + REQUEST_TIMEOUT);
    for (let again = 0; again < 4; again += 1) turns.start(settle);
    await turns.drain();
  };
  await rest();
  const leaked = leaks(cluster, tree);
  for (const { metadata } of cluster.all("Tenant")) cluster.remove("Tenant", metadata.namespace, metadata.name);
  await rest();
  const left = cluster.all("QuotaLedger").map(({ metadata }) => metadata.name);
  return { operations, exceeded, admitted, refused, kills, leaked, left };
}

/** Differences between the ledgers and the tenants there are. */
function leaks(cluster: SimulatedCluster, tree: readonly TenantPlace[]): readonly string[] {
  const said: string[] = [];
  for (const object of cluster.all("QuotaLedger")) {
    const ledger = ledgerOf({ ...object, spec: specOf(object) });
    if (ledger.into !== undefined) continue;
    for (const row of ledger.rows.values()) {
      const charges = new Charges(new Map([[row.owns, row]]));
      for (const resource of resources) {
        const charge = charges.charge(row.owns, resource);
        if (charge > 0n) said.push(`${row.owns} ${resource} ${charge}`);
      }
    }
  }
  const actual: string[] = [];
  for (const tenant of cluster.all("Tenant")) {
    const parent = tree.find(({ namespace }) => namespace === tenant.metadata.namespace);
    if (parent === undefined) continue;
    const { owns } = placeBelow(tenant.metadata.name, parent);
    for (const [resource, nano] of seenOf(tenant).amounts) if (nano > 0n) actual.push(`${owns} ${resource} ${nano}`);
  }
  const [inLedgers, inTenants] = [new Set(said), new Set(actual)];
  return [
    ...said.filter((one) => !inTenants.has(one)).map((one) => `too much: ${one}`),
    ...actual.filter((one) => !inLedgers.has(one)).map((one) => `missing: ${one}`),
  ];
}

function specOf(object: object): QuotaLedgerSpec {
  return JSON.parse(JSON.stringify(valueAt(object, "spec")));
}

/**
 * What budgets cost: the time that the gate adds to an order of a tenant, alone and when many ask at once; and the work that the
 * enforcer does for each thing that is created or deleted, by the number of tenants that share a budget.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ANCESTORS, formatAncestors } from "../src/apps/tenant/place.ts";
import { QUOTA_KEYS } from "../src/apps/tenant/quota.ts";
import { Namespace, Pod } from "../src/contracts/core.ts";
import { QuotaLedger } from "../src/contracts/internal-cozystack-io.ts";
import type { Client } from "../src/kube/client.ts";
import { connect } from "../src/kube/connect.ts";
import { isApiError } from "../src/kube/errors.ts";
import { loadKubeconfig } from "../src/kube/kubeconfig.ts";
import { openStores } from "../src/kube/stores.ts";
import { systemWorld } from "../src/kube/world.ts";
import { fixedContext } from "../src/reconcile/context.ts";
import { LEDGER_NAMESPACE } from "../src/tenancy/quota/ledger.ts";
import { runQuotas } from "../src/tenancy/quota/run.ts";
import { Tenant } from "../src/tenancy/quota/tenant-kind.ts";
import { Cluster, cores, KEY } from "../test/budget/simulated-quotas.ts";
import { random } from "../test/budget/turns.ts";
import type { BenchOptions, Figure, Scenario } from "./figure.ts";
import { quantiles } from "./figure.ts";
import { type BenchEngine, openEngine, until, withServer } from "./lab.ts";

const contexts = fixedContext({
  cluster: {},
  namespace: { host: "", etcd: "", ingress: "", gateway: "", monitoring: "", seaweedfs: "", schedulingClass: "" },
  tenant: { namespace: "tenant-root", ancestors: [] },
  chartVersion: "0.0.0",
  apis: new Set(),
});

export async function run(options: BenchOptions): Promise<readonly Figure[]> {
  const figures = [10, 100, 1_000].flatMap((members) => simulated(members, options.quick ? 2_000 : 20_000));
  const engine = await openEngine({ log: options.log, playing: true });
  try {
    for (const tenants of options.quick ? [10] : [10, 100, 1_000]) {
      options.log(`${tenants} tenants under one budget`);
      figures.push(...(await enforcerFigures(engine, tenants, options.quick ? 20 : 200)));
    }
    // Last: a cluster whose gate has gone declares no budgets any more.
    figures.push(...(await gateFigures(engine, options)));
  } finally {
    await engine.close();
  }
  return figures;
}

/** The gate alone. */
export const gate: Scenario = async (options) => {
  const engine = await openEngine({ log: options.log, playing: true });
  try {
    return await gateFigures(engine, options);
  } finally {
    await engine.close();
  }
};

/** Our own part of an event, without the API server: pools and decision. */
function simulated(members: number, events: number): readonly Figure[] {
  const cluster = new Cluster();
  const draw = random(members);
  const namespaces = ["tenant-a", ...Array.from({ length: members - 1 }, (_, index) => `tenant-a-m${index}`)];
  cluster.budget("tenant-a", ["tenant-root"], cores(members * 3));
  for (const each of namespaces)
    cluster.join(each, each === "tenant-a" ? ["tenant-root"] : ["tenant-root", "tenant-a"]);
  cluster.rest();
  const before = cluster.writes;
  const began = process.cpuUsage();
  for (let event = 0; event < events; event += 1) {
    const namespace = namespaces[Math.floor(draw() * members)] ?? "tenant-a";
    if (draw() < 0.5) cluster.create(namespace, cores(1));
    else cluster.remove(namespace, cores(1));
    for (const each of [...cluster.queue]) {
      cluster.work(each);
      cluster.enforce(each);
    }
  }
  const used = process.cpuUsage(began);
  return [
    {
      name: `enforcer, our CPU per event, ${members} tenants, ${KEY}`,
      value: (used.user + used.system) / events,
      unit: "µs",
    },
    {
      name: `enforcer, writes per event, ${members} tenants, ${KEY}`,
      value: (cluster.writes - before) / events,
      unit: "writes",
    },
  ];
}

/** A tenant's namespace as it is rendered; nothing else of it is needed here. */
async function place(client: Client, namespace: string, ancestors: readonly string[]): Promise<void> {
  const annotations = { [ANCESTORS]: formatAncestors({ namespace, ancestors }) };
  await client.create(Namespace, Namespace(namespace, { annotations }));
}

async function gateFigures(
  { client, kubeconfig }: BenchEngine,
  { quick, log }: BenchOptions,
): Promise<readonly Figure[]> {
  const count = quick ? 30 : 300;
  const parent = "tenant-gate";
  await client.create(Tenant, Tenant("gate", { namespace: "tenant-root", spec: { resourceQuotas: { cpu: 100_000 } } }));
  await place(client, parent, ["tenant-root"]);
  const order = async (name: string): Promise<number> => {
    const began = performance.now();
    await client.create(
      Tenant,
      Tenant(name, { namespace: parent, spec: { resourceQuotas: { cpu: 1, memory: "1Gi" } } }),
    );
    return performance.now() - began;
  };
  const timed = async (prefix: string, atOnce: number): Promise<readonly number[]> => {
    const times: number[] = [];
    let next = 0;
    const worker = async () => {
      while (next < count) times.push(await order(`${prefix}${next++}`));
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return times;
  };
  await timed("warm", 1);
  log(`${count} tenants ordered without a gate, then with one`);
  const [without, withoutAtOnce] = [quantiles(await timed("a", 1)), quantiles(await timed("b", 20))];
  return withServer(kubeconfig, async () => {
    // The API server reads the configuration anew within a second or two.
    await sleep(3_000);
    await timed("warmed", 1);
    const [gated, gatedAtOnce] = [quantiles(await timed("c", 1)), quantiles(await timed("d", 20))];
    const { items } = await client.list(QuotaLedger, { namespace: LEDGER_NAMESPACE });
    const rows = items.reduce((sum, { spec }) => sum + Object.keys(spec.rows).length, 0);
    const bytes = items.reduce((sum, item) => sum + JSON.stringify(item).length, 0);
    return [
      { name: "gate adds to an order, p50", value: gated.p50 - without.p50, unit: "ms" },
      { name: "gate adds to an order, p99", value: gated.p99 - without.p99, unit: "ms" },
      { name: "gate adds to an order, 20 at once, p50", value: gatedAtOnce.p50 - withoutAtOnce.p50, unit: "ms" },
      { name: "gate adds to an order, 20 at once, p99", value: gatedAtOnce.p99 - withoutAtOnce.p99, unit: "ms" },
      { name: "ledger, rows", value: rows, unit: "rows" },
      { name: "ledger, bytes per row", value: bytes / rows, unit: "B" },
    ];
  });
}

async function enforcerFigures(
  { client, kubeconfig }: BenchEngine,
  tenants: number,
  pods: number,
): Promise<readonly Figure[]> {
  const top = `tenant-e${tenants}`;
  const budget = { resourceQuotas: { cpu: tenants * 4, pods: tenants * 40 } };
  const namespaces = [top, ...Array.from({ length: tenants - 1 }, (_, index) => `${top}-m${index}`)];
  await place(client, top, ["tenant-root"]);
  const queue = namespaces.slice(1);
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await place(client, next, ["tenant-root", top]);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  const [before] = [await podCost(client, namespaces, pods)];
  await client.create(Tenant, Tenant(top.slice("tenant-".length), { namespace: "tenant-root", spec: budget }));
  const stop = new AbortController();
  const ours = connect({ ...loadKubeconfig(kubeconfig), fieldManager: "cozystack" });
  const stores = openStores({ client: ours, signal: stop.signal });
  const options = { client: ours, stores, world: systemWorld, contexts };
  const running = runQuotas(options, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  try {
    const shared = async (): Promise<boolean> => {
      const { items } = await client.listMetadata(Namespace);
      const named = new Set(namespaces);
      return items.every(
        ({ metadata }) => !named.has(metadata.name) || metadata.annotations?.[QUOTA_KEYS] !== undefined,
      );
    };
    await until("all shares are in force", 900_000, shared);
    await sleep(3_000);
    const writes = ours.counters.writes();
    const after = await podCost(client, namespaces, pods);
    return [
      {
        name: `enforcer on the API server, our CPU per pod created and deleted, ${tenants} tenants`,
        value: Math.max(0, after - before),
        unit: "ms",
      },
      {
        name: `enforcer on the API server, writes per pod created and deleted, ${tenants} tenants`,
        value: (ours.counters.writes() - writes) / pods,
        unit: "writes",
      },
    ];
  } finally {
    stop.abort();
    await running;
    await ours.close();
    for (const namespace of namespaces) await client.delete(Namespace, namespace);
  }
}

/** CPU of this process for each pod that is created in one namespace or another, and deleted; milliseconds. */
async function podCost(client: Client, namespaces: readonly string[], pods: number): Promise<number> {
  const draw = random(pods);
  const began = process.cpuUsage();
  for (let index = 0; index < pods; index += 1) {
    const namespace = namespaces[Math.floor(draw() * namespaces.length)] ?? "";
    const resources = { limits: { cpu: "10m" }, requests: { cpu: "1m" } };
    const pod = Pod(`p${index}`, { namespace, spec: { containers: [{ name: "c", image: "scratch", resources }] } });
    try {
      await client.create(Pod, pod);
      await client.delete(Pod, pod.metadata.name, namespace, { gracePeriodSeconds: 0 });
    } catch (error) {
      if (!isApiError(error, "QuotaExceeded", "Forbidden")) throw error;
    }
    await sleep(5);
  }
  // What follows in its own time.
  await sleep(2_000);
  const used = process.cpuUsage(began);
  return (used.user + used.system) / 1000 / pods;
}

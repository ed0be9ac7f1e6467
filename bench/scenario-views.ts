/**
 * What users see, with a thousand tenants and five hundred people who watch: how long the aggregated API takes to answer, and how
 * soon a person sees a tenant after somebody gave it to them.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../src/kube/client.ts";
import { Namespace } from "../src/kube/core-kinds.ts";
import { grant, TenantNamespace } from "../test/server/fixtures.ts";
import { type OpenWatch, openWatch } from "../test/server/watching.ts";
import { each } from "./applications.ts";
import type { BenchOptions, Figure } from "./figure.ts";
import { quantiles } from "./figure.ts";
import { type BenchEngine, openEngine, withServer } from "./lab.ts";

const API = "/apis/core.cozystack.io/v1alpha1";
const name = (index: number): string => `tenant-v${index}`;

interface Size {
  readonly tenants: number;
  readonly watches: number;
  readonly asked: number;
}

export async function run({ quick, log }: BenchOptions): Promise<readonly Figure[]> {
  const size = quick ? { tenants: 50, watches: 20, asked: 20 } : { tenants: 1000, watches: 500, asked: 300 };
  const engine = await openEngine({ log });
  try {
    return await withServer(engine.kubeconfig, () => figures(engine, size, log));
  } finally {
    await engine.close();
  }
}

async function figures(
  { client, kubeconfig }: BenchEngine,
  { tenants, watches, asked }: Size,
  log: (line: string) => void,
): Promise<readonly Figure[]> {
  // Everybody has a tenant of their own; ada has ten.
  await each(tenants, async (index) => {
    await client.create(Namespace, Namespace(name(index)));
    await grant(client, name(index), "people", [`person${index}`, ...(index < 10 ? ["ada"] : [])]);
  });
  const open: OpenWatch[] = [];
  await each(watches, async (index) => {
    const watch = await openWatch(
      kubeconfig,
      `${API}/tenantnamespaces`,
      { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: "true" },
      `person${index}`,
    );
    open.push(watch);
    await watch.next(({ initialEnd }) => initialEnd, 120);
  });
  log(`${tenants} tenants, ${watches} watches`);
  const ada = client.as({ user: "ada" });
  const [one, own, all, discovery] = [
    await timed(asked, () => ada.get(TenantNamespace, name(3))),
    await timed(asked, () => ada.raw("GET", `${API}/tenantnamespaces`)),
    await timed(asked, () => client.raw("GET", `${API}/tenantnamespaces`)),
    await timed(asked, () => ada.raw("GET", API)),
  ];
  const granted = await untilSeen(client, kubeconfig, Math.min(100, asked));
  for (const watch of open) watch.close();
  const at = `${tenants} tenants, ${watches} watches`;
  const measured = {
    GET: one,
    "LIST of ten": own,
    "LIST of all": all,
    discovery,
    "from RoleBinding to event": granted,
  };
  return Object.entries(measured).flatMap(([what, times]) => {
    const { p50, p99 } = quantiles(times);
    return [
      { name: `views: ${what} p50, ${at}`, value: p50, unit: "ms" },
      { name: `views: ${what} p99, ${at}`, value: p99, unit: "ms" },
    ];
  });
}

async function timed(count: number, ask: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    await ask();
    times.push(performance.now() - began);
  }
  return times;
}

/** Milliseconds from asking for a RoleBinding until the person's own watch shows the tenant. */
async function untilSeen(client: Client, kubeconfig: string, count: number): Promise<readonly number[]> {
  const watch = await openWatch(kubeconfig, `${API}/tenantnamespaces`, {}, "grace");
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    await grant(client, name(index), "later", ["grace"]);
    await watch.next((event) => event.type === "ADDED" && event.name === name(index), 60);
    times.push(performance.now() - began);
    await sleep(20);
  }
  watch.close();
  return times;
}

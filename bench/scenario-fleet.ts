/**
 * A fleet: a thousand applications of all kinds, modules included, one of each in every tenant. No operator answers and no
 * pod is made, as everywhere where targets are measured.
 */
import { kindByGroupKind } from "../src/contracts/index.ts";
import { Namespace } from "../src/kube/core-kinds.ts";
import { groupOf } from "../src/kube/object.ts";
import { furniture } from "../src/twin/furniture.ts";
import { moduleOrders, type Order, orders } from "../test/recipes/orders.ts";
import { each, rest } from "./applications.ts";
import { countsSince } from "./children.ts";
import { total } from "./etcd-size.ts";
import type { BenchOptions, Figure } from "./figure.ts";
import { appKind, type Lab, openLab, quiet, until } from "./lab.ts";
import { cpuSince, figuresOf, processFigures } from "./process-figures.ts";

const MiB = 2 ** 20;

/** One of each kind that people order, and of each module. Tenants are where they live. */
const fleet: readonly Order[] = [...orders.filter(({ app }) => app.kind !== "Tenant"), ...moduleOrders];

async function tenants({ client, namespace, controllers }: Lab, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => `t${index}`);
  const kind = appKind("Tenant");
  await each(count, (index) =>
    client.create(kind, {
      apiVersion: "apps.cozystack.io/v1alpha1",
      kind: "Tenant",
      metadata: { name: `t${index}`, namespace },
    }),
  );
  const namespaces = names.map((name) => `${namespace}-${name}`);
  await until("the tenants' namespaces", 600_000, async () => {
    const { items } = await client.listMetadata(Namespace);
    const there = new Set(items.map(({ metadata }) => metadata.name));
    return namespaces.every((name) => there.has(name));
  });
  await quiet(controllers);
  return namespaces;
}

export async function run({ quick, log }: BenchOptions): Promise<readonly Figure[]> {
  const wanted = quick ? fleet.length * 2 : 1000;
  const lab = await openLab({ log });
  try {
    for (const object of furniture) {
      const kind = kindByGroupKind(groupOf(object.apiVersion), object.kind);
      if (kind !== undefined) await lab.client.apply(kind, object);
    }
    const places = await tenants(lab, Math.ceil(wanted / fleet.length));
    const all = places.flatMap((namespace) => fleet.map((one) => ({ ...one, namespace }))).slice(0, wanted);
    log(`${all.length} applications of ${fleet.length} kinds in ${places.length} tenants`);
    const [counts, cpu, size] = [await lab.controllers.counts(), figuresOf(lab.pids), total(await lab.etcd())];
    const [before, started] = [processFigures(lab.controllers.pid).rssBytes, performance.now()];
    await each(all.length, async (index) => {
      const one = all[index];
      if (one === undefined) return;
      const { app, name, namespace, spec } = one;
      await lab.client.create(appKind(app.kind), {
        apiVersion: `${app.group}/v1alpha1`,
        kind: app.kind,
        metadata: { name, namespace },
        ...{ spec },
      });
    });
    await quiet(lab.controllers);
    // Without the two seconds by which rest is told.
    const seconds = (performance.now() - started) / 1000 - 2;
    const { writes, reads, errors } = countsSince(counts, await lab.controllers.counts());
    for (const line of errors.slice(0, 5)) log(`the controllers said: ${line}`);
    const used = cpuSince(cpu, figuresOf(lab.pids));
    const sum = Object.values(used).reduce((one, other) => one + other, 0);
    const stored = total(await lab.etcd());
    const grown = processFigures(lab.controllers.pid).rssBytes - before;
    const still = await rest(lab, quick ? 5 : 60);
    const count = all.length;
    const at = `${count} of all kinds`;
    return [
      { name: `fleet: kinds, ${at}`, value: fleet.length, unit: "kinds" },
      { name: `fleet: applied, ${at}`, value: (count * 60) / seconds, unit: "applications/min" },
      { name: `fleet: writes, ${at}`, value: writes / count, unit: "/application" },
      { name: `fleet: reads, ${at}`, value: reads / count, unit: "/application" },
      { name: `fleet: writes at rest, ${at}`, value: still.writes, unit: `in ${Math.round(still.seconds)} s` },
      { name: `fleet: CPU, all processes, ${at}`, value: (sum * 1000) / count, unit: "ms/application" },
      ...Object.entries(used).map(([process, spent]) => ({
        name: `fleet: CPU, ${process}, ${at}`,
        value: (spent * 1000) / count,
        unit: "ms/application",
      })),
      { name: `fleet: memory growth, ${at}`, value: grown / MiB, unit: "MiB" },
      { name: `fleet: etcd, ${at}`, value: (stored.bytes - size.bytes) / count / 1024, unit: "KB/application" },
      { name: `fleet: keys in etcd, ${at}`, value: (stored.keys - size.keys) / count, unit: "/application" },
    ];
  } finally {
    await lab.close();
  }
}

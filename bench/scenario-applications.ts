/**
 * Postgres by the hundred and by the thousand: created, read, left at rest, deleted, and beside others that never become
 * ready. No operator answers and nothing else writes, so that what is measured is our own work.
 */
import { type Ordered, order, type Phase, remove, rest } from "./applications.ts";
import { type Figure, quantiles, type Scenario } from "./figure.ts";
import { type Floor, floor } from "./floor.ts";
import { appKind, type Lab, openLab } from "./lab.ts";
import { reading } from "./reading.ts";

const KIND = "Postgres";
const STUCK = 50;
const MiB = 2 ** 20;

/** Two hundred. */
export const hundreds: Scenario = ({ quick, log }) => measureCount(quick ? 20 : 200, quick, log);

/** A thousand: what the targets are about. Takes ten minutes and more. */
export const thousand: Scenario = ({ quick, log }) => measureCount(quick ? 40 : 1000, quick, log);

async function measureCount(count: number, quick: boolean, log: (line: string) => void): Promise<readonly Figure[]> {
  const floors = [await floor(KIND, count, log)];
  const lab = await warmLab(log);
  try {
    const created = await order(lab, { kind: KIND, count, prefix: "a", until: "Released" });
    complain(created, log);
    const read = await reading(lab.client, appKind(KIND), lab.namespace, { prefix: "a", count });
    const still = await rest(lab, quick ? 5 : 60);
    const deleted = await remove(lab, { kind: KIND, count, prefix: "a" });
    complain(deleted, log);
    floors.push(await floor(KIND, count, log));
    const beside = await besideStuck(count, log);
    return [
      ...ratesOf(count, floors, { created, deleted, beside }),
      ...readsOf(count, read),
      ...costsOf(count, { created, deleted, still }),
    ];
  } finally {
    await lab.close();
  }
}

/** A lab whose caches, stores and code are in use already. */
async function warmLab(log: (line: string) => void): Promise<Lab> {
  const lab = await openLab({ log, ...profiled() });
  const few = { kind: KIND, count: 10, prefix: "warm" } as const;
  await order(lab, { ...few, until: "Released" });
  await remove(lab, few);
  return lab;
}

function profiled(): { readonly profile?: string } {
  const profile = process.env["BENCH_PROFILE"];
  return profile === undefined ? {} : { profile };
}

async function besideStuck(count: number, log: (line: string) => void): Promise<Ordered> {
  const lab = await warmLab(log);
  try {
    // No operator answers: none of them ever becomes ready, and each is looked at again whenever something about it happens.
    await order(lab, { kind: KIND, count: STUCK, prefix: "stuck", until: "Released" });
    return await order(lab, { kind: KIND, count, prefix: "a", until: "Released" });
  } finally {
    await lab.close();
  }
}

const perMinute = ({ operations, seconds }: Phase): number => (operations * 60) / seconds;
const sum = (values: Readonly<Record<string, number>>): number =>
  Object.values(values).reduce((all, value) => all + value, 0);
const mean = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0) / values.length;

interface Phases {
  readonly created: Ordered;
  readonly deleted: Phase;
  readonly beside: Ordered;
}

function ratesOf(count: number, floors: readonly Floor[], { created, deleted, beside }: Phases): readonly Figure[] {
  const objects = (floors[0]?.objects ?? 0) / count;
  const floorRate = mean(floors.map((one) => one.objects / one.seconds));
  const floorCpu = mean(floors.map((one) => sum(one.cpuSeconds) / one.objects));
  const at = `${count} Postgres`;
  const rate = perMinute(created);
  const [writes, cpu] = [created.writes / count, sum(created.cpuSeconds) / count];
  const big = count === 1000;
  return [
    { name: `(a) floor, ${at}`, value: floorRate, unit: "objects/s" },
    { name: `(a) floor CPU, ${at}`, value: floorCpu * 1000, unit: "ms/object" },
    { name: `(b) created, ${at}`, value: rate, unit: "applications/min" },
    {
      name: `(b) writes against floor, ${at}`,
      value: ((created.writes / created.seconds) * 100) / floorRate,
      unit: "% of requests/s",
      ...(big ? { target: { atLeast: 60 } } : {}),
    },
    {
      name: `(b) objects against floor, ${at}`,
      value: ((objects * count * 100) / created.seconds) * (1 / floorRate),
      unit: "% of objects/s",
      ...(big ? { target: { atLeast: 50 } } : {}),
    },
    { name: `(b) CPU a write against floor, ${at}`, value: (floorCpu * writes * 100) / cpu, unit: "% as cheap" },
    // The two of the rates above, as far as others who use the machine let them be told.
    { name: `(b) CPU an object against floor, ${at}`, value: (floorCpu * objects * 100) / cpu, unit: "% as cheap" },
    {
      name: `(c) beside ${STUCK} never ready, ${at}`,
      value: (perMinute(beside) * 100) / rate,
      unit: "% of (b)",
      target: { atLeast: 90 },
    },
    {
      name: `(c) CPU beside ${STUCK} never ready, ${at}`,
      value: (cpu * 100) / (sum(beside.cpuSeconds) / count),
      unit: "% as cheap",
    },
    { name: `(d) deleted, ${at}`, value: perMinute(deleted), unit: "applications/min", target: { atLeast: rate } },
  ];
}

function readsOf(count: number, { get, list }: Awaited<ReturnType<typeof reading>>): readonly Figure[] {
  const [one, all] = [quantiles(get), quantiles(list)];
  return [
    { name: `(e) GET p50, ${count} Postgres`, value: one.p50, unit: "ms" },
    { name: `(e) GET p99, ${count} Postgres`, value: one.p99, unit: "ms" },
    { name: `(e) LIST p50, ${count} Postgres`, value: all.p50, unit: "ms" },
    { name: `(e) LIST p99, ${count} Postgres`, value: all.p99, unit: "ms", target: { atMost: 300 } },
  ];
}

function costsOf(
  count: number,
  { created, deleted, still }: { readonly created: Ordered; readonly deleted: Phase; readonly still: Phase },
): readonly Figure[] {
  const at = `${count} Postgres`;
  const cpu = (phase: Phase, name: string): Figure[] =>
    Object.entries(phase.cpuSeconds).map(([process, seconds]) => ({
      name: `(j) CPU ${name}, ${process}, ${at}`,
      value: (seconds * 1000) / count,
      unit: "ms/application",
    }));
  return [
    { name: `(f) writes, ${at}`, value: created.writes / count, unit: "/application", target: { atMost: 12 } },
    {
      name: `(f) writes at rest, ${at}`,
      value: still.writes,
      unit: `in ${Math.round(still.seconds)} s`,
      target: { atMost: 0 },
    },
    { name: `(f) reads at rest, ${at}`, value: still.reads, unit: `in ${Math.round(still.seconds)} s` },
    { name: `(g) memory growth, ${at}`, value: created.rssGrowthBytes / MiB, unit: "MiB", target: { atMost: 256 } },
    { name: `(g) memory, ${at}`, value: created.rssBytes / MiB, unit: "MiB" },
    {
      name: `(j) CPU created, all processes, ${at}`,
      value: (sum(created.cpuSeconds) * 1000) / count,
      unit: "ms/application",
      target: { atMost: 120 },
    },
    ...cpu(created, "created"),
    { name: `(j) reads, ${at}`, value: created.reads / count, unit: "/application", target: { atMost: 2 } },
    {
      name: `(j) CPU deleted, all processes, ${at}`,
      value: (sum(deleted.cpuSeconds) * 1000) / count,
      unit: "ms/application",
    },
    ...cpu(deleted, "deleted"),
    { name: `(j) writes deleted, ${at}`, value: deleted.writes / count, unit: "/application" },
    { name: `(j) reads deleted, ${at}`, value: deleted.reads / count, unit: "/application" },
    {
      name: `(k) etcd, ${at}`,
      value: created.etcdBytes / count / 1024,
      unit: "KB/application",
      target: { atMost: 32 },
    },
  ];
}

function complain({ errors }: Phase, log: (line: string) => void): void {
  for (const line of errors.slice(0, 5)) log(`the controllers said: ${line}`);
}

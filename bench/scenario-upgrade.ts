/**
 * Checks and rehearsals over a cluster of 1,000 applications in 100 tenants, made by the twin: how long they take, how often they
 * ask the cluster, and how much memory they and the control plane of the copy have at most.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { ConfigMap } from "../src/contracts/core.ts";
import { Namespace } from "../src/kube/core-kinds.ts";
import { isRecord, valueAt } from "../src/kube/json.ts";
import { conditionsOf } from "../src/reconcile/status.ts";
import { ownStamp, stampObject } from "../src/upgrade/versions.ts";
import { each } from "./applications.ts";
import type { BenchOptions, Figure } from "./figure.ts";
import { appKind, type Lab, openLab, quiet, until } from "./lab.ts";
import { processFigures } from "./process-figures.ts";

const MiB = 2 ** 20;
const GiB = 2 ** 30;

/** What every tenant orders, beside the Info that it has. */
const ordered: readonly (readonly [kind: string, spec: object])[] = [
  ["Postgres", { replicas: 2 }],
  ["Redis", { replicas: 2 }],
  ["Bucket", {}],
  ["NATS", { replicas: 1 }],
  ["RabbitMQ", { replicas: 1 }],
  ["HTTPCache", { haproxy: { replicas: 1 }, nginx: { replicas: 1 }, endpoints: ["10.0.0.1:80"] }],
  ["TCPBalancer", { replicas: 1, httpAndHttps: { endpoints: ["10.0.0.1"] } }],
  ["VMDisk", { source: { image: { name: "ubuntu-24.04" } } }],
];

/** A configuration that gives every application other requests: all of them roll. */
const otherRatio = {
  apiVersion: "cozystack.io/v1alpha1",
  kind: "Package",
  metadata: { name: "cozystack.cozystack-platform" },
  spec: { components: { platform: { values: { resources: { cpuAllocationRatio: 5 } } } } },
};

export async function run({ quick, log }: BenchOptions): Promise<readonly Figure[]> {
  const count = quick ? 3 : 100;
  const lab = await openLab({ log, playing: true });
  const folder = mkdtempSync(join(tmpdir(), "cozystack-bench-upgrade-"));
  try {
    const { namespace, name, key } = stampObject;
    await lab.client.apply(ConfigMap, ConfigMap(name, { namespace, data: { [key]: String(ownStamp) } }));
    const applications = await fill(lab, count);
    log(`${applications} applications in ${count} tenants`);
    const change = join(folder, "change.yaml");
    writeFileSync(change, stringify(otherRatio));
    const check = await measured(["upgrade", "check", "--kubeconfig", lab.kubeconfig, "-o", "json"]);
    const same = await measured(["upgrade", "rehearse", "--kubeconfig", lab.kubeconfig, "-o", "json"]);
    const other = await measured(["upgrade", "rehearse", "--kubeconfig", lab.kubeconfig, "-f", change, "-o", "json"]);
    log(summary("the same version", same));
    log(summary("another ratio of CPU", other));
    return [
      { name: `upgrade: check, ${applications}`, value: check.seconds, unit: "s" },
      { name: `upgrade: check, memory, ${applications}`, value: check.peakBytes / MiB, unit: "MiB" },
      ...figures("rehearse, nothing changes", applications, same),
      ...figures("rehearse, all roll", applications, other),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await lab.close();
  }
}

async function fill(lab: Lab, count: number): Promise<number> {
  const tenant = appKind("Tenant");
  await each(count, (index) => lab.client.create(tenant, object("Tenant", `t${index}`, lab.namespace, {})));
  const places = Array.from({ length: count }, (_, index) => `${lab.namespace}-t${index}`);
  await until("the tenants' namespaces", 600_000, async () => {
    const { items } = await lab.client.listMetadata(Namespace);
    const there = new Set(items.map(({ metadata }) => metadata.name));
    return places.every((name) => there.has(name));
  });
  const all = places.flatMap((place) => ordered.map(([kind, spec]) => object(kind, "x", place, spec)));
  await each(all.length, async (index) => {
    const one = all[index];
    if (one !== undefined) await lab.client.create(appKind(one.kind), one);
  });
  await until("all applications", 60 * 60_000, async () => (await unready(lab)) === 0);
  await quiet(lab.controllers);
  // A Tenant and its Info as well.
  return all.length + 2 * count;
}

const object = (kind: string, name: string, namespace: string, spec: object) => ({
  apiVersion: "apps.cozystack.io/v1alpha1",
  kind,
  metadata: { name, namespace },
  ...{ spec },
});

async function unready(lab: Lab): Promise<number> {
  let left = 0;
  for (const kind of ["Tenant", ...ordered.map(([each]) => each)]) {
    const { items } = await lab.client.list(appKind(kind));
    left += items.filter((item) => !isReady(item)).length;
  }
  return left;
}

function isReady(item: object): boolean {
  return conditionsOf(valueAt(item, "status")).some(({ type, status }) => type === "Ready" && status === "True");
}

interface Measured {
  readonly seconds: number;
  /** The most that the command and what it started had together, looked at twice a second. */
  readonly peakBytes: number;
  readonly result: unknown;
}

function measured(words: readonly string[]): Promise<Measured> {
  const started = performance.now();
  const main = resolve(import.meta.dirname, "../src/cli/main.ts");
  const child = spawn(process.execPath, [main, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  let peakBytes = 0;
  const look = setInterval(() => {
    if (child.pid !== undefined) peakBytes = Math.max(peakBytes, memoryOf(child.pid));
  }, 500);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", () => {
      clearInterval(look);
      const result: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8") || "null");
      done({ seconds: (performance.now() - started) / 1000, peakBytes, result });
    });
  });
}

/** Of a process and those that it has started. */
function memoryOf(pid: number): number {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...children.map(Number)].reduce((sum, one) => {
    try {
      return sum + processFigures(one).rssBytes;
    } catch {
      return sum; // it has ended meanwhile
    }
  }, 0);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ")[1],
    );
  } catch {
    return undefined; // it has ended meanwhile
  }
}

function figures(what: string, applications: number, { seconds, peakBytes, result }: Measured): readonly Figure[] {
  const of = (name: string) => Number(valueAt(result, name) ?? Number.NaN);
  return [
    { name: `upgrade: ${what}, ${applications}`, value: seconds, unit: "s", target: { atMost: 600 } },
    { name: `upgrade: ${what}, reads, ${applications}`, value: of("requests"), unit: "requests" },
    {
      name: `upgrade: ${what}, memory, ${applications}`,
      value: peakBytes / GiB,
      unit: "GiB",
      target: { atMost: 4 },
    },
  ];
}

function summary(what: string, { result }: Measured): string {
  const effects = valueAt(result, "effects");
  const counts: Record<string, number> = {};
  for (const effect of Array.isArray(effects) ? effects : []) {
    const impact = isRecord(effect) ? String(effect["impact"]) : "";
    counts[impact] = (counts[impact] ?? 0) + 1;
  }
  const objects = String(valueAt(result, "copied", "objects"));
  return `${what}: ${objects} objects, settled ${String(valueAt(result, "settled"))}, ${JSON.stringify(counts)}`;
}

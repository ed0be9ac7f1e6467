/** `cozystack up` on an empty directory, the engine being built already: until something is ready, until all is. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildEngine, defaultCacheDirectory } from "../embedded/build.ts";
import { runningEngine } from "../embedded/engine.ts";
import { apps } from "../src/apps/index.ts";
import { connect } from "../src/kube/connect.ts";
import { valueAt } from "../src/kube/json.ts";
import { loadKubeconfig } from "../src/kube/kubeconfig.ts";
import { systemWorld } from "../src/kube/world.ts";
import { kindOfApp } from "../src/reconcile/instance.ts";
import { conditionsOf } from "../src/reconcile/status.ts";
import type { BenchOptions, Figure } from "./figure.ts";
import { until } from "./lab.ts";

const program = resolve(import.meta.dirname, "../src/cli/main.ts");

export async function run({ log }: BenchOptions): Promise<readonly Figure[]> {
  await buildEngine({ cacheDirectory: defaultCacheDirectory(process.env), log });
  const dataDir = mkdtempSync(join(tmpdir(), "cozystack-bench-"));
  const started = performance.now();
  const since = () => (performance.now() - started) / 1000;
  const child = spawn(process.execPath, [program, "up", "--data-dir", dataDir, "--demo", "--exit-when-ready"], {
    stdio: "ignore",
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  try {
    await until("the API server", 60_000, async () => runningEngine(dataDir)?.ready === true);
    const served = since();
    await firstReady(runningEngine(dataDir)?.kubeconfigPath ?? "");
    const first = since();
    const code = await ended;
    if (code !== 0) throw new Error(`up ended with ${code}`);
    return [
      { name: "(i) up: API server ready", value: served, unit: "s" },
      { name: "(i) up: first application Ready", value: first, unit: "s" },
      { name: "(i) up: the demonstration Ready, all stopped", value: since(), unit: "s" },
    ];
  } finally {
    child.kill("SIGTERM");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Of those that a user ordered: not the root tenant and what comes with it. */
async function firstReady(kubeconfig: string): Promise<void> {
  const client = connect({ ...loadKubeconfig(kubeconfig), fieldManager: "bench-user" });
  const ordered = apps.filter(({ kind }) => ["Postgres", "Redis", "ClickHouse", "Bucket", "VMDisk"].includes(kind));
  try {
    await until("an application is Ready", 300_000, async () => {
      for (const app of ordered) {
        try {
          const { items } = await client.list(kindOfApp(app), { resourceVersion: "0" });
          if (items.some((item) => conditionsOf(valueAt(item, "status")).some(isReady))) return true;
        } catch {
          // Its definition is not installed yet.
          await systemWorld.sleep(50);
        }
      }
      return false;
    });
  } finally {
    await client.close();
  }
}

const isReady = ({ type, status }: { readonly type: string; readonly status: string }): boolean =>
  type === "Ready" && status === "True";

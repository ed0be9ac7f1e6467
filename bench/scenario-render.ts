/** Rendering in the process against a template engine that is started for every application. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tools } from "../scripts/tools.ts";
import { apps } from "../src/apps/index.ts";
import { renderApp } from "../test/support/render.ts";
import type { BenchOptions, Figure } from "./figure.ts";
import { median } from "./measure.ts";

const KINDS = ["Postgres", "Redis", "ClickHouse", "Tenant"] as const;

export async function run({ quick }: BenchOptions): Promise<readonly Figure[]> {
  const rounds = quick ? 20 : 500;
  const figures = KINDS.flatMap((kind): Figure[] => {
    const app = apps.find((each) => each.kind === kind);
    if (app === undefined) return [];
    const times = Array.from({ length: rounds }, (_, index) => {
      const started = performance.now();
      renderApp(app, { name: `a${index}` });
      return performance.now() - started;
    });
    return [{ name: `(h) render, ${kind}`, value: median(times), unit: "ms" }];
  });
  const helm = helmTemplate(quick ? 3 : 20);
  return [...figures, { name: "(h) helm template, a chart of one ConfigMap", value: helm, unit: "ms" }];
}

function helmTemplate(rounds: number): number {
  const directory = mkdtempSync(join(tmpdir(), "cozystack-bench-"));
  try {
    const chart = join(directory, "chart");
    mkdirSync(join(chart, "templates"), { recursive: true });
    writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: chart\nversion: 0.1.0\n");
    const template = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n  a: b\n";
    writeFileSync(join(chart, "templates", "configmap.yaml"), template);
    const { helm } = tools();
    const times = Array.from({ length: rounds }, () => {
      const started = performance.now();
      execFileSync(helm, ["template", "a", chart], { env: { HOME: directory }, stdio: "ignore" });
      return performance.now() - started;
    });
    return median(times);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

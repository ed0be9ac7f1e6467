/** What measurements give: named figures, some with a target, and how they are shown and kept. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

export interface Figure {
  /** Stable: a baseline is compared by it. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it must be; absent where nothing is asked. */
  readonly target?: { readonly atMost: number } | { readonly atLeast: number };
}

export interface BenchOptions {
  /** Smaller and shorter, to see that everything works; the figures mean little. */
  readonly quick: boolean;
  readonly log: (line: string) => void;
}

/** One measurement: `npm run bench -- NAME`. */
export type Scenario = (options: BenchOptions) => Promise<readonly Figure[]>;

/** Figures of a machine, as `--json` writes them. */
interface Record {
  readonly machine: string;
  readonly figures: readonly Figure[];
}

/** The figures kept in the repository, to compare with. */
export const baselineFile = join(import.meta.dirname, "baseline.json");

/** Whether a figure is what it must be, as far as its digits say. */
function isMet({ value, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined;
  return "atMost" in target ? rounded(value) <= target.atMost : value >= target.atLeast;
}

/** Rounded to three significant digits, as little as noise allows to say. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

function targetText({ target }: Figure): string {
  if (target === undefined) return "";
  return "atMost" in target ? `at most ${target.atMost}` : `at least ${target.atLeast}`;
}

export function printFigures(figures: readonly Figure[]): void {
  const before = new Map(readBaseline().map(({ name, value }) => [name, value]));
  const rows = figures.map((figure) => {
    const met = isMet(figure);
    return {
      figure: figure.name,
      value: rounded(figure.value),
      unit: figure.unit,
      target: targetText(figure),
      met: met === undefined ? "" : met ? "yes" : "NO",
      baseline: rounded(before.get(figure.name) ?? Number.NaN),
    };
  });
  console.table(Object.fromEntries(rows.map(({ figure, ...rest }) => [figure, rest])));
}

function readBaseline(): readonly Figure[] {
  if (!existsSync(baselineFile)) return [];
  const { figures }: Record = JSON.parse(readFileSync(baselineFile, "utf8"));
  return figures;
}

/** Adds the figures to those of a file; one of the same name takes the other's place. */
export function writeFigures(file: string, figures: readonly Figure[]): void {
  const kept: Record = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { machine: "", figures: [] };
  const merged = new Map([...kept.figures, ...figures].map((figure) => [figure.name, figure]));
  const [cpu] = cpus();
  const machine = `${cpus().length} x ${cpu?.model ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  writeFileSync(file, `${JSON.stringify({ machine, figures: [...merged.values()].map(withRounded) }, undefined, 2)}\n`);
}

function withRounded(figure: Figure): Figure {
  return { ...figure, value: rounded(figure.value) };
}

/** The value in the middle, and the one that 99 of 100 do not exceed. */
export function quantiles(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

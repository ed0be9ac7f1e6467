/**
 * All cases of a scenario: the clean run, a kill before and after each of its writes, and faults by chance.
 */
import { randomBytes } from "node:crypto";
import { Namespace } from "../../src/contracts/core.ts";
import { concurrently } from "../../src/reconcile/concurrently.ts";
import { letGo } from "../support/leftovers.ts";
import { type CaseOptions, type CaseResult, runCase } from "./case.ts";
import { describe, type Fault } from "./faults.ts";
import type { Scenario } from "./scenario.ts";
import { difference } from "./snapshot.ts";

export interface SuiteOptions extends Pick<CaseOptions, "kubeconfig" | "admin"> {
  readonly scenario: Scenario;
  /** Take every n-th case. Default 1: all. */
  readonly every?: number;
  /** Only faults of this name. */
  readonly only?: Fault["is"];
  /** Seeds of each fault by chance. */
  readonly seeds: readonly number[];
  /** Cases at a time. Default 4. */
  readonly concurrency?: number;
  /** Told the result of each case. */
  readonly onCase?: (verdict: Verdict) => void;
}

export interface Verdict {
  readonly scenario: string;
  readonly fault: Fault;
  /** Empty: passed. */
  readonly problems: readonly string[];
  readonly injected: number;
}

/** Runs the cases of a scenario; gives one verdict for each. */
export async function runScenario(options: SuiteOptions): Promise<readonly Verdict[]> {
  const { scenario } = options;
  // Every tenant's people are let into it; with a platform installed it is there.
  await options.admin.apply(Namespace, Namespace("cozy-public"));
  const clean = await inNamespace(options, { is: "none" });
  const verdict = (fault: Fault, problems: readonly string[], injected: number): Verdict => {
    const made = { scenario: scenario.name, fault, problems, injected };
    options.onCase?.(made);
    return made;
  };
  const first = verdict({ is: "none" }, clean.complaints, 0);
  const faults = faultsOf(clean.writes, options.seeds)
    .filter(({ is }) => options.only === undefined || is === options.only)
    .filter((_, at) => at % (options.every ?? 1) === 0);
  const others = await concurrently(faults, options.concurrency ?? 4, async (fault) => {
    try {
      const result = await inNamespace(options, fault);
      return verdict(fault, problemsOf(scenario, clean, result), result.injected);
    } catch (error) {
      return verdict(fault, [error instanceof Error ? error.message : String(error)], 0);
    }
  });
  return [first, ...others];
}

/** A kill at every write, then every fault by chance with every seed. */
function faultsOf(writes: number, seeds: readonly number[]): readonly Fault[] {
  const numbers = Array.from({ length: writes }, (_, at) => at + 1);
  const kills = numbers.flatMap((at): readonly Fault[] => [
    { is: "kill", at, when: "before" },
    { is: "kill", at, when: "after" },
  ]);
  const byChance = ["sigkill", "lostAnswers", "conflicts", "errors", "stale", "droppedEvents"] as const;
  return [...kills, ...seeds.flatMap((seed) => byChance.map((is): Fault => ({ is, seed })))];
}

function problemsOf(scenario: Scenario, clean: CaseResult, result: CaseResult): readonly string[] {
  const differing = result.snapshots.flatMap((snapshot, at) => {
    const expected = clean.snapshots[at];
    if (expected === undefined) return ["one step too many"];
    return difference(expected, snapshot).map((line) => `after "${scenario.steps[at]?.title}": ${line}`);
  });
  return [...differing, ...result.complaints];
}

async function inNamespace(options: SuiteOptions, fault: Fault): Promise<CaseResult> {
  const { admin, scenario } = options;
  const namespace = `tenant-chaos-${randomBytes(4).toString("hex")}`;
  await admin.create(Namespace, Namespace(namespace));
  try {
    return await runCase({ ...options, namespace, fault });
  } finally {
    const { items } = await admin.listMetadata(Namespace);
    const names = items.map(({ metadata }) => metadata.name);
    for (const name of names.filter((each) => each === namespace || each.startsWith(`${namespace}-`))) {
      await letGo(admin, name, scenario.apps);
      await admin.delete(Namespace, name);
    }
  }
}

/** One line for a case. */
export function line({ scenario, fault, problems }: Verdict): string {
  const head = `${problems.length === 0 ? "ok  " : "FAIL"} ${scenario}: ${describe(fault)}`;
  return [head, ...problems.map((problem) => `       ${problem}`)].join("\n");
}

/**
 * Running checks over a cluster, and what they come to together.
 */
import type { Path } from "../path.ts";
import { versionText } from "../versions.ts";
import type { Check, CheckText, Outcome } from "./check.ts";
import { checks as all } from "./index.ts";
import { pathSource } from "./installation.ts";
import type { Reader } from "./source.ts";

/** One check with its outcome. */
export interface CheckResult extends CheckText, Outcome {
  readonly reads: readonly string[];
}

/**
 * `clean`: nothing is in the way, though something may be good to know. `failing`: something is. `couldNotTell`: something could not be
 * read, so that nothing is known of the rest either.
 */
export type Standing = "clean" | "failing" | "couldNotTell";

export interface Report {
  /** The version to go to. */
  readonly to: string;
  readonly standing: Standing;
  /** Absent where the installation could not be read. */
  readonly path?: Path;
  readonly checks: readonly CheckResult[];
}

/** Runs the checks, all at a time: their reads wait for their turn in the reader. */
export async function runChecks(reader: Reader, checks: readonly Check[] = all): Promise<Report> {
  const [plan, ...results] = await Promise.all([
    pathSource.answer(reader),
    ...checks.map((check) => resultOf(check, reader)),
  ]);
  return {
    to: versionText(reader.target),
    standing: standingOf(results),
    ...(plan.is === "read" ? { path: plan.value.path } : {}),
    checks: results,
  };
}

async function resultOf(check: Check, reader: Reader): Promise<CheckResult> {
  const { id, title, severity, why, remedy, reads } = check;
  return { id, title, severity, why, remedy, reads, ...(await check.run(reader)) };
}

/** What could not be told is worse than what fails: the failures are then not all that there are. */
export function standingOf(outcomes: readonly Outcome[]): Standing {
  if (outcomes.some(({ verdict }) => verdict === "couldNotTell")) return "couldNotTell";
  const stops = outcomes.some(({ findings }) => findings.some(({ severity }) => severity !== "information"));
  return stops ? "failing" : "clean";
}

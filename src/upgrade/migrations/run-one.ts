/**
 * One migration, step by step. A step is planned, written and planned again until nothing is left, so that it is verified by
 * the very code that planned it.
 */
import { isApiError } from "../../kube/errors.ts";
import { LeaseLostError } from "../../kube/lease.ts";
import { keyOf } from "../../kube/object.ts";
import type { Change } from "../../reconcile/change.ts";
import { type Failure, failureOf, MigrationError, nameText, type Problem, problemOf } from "./errors.ts";
import { execute } from "./execute.ts";
import type { Migration, MigrationStep, StepContext } from "./migration.ts";
import type { RecordedResult } from "./record.ts";
import { changeOf, type MigrationWrite, objectOf } from "./writes.ts";

/** What became of a migration. */
export interface Ran {
  readonly result: RecordedResult;
  readonly changes: readonly Change[];
  readonly failures: readonly Failure[];
  readonly problem?: Problem;
}

/** Plans of a step until it must be empty. Objects that others write to meanwhile may need several. */
const ROUNDS = 5;

/** Ends of the whole process rather than of a migration. */
const endsAll = (error: unknown): boolean => error instanceof LeaseLostError || isApiError(error, "Aborted");

type OnStep = (title: string, writes: number) => void;

/** Runs all steps, and what comes afterwards however they ended. @throws LeaseLostError, ApiError `Aborted` */
export async function runMigration(migration: Migration, context: StepContext, onStep: OnStep): Promise<Ran> {
  const changes: Change[] = [];
  const failures: Failure[] = [];
  const problems: Problem[] = [];
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (endsAll(error)) throw error;
      problems.push(problemOf(error));
    }
  };
  const run = (step: MigrationStep) => runStep(step, migration, context, { changes, failures, onStep });
  await guarded(async () => {
    for (const step of migration.steps) await run(step);
    if (failures.length === 0) await migration.verify?.(context.cluster);
  });
  const { afterwards } = migration;
  if (afterwards !== undefined) await guarded(() => run(afterwards));
  const [problem] = problems;
  if (problem !== undefined) {
    return { result: migration.fails.reads === "open" ? "incomplete" : "failed", changes, failures, problem };
  }
  return { result: failures.length > 0 ? "incomplete" : "done", changes, failures };
}

interface Books {
  readonly changes: Change[];
  readonly failures: Failure[];
  readonly onStep: OnStep;
}

const keyOfWrite = (write: MigrationWrite): string => `${write.do} ${keyOf(objectOf(write))}`;

async function runStep(step: MigrationStep, migration: Migration, context: StepContext, books: Books): Promise<void> {
  const setAside = new Set<string>();
  let left: readonly MigrationWrite[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    left = (await step.plan(context.cluster)).filter((write) => !setAside.has(keyOfWrite(write)));
    if (left.length === 0) return round === 0 ? await step.settle?.(context) : undefined;
    books.onStep(step.title, left.length);
    for (const write of left) {
      const change = changeOf(write);
      try {
        if (await execute(write, context)) books.changes.push(change);
      } catch (error) {
        if (endsAll(error) || migration.fails.writes === "closed") throw error;
        books.failures.push(failureOf(change.object, error));
        setAside.add(keyOfWrite(write));
      }
    }
    await step.settle?.(context);
  }
  const names = left.slice(0, 5).map((write) => nameText(objectOf(write)));
  throw new MigrationError(
    "MigrationNotDone",
    `${step.title}: still not so after ${ROUNDS} attempts: ${names.join(", ")}`,
    "Look for who writes these objects back (their managedFields say so), stop it, and begin again.",
  );
}

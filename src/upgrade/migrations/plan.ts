/**
 * The plan of a run: every migration that is due with what it would change, as far as it follows from what is live now.
 */
import type { Client } from "../../kube/client.ts";
import type { Change } from "../../reconcile/change.ts";
import { type Cluster, clusterOf } from "./cluster.ts";
import { dueMigrations, trueStamp } from "./due.ts";
import { type Problem, problemOf } from "./errors.ts";
import { migrations as catalogue } from "./index.ts";
import type { Migration, MigrationStep } from "./migration.ts";
import { type RecordEntry, readRecord } from "./record.ts";
import { readStamp } from "./stamp.ts";
import { changeOf } from "./writes.ts";

export interface StepPlan {
  readonly title: string;
  readonly changes: readonly Change[];
}

export interface MigrationPlan {
  readonly id: number;
  readonly title: string;
  /** Why it is due. */
  readonly because: string;
  /** Why there is nothing to do; absent where there may be. */
  readonly notApplicable?: string;
  readonly warnings: readonly string[];
  /** Why it would stop the run, or stay incomplete. */
  readonly problem?: Problem;
  readonly steps: readonly StepPlan[];
}

export interface MigrationsPlan {
  /** Absent on a cluster without an installation. */
  readonly stamp?: number;
  /** The stamp after all of it. */
  readonly target?: number;
  readonly migrations: readonly MigrationPlan[];
}

export interface PlanOptions {
  readonly client: Client;
  /** Default: all of them. */
  readonly migrations?: readonly Migration[];
  readonly signal?: AbortSignal;
}

/** Reads, and writes nothing. What a migration refuses or cannot read is its `problem`. @throws MigrationError of the stamp */
export async function planMigrations(options: PlanOptions): Promise<MigrationsPlan> {
  const { client, migrations = catalogue, signal } = options;
  const call = signal === undefined ? {} : { signal };
  const stamp = await readStamp(client, call);
  if (stamp === undefined) return { migrations: [] };
  const { entries } = await readRecord(client, call);
  const cluster = clusterOf(client, signal);
  const plans: MigrationPlan[] = [];
  for (const { migration, because } of dueMigrations(migrations, stamp.value, entries)) {
    const { id, title } = migration;
    const judged = await planOne(migration, cluster);
    plans.push({ id, title, because, ...judged });
  }
  const all = new Map<number, RecordEntry>(entries);
  for (const { id, problem } of plans) if (problem === undefined) all.set(id, done);
  return { stamp: stamp.value, target: trueStamp(migrations, stamp.value, all), migrations: plans };
}

const done: RecordEntry = { result: "done", at: "", by: "", writes: 0 };

async function planOne(
  migration: Migration,
  cluster: Cluster,
): Promise<Omit<MigrationPlan, "id" | "title" | "because">> {
  try {
    const applicability = await migration.precondition(cluster);
    if (!applicability.applies) return { notApplicable: applicability.because, warnings: [], steps: [] };
    const { warnings = [] } = applicability;
    const steps: StepPlan[] = [];
    for (const step of stepsOf(migration)) {
      const writes = await step.plan(cluster);
      if (writes.length > 0) steps.push({ title: step.title, changes: writes.map(changeOf) });
    }
    return { warnings, steps };
  } catch (error) {
    return { warnings: [], problem: problemOf(error), steps: [] };
  }
}

function stepsOf({ steps, afterwards }: Migration): readonly MigrationStep[] {
  return afterwards === undefined ? steps : [...steps, afterwards];
}

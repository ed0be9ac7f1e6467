/**
 * A run of all migrations that are due. Preconditions first, all of them; then one migration after the other, each recorded
 * with what became of it, and upstream's stamp kept in step. Begun again at any point it comes to the same end.
 */
import { ConfigMap } from "../../contracts/core.ts";
import type { CallOptions, Client } from "../../kube/client.ts";
import { timestamp, type World } from "../../kube/world.ts";
import type { Change } from "../../reconcile/change.ts";
import { clusterOf } from "./cluster.ts";
import { type Due, dueMigrations, trueStamp } from "./due.ts";
import { type Failure, type Problem, problemOf } from "./errors.ts";
import { execute } from "./execute.ts";
import { migrations as catalogue } from "./index.ts";
import type { Applicability, Migration, StepContext } from "./migration.ts";
import { type RecordEntry, readRecord, writeRecord } from "./record.ts";
import { runMigration } from "./run-one.ts";
import { readStamp, stampEdits } from "./stamp.ts";

export interface RunOptions {
  /** Its field manager should be {@link migrationManager}. */
  readonly client: Client;
  readonly world: World;
  /** Of this program, for the record. */
  readonly version: string;
  /** Default: all of them. */
  readonly migrations?: readonly Migration[];
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

/** Owner of the fields that migrations write: not the controllers', whose next apply would take them away again. */
export const migrationManager = "cozystack-migrations";

export type RunEvent =
  | { readonly is: "begins"; readonly id: number; readonly title: string; readonly because: string }
  | { readonly is: "step"; readonly id: number; readonly title: string; readonly writes: number }
  | { readonly is: "warning"; readonly id: number; readonly text: string }
  | { readonly is: "ended"; readonly result: MigrationResult };

export interface MigrationResult {
  readonly id: number;
  readonly title: string;
  readonly result: RecordEntry["result"];
  /** What was written. */
  readonly changes: readonly Change[];
  readonly failures: readonly Failure[];
  readonly warnings: readonly string[];
  /** Why there was nothing to do. */
  readonly notApplicable?: string;
  readonly problem?: Problem;
}

export interface MigrationRun {
  /** Absent on a cluster without an installation. */
  readonly stamp?: { readonly from: number; readonly to: number };
  /** `incomplete`: some objects failed, of migrations that let the rest go on. `failed`: the last migration stopped the run. */
  readonly outcome: "done" | "incomplete" | "failed";
  readonly migrations: readonly MigrationResult[];
}

interface Judged extends Due {
  readonly applicability: Applicability;
}

/** @throws MigrationError of the stamp, ApiError where it cannot be read, LeaseLostError */
export async function runMigrations(options: RunOptions): Promise<MigrationRun> {
  const { client, migrations = catalogue, signal } = options;
  const call: CallOptions = signal === undefined ? {} : { signal };
  const stamp = await readStamp(client, call);
  if (stamp === undefined) return { outcome: "done", migrations: [] };
  const { entries } = await readRecord(client, call);
  const due = dueMigrations(migrations, stamp.value, entries);
  const results: MigrationResult[] = [];
  const ended = async (outcome: MigrationRun["outcome"]): Promise<MigrationRun> => {
    const now = await readStamp(client, call);
    return { stamp: { from: stamp.value, to: now?.value ?? stamp.value }, outcome, migrations: results };
  };

  const judged = await judge(due, options);
  if ("problem" in judged) {
    results.push(judged);
    options.onEvent?.({ is: "ended", result: judged });
    return ended("failed");
  }
  await keepInStep(options, [], {});
  for (const { migration, because, applicability } of judged) {
    const { id, title } = migration;
    options.onEvent?.({ is: "begins", id, title, because });
    const result = await runOne(migration, applicability, options);
    await writeRecord(client, id, entryOf(result, options), call);
    await keepInStep(options, result.failures, { migration });
    results.push(result);
    options.onEvent?.({ is: "ended", result });
    if (result.result === "failed") return ended("failed");
  }
  return ended(results.some(({ result }) => result === "incomplete") ? "incomplete" : "done");
}

/** Asks all preconditions; the first that cannot be met, or be told, ends the run before it began. */
async function judge(due: readonly Due[], { client, signal }: RunOptions): Promise<readonly Judged[] | FailedResult> {
  const cluster = clusterOf(client, signal);
  const judged: Judged[] = [];
  for (const each of due) {
    try {
      judged.push({ ...each, applicability: await each.migration.precondition(cluster) });
    } catch (error) {
      if (each.migration.fails.reads === "open") {
        // Tried again when its turn comes, and recorded as incomplete if it still cannot be told.
        judged.push({ ...each, applicability: { applies: true } });
        continue;
      }
      const { id, title } = each.migration;
      return { id, title, result: "failed", changes: [], failures: [], warnings: [], problem: problemOf(error) };
    }
  }
  return judged;
}

type FailedResult = MigrationResult & { readonly problem: Problem };

async function runOne(
  migration: Migration,
  applicability: Applicability,
  options: RunOptions,
): Promise<MigrationResult> {
  const { id, title } = migration;
  const base = { id, title, changes: [], failures: [] };
  if (!applicability.applies) {
    return { ...base, result: "nothing", warnings: [], notApplicable: applicability.because };
  }
  const { warnings = [] } = applicability;
  for (const text of warnings) options.onEvent?.({ is: "warning", id, text });
  const { client, world, signal } = options;
  const context: StepContext = {
    cluster: clusterOf(client, signal),
    client,
    world,
    ...(signal === undefined ? {} : { signal }),
  };
  const ran = await runMigration(migration, context, (step, writes) =>
    options.onEvent?.({ is: "step", id, title: step, writes }),
  );
  return { id, title, warnings, ...ran };
}

function entryOf(result: MigrationResult, { world, version }: RunOptions): RecordEntry {
  const message = result.problem?.message ?? result.failures[0]?.message ?? result.notApplicable;
  return {
    result: result.result,
    at: timestamp(world),
    by: version,
    writes: result.changes.length,
    ...(message === undefined ? {} : { message }),
    ...(result.failures.length === 0 ? {} : { failed: result.failures.map(({ object }) => object) }),
  };
}

/** Writes the stamp that follows from the record, where it is another one. */
async function keepInStep(
  options: RunOptions,
  failures: readonly Failure[],
  { migration }: { readonly migration?: Migration },
): Promise<void> {
  const { client, world, signal, migrations = catalogue } = options;
  const call: CallOptions = signal === undefined ? {} : { signal };
  const stamp = await readStamp(client, call);
  if (stamp === undefined) return;
  const { entries } = await readRecord(client, call);
  const value = trueStamp(migrations, stamp.value, entries);
  const annotations = migration?.stampAnnotations?.(failures);
  await execute(
    {
      do: "edit",
      kind: ConfigMap,
      live: stamp.object,
      edits: (live) => stampEdits(live, value, annotations),
      because: "the stamp follows the record",
    },
    { client, world, ...call },
  );
}

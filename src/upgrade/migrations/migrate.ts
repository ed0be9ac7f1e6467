/**
 * What commands call: all migrations that are due, one run at a time. On a cluster that is up to date nothing is written, no
 * lease either.
 */
import { dueMigrations, trueStamp } from "./due.ts";
import { type ExclusiveOptions, exclusively } from "./exclusive.ts";
import { migrations as catalogue } from "./index.ts";
import { readRecord } from "./record.ts";
import { type MigrationRun, type RunOptions, runMigrations } from "./run.ts";
import { readStamp, stampEdits } from "./stamp.ts";

/** @throws MigrationError, ApiError, LeaseLostError */
export async function migrate(options: RunOptions & ExclusiveOptions): Promise<MigrationRun> {
  const idle = await nothingToDo(options);
  return idle ?? exclusively(options, (client, signal) => runMigrations({ ...options, client, signal }));
}

async function nothingToDo({ client, migrations = catalogue, signal }: RunOptions): Promise<MigrationRun | undefined> {
  const call = signal === undefined ? {} : { signal };
  const stamp = await readStamp(client, call);
  if (stamp === undefined) return { outcome: "done", migrations: [] };
  const { entries } = await readRecord(client, call);
  const { value, object } = stamp;
  const isTrue = stampEdits(object, trueStamp(migrations, value, entries)).length === 0;
  if (!isTrue || dueMigrations(migrations, value, entries).length > 0) return undefined;
  return { stamp: { from: value, to: value }, outcome: "done", migrations: [] };
}

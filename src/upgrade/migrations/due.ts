/**
 * Which migrations are due, and which stamp is true: pure.
 */
import type { Migration } from "./migration.ts";
import { isFinal, type MigrationRecord } from "./record.ts";

export interface Due {
  readonly migration: Migration;
  /** For people. */
  readonly because: string;
}

/** The stamp of an installation that has had all of them. */
export function lastStamp(migrations: readonly Migration[]): number {
  return Math.max(0, ...migrations.map(({ id }) => id)) + 1;
}

/** What is due, in order. What our record calls final is never due; what it calls anything else always is. */
export function dueMigrations(
  migrations: readonly Migration[],
  stamp: number,
  record: MigrationRecord,
): readonly Due[] {
  const last = lastStamp(migrations);
  return migrations
    .toSorted((a, b) => a.id - b.id)
    .flatMap((migration): readonly Due[] => {
      const { id, onceDone } = migration;
      const entry = record.get(id);
      if (isFinal(entry)) return [];
      if (entry !== undefined) return [{ migration, because: `it was ${entry.result} at ${entry.at}` }];
      if (stamp <= id) return [{ migration, because: `the stamp is ${stamp}` }];
      if (stamp < last && onceDone.is === "looksAgain") return [{ migration, because: onceDone.because }];
      return [];
    });
}

/**
 * The stamp after what is recorded: the first migration from the stamp on that is not final. Never lower than it was, since
 * upstream's runner would then repeat migrations that must not be.
 */
export function trueStamp(migrations: readonly Migration[], stamp: number, record: MigrationRecord): number {
  const open = migrations.filter(({ id }) => id >= stamp && !isFinal(record.get(id))).map(({ id }) => id);
  return Math.max(stamp, Math.min(...open, lastStamp(migrations)));
}

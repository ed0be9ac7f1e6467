/**
 * An upgrade: nothing is released to this version's controllers but wave by wave, each of which must come through before the next
 * one. Everything that was done is written down first or found again, so that it goes on wherever it was ended.
 */
import type { UpgradeRunSpec } from "../../contracts/internal-cozystack-io.ts";
import type { Client } from "../../kube/client.ts";
import { keyOf } from "../../kube/object.ts";
import { openStores } from "../../kube/stores.ts";
import { timestamp, type World } from "../../kube/world.ts";
import { installPlatform } from "../../platform/install.ts";
import type { App } from "../../sdk/app.ts";
import { applicationsOf } from "../effects/applications.ts";
import type { AppEffect } from "../effects/effect.ts";
import { effectRecorder, type Pace, type RecordedApp } from "../effects/recorder.ts";
import { watchTurnover } from "../effects/turnover.ts";
import { migrate } from "../migrations/migrate.ts";
import { isPlayed } from "../played.ts";
import type { Playing, Stage } from "../stage.ts";
import { MigrationsIncomplete, UpgradeUnderWay } from "./errors.ts";
import { protect } from "./protect.ts";
import { openRun, type RunRecord } from "./record.ts";
import { saveOwnObjects } from "./save.ts";
import { serveRecord } from "./serve-record.ts";
import { throughWaves } from "./through-waves.ts";
import { plannedWaves, type WaveOptions } from "./waves.ts";

export interface RunOptions {
  /** Its field manager is the controllers'. */
  readonly client: Client;
  /** Of migrations: what they write is not the controllers'. */
  readonly migrations: Client;
  readonly apps: readonly App[];
  /** Of this program. */
  readonly version: string;
  /** Must differ between processes. */
  readonly identity: string;
  /**
   * Starts this version's controllers behind the gate (gate.ts). Resolves once they are the ones that act, rejects where others
   * go on to act.
   */
  readonly controllers: (stage: Stage) => Promise<Playing>;
  readonly waves: WaveOptions;
  /** Milliseconds that each wave may take. */
  readonly patience: number;
  /** Milliseconds without a write by which the end of a wave is told. Default 3,000. */
  readonly quiet?: number;
  readonly pace: Pace;
  /** Where our own objects are saved. */
  readonly directory: string;
  /** Back to a version before the one that the cluster has: newer definitions stay, and no migration runs. */
  readonly back?: boolean;
  readonly world: World;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** What an upgrade came to. Plain JSON. */
export interface Upgraded {
  readonly run: UpgradeRunSpec;
  readonly effects: readonly AppEffect[];
}

/**
 * Carries an upgrade out, or goes on with the one that is under way.
 * @throws UpgradeHalted when something got worse; MigrationsIncomplete; RunTaken; and whatever a read or a write throws
 */
export async function runUpgrade(options: RunOptions): Promise<Upgraded> {
  const { client, apps, world, log } = options;
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const recorder = effectRecorder(options.pace);
  const before = await applicationsOf(client, apps);
  const turnover = watchTurnover(openStores({ client, signal, world }));
  let controllers: Playing | undefined;
  try {
    await turnover.ready(signal);
    const record = await prepared({ ...options, signal }, before);
    controllers = await options.controllers({ client, apps, recorder, signal });
    await migrated({ ...options, signal }, record);
    log("Installing this version's definitions ...");
    await installPlatform(client, {
      apps,
      twin: await isPlayed(client),
      newerDefinitions: options.back === true ? "keep" : "refuse",
      world,
      signal,
    });
    const stopped = controllers.ended.then(() => Promise.reject(new Error("the controllers have ended")));
    await Promise.race([throughWaves({ ...options, signal, recorder, record, before, turnover }), stopped]);
    const now = await applicationsOf(client, apps);
    return { run: record.spec, effects: recorder.effects(before, now, turnover.gone) };
  } finally {
    ending.abort();
    turnover.close();
    // What ended them early was thrown above already.
    await controllers?.ended.catch(() => undefined);
  }
}

/** Everything that comes before this version may act. Afterwards the record holds all tenants, or what was released before. */
async function prepared(options: RunOptions, before: readonly RecordedApp[]): Promise<RunRecord> {
  const { client, apps, version, world, signal, log } = options;
  const call = { signal };
  await serveRecord(client, world, signal);
  const marked = await protect(client, call);
  for (const name of marked) log(`Marked as kept: ${name}.`);
  const record = await openRun(client, (run) => begun(run, options, before), call);
  if (record.spec.backup === undefined) {
    const saved = await saveOwnObjects({ client, apps, directory: options.directory, at: timestamp(world), signal });
    log(`Saved ${saved.objects} objects of ours in ${saved.file}; Secrets are not among them.`);
    await record.write((spec) => ({ ...spec, backup: { file: saved.file, sha256: saved.sha256 } }));
  }
  if (record.spec.from !== undefined) log(`From version ${record.spec.from} to ${version}.`);
  return record;
}

/** The record of a new upgrade; of one that is under way, the same going on. */
function begun(
  run: UpgradeRunSpec | undefined,
  { version, waves, world, back }: RunOptions,
  before: readonly RecordedApp[],
): UpgradeRunSpec {
  const isUnderWay = run !== undefined && run.phase !== "done";
  if (isUnderWay && run.to === version) {
    const { why: _, ...rest } = run;
    return { ...rest, phase: "rolling" };
  }
  if (isUnderWay && back !== true) throw new UpgradeUnderWay(run.to, version);
  return {
    to: version,
    ...(run === undefined ? {} : { from: run.to }),
    phase: "rolling",
    waves: plannedWaves(before, waves),
    begun: timestamp(world),
    unready: before.filter(({ ready }) => !ready).map(({ ref }) => keyOf(ref)),
  };
}

/** Migrations have no way back. */
async function migrated(options: RunOptions, record: RunRecord): Promise<void> {
  const { migrations: client, version, identity, world, signal, log, back } = options;
  if (back === true) return;
  const run = await migrate({
    client,
    version,
    identity,
    world,
    signal,
    onEvent: (event) => {
      if (event.is === "begins") log(`Migration ${event.id}: ${event.title}`);
    },
  });
  for (const { id, failures } of run.migrations) {
    for (const { message } of failures) log(`Migration ${id} left something for its next run: ${message}`);
  }
  const stopped = run.migrations.find(({ result }) => result === "failed");
  if (run.outcome !== "failed") return;
  const error = new MigrationsIncomplete(stopped?.id ?? 0, stopped?.problem?.message ?? "it has failed");
  await record.write((spec) => ({ ...spec, phase: "halted", why: error.message }));
  throw error;
}

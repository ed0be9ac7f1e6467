/**
 * Releases wave after wave, and waits for each until it has come through.
 */
import type { UpgradeRunSpec, UpgradeWave } from "../../contracts/internal-cozystack-io.ts";
import type { Client } from "../../kube/client.ts";
import { Event, Lease } from "../../kube/core-kinds.ts";
import { keyOf } from "../../kube/object.ts";
import { timestamp, type World } from "../../kube/world.ts";
import type { App } from "../../sdk/app.ts";
import { applicationsOf } from "../effects/applications.ts";
import type { AppEffect } from "../effects/effect.ts";
import { type RecordedApp, type Recorder, tenantOf } from "../effects/recorder.ts";
import type { Turnover } from "../effects/turnover.ts";
import { UpgradeHalted } from "./errors.ts";
import { judgeWave, type Watched } from "./judge.ts";
import type { RunRecord } from "./record.ts";
import { waveOf } from "./waves.ts";

export interface WavesOptions {
  readonly client: Client;
  readonly apps: readonly App[];
  readonly record: RunRecord;
  readonly recorder: Recorder;
  readonly before: readonly RecordedApp[];
  readonly turnover: Turnover;
  readonly patience: number;
  readonly quiet?: number;
  readonly world: World;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

const LOOK_EVERY_MS = 250;
/** How often what exists is asked anew while a wave is waited for. */
const LIST_EVERY_MS = 5_000;

/** @throws UpgradeHalted once an application that was ready is not any more */
export async function throughWaves(options: WavesOptions): Promise<void> {
  const { record, world, log } = options;
  for (const [at, wave] of record.spec.waves.entries()) {
    if (wave.phase === "healthy") continue;
    log(`Wave ${wave.name}: ${tenantsText(wave)} ...`);
    if (wave.phase === "held") {
      await record.write((spec) => withWave(spec, at, { phase: "released", released: timestamp(world) }));
    }
    const effects = await through(at, wave, options);
    await record.write((spec) =>
      withWave(spec, at, { phase: "healthy", healthy: timestamp(world), ...outcomeOf(effects) }),
    );
    log(`Wave ${wave.name}: come through.`);
  }
  await record.write((spec) => ({ ...spec, phase: "done", ended: timestamp(world) }));
}

function tenantsText({ tenants }: UpgradeWave): string {
  if (tenants === undefined) return "all other tenants";
  return tenants.length === 1 ? (tenants[0] ?? "") : `${tenants.length} tenants`;
}

/** Waits for all that is released so far; gives what happened to the applications of this wave. */
async function through(at: number, wave: UpgradeWave, options: WavesOptions): Promise<readonly AppEffect[]> {
  const { client, apps, record, recorder, before, turnover, world, signal } = options;
  const { patience, quiet = 3_000 } = options;
  const writes = () => client.counters.writes([Lease, Event]);
  const begun = world.monotonic();
  let now = await applicationsOf(client, apps);
  let listed = begun;
  for (let [count, since] = [writes(), begun]; ; await world.sleep(LOOK_EVERY_MS, signal)) {
    const time = world.monotonic();
    if (writes() !== count) [count, since] = [writes(), time];
    if (time - listed > LIST_EVERY_MS) [now, listed] = [await applicationsOf(client, apps), time];
    const released = now.filter(({ ref }) => waveOf(record.spec.waves, tenantOf(ref)) <= at);
    const verdict = judgeWave(watched(released, record.spec, before, recorder), time - begun > patience);
    // What is still being written may come right with it.
    const isQuiet = time - since >= quiet;
    if (verdict.is === "worse" && (isQuiet || time - begun > patience)) {
      await record.write((spec) => ({ ...spec, phase: "halted", why: `${wave.name}: ${verdict.why}` }));
      throw new UpgradeHalted(wave.name, verdict.why);
    }
    if (verdict.is === "healthy" && isQuiet) {
      const last = await applicationsOf(client, apps);
      return recorder
        .effects(before, last, turnover.gone)
        .filter(({ tenant }) => waveOf(record.spec.waves, tenant) === at);
    }
  }
}

/** What was ready before is what was when the upgrade began, not when this run of it did. */
function watched(
  apps: readonly RecordedApp[],
  { unready = [] }: UpgradeRunSpec,
  before: readonly RecordedApp[],
  recorder: Recorder,
): readonly Watched[] {
  const known = new Set(before.map(({ ref }) => keyOf(ref)));
  const wasUnready = new Set(unready);
  return apps.map(({ ref }) => ({
    ref,
    // What came meanwhile has nothing to get worse from.
    wasReady: known.has(keyOf(ref)) && !wasUnready.has(keyOf(ref)),
    state: recorder.stateOf(ref),
  }));
}

function withWave(spec: UpgradeRunSpec, at: number, change: Partial<UpgradeWave>): UpgradeRunSpec {
  return { ...spec, waves: spec.waves.map((wave, index) => (index === at ? { ...wave, ...change } : wave)) };
}

/** Applications that are named in the record of a wave: the object has a size. */
const NAMED = 100;

function outcomeOf(effects: readonly AppEffect[]): Pick<UpgradeWave, "impacts" | "notable"> {
  const impacts: Record<string, number> = {};
  for (const { impact } of effects) impacts[impact] = (impacts[impact] ?? 0) + 1;
  const notable = effects.filter(({ impact, blocked }) => blocked !== undefined || !isMild.has(impact));
  return {
    impacts,
    notable: notable
      .slice(0, NAMED)
      .map(
        ({ app, impact, blocked }) =>
          `${app.kind} ${app.namespace ?? ""}/${app.name}: ${impact}${blocked === undefined ? "" : `, ${blocked.reason}`}`,
      ),
  };
}

const isMild: ReadonlySet<string> = new Set(["none", "inPlace"]);

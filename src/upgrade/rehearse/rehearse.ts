/**
 * The rehearsal of an upgrade or of any other change: on a copy of the cluster's objects, in an engine of its own, this
 * version's controllers do what they would do, while operators and machines are played. The cluster is only read.
 */
import type { Client } from "../../kube/client.ts";
import { connect } from "../../kube/connect.ts";
import { ConfigMap, Event, Lease } from "../../kube/core-kinds.ts";
import { loadKubeconfig } from "../../kube/kubeconfig.ts";
import { openStores } from "../../kube/stores.ts";
import { systemWorld, timestamp, type World } from "../../kube/world.ts";
import { installPlatform } from "../../platform/install.ts";
import type { InstanceState } from "../../reconcile/state.ts";
import type { App } from "../../sdk/app.ts";
import { clusterReader } from "../checks/reader.ts";
import { type Report, runChecks } from "../checks/run.ts";
import { applicationsOf } from "../effects/applications.ts";
import type { AppEffect } from "../effects/effect.ts";
import { effectRecorder, type Pace } from "../effects/recorder.ts";
import { watchTurnover } from "../effects/turnover.ts";
import { MigrationError } from "../migrations/errors.ts";
import { migrate } from "../migrations/migrate.ts";
import { type MigrationRun, migrationManager, type RunEvent } from "../migrations/run.ts";
import { isPlayed } from "../played.ts";
import type { Playing, Stage } from "../stage.ts";
import { compatibleVersion } from "../versions.ts";
import { concealed } from "./concealed.ts";
import { type Copied, type CopyLimits, copyCluster } from "./copy.ts";
import { copyEngine } from "./copy-engine.ts";
import { copiedKinds } from "./kinds.ts";
import { atRest } from "./rest.ts";
import { standIns } from "./stand-ins.ts";

/** Who plays on the copy; each resolves once it has begun. */
export interface Players {
  /**
   * Plays operators and machines. `isPlayed`: those of the cluster are played as well, so that it knows what they made.
   */
  operators(stage: Stage, isPlayed: boolean): Promise<Playing>;
  /** This version's controllers; their field manager owns what they write. */
  controllers(stage: Stage): Promise<Playing>;
}

export interface RehearsalOptions {
  /** Only read from. Its field manager does not matter. */
  readonly source: Client;
  /** This version's applications, with those that the cluster has definitions of. */
  readonly apps: readonly App[];
  /** The controllers' field manager. */
  readonly fieldManager: string;
  /** Of this program. */
  readonly version: string;
  readonly players: Players;
  /** What is rehearsed besides this version: told the copy once all plays. */
  readonly change?: (copy: Client) => Promise<void>;
  /** What estimates of times are made from. */
  readonly pace: Pace;
  readonly limits?: CopyLimits;
  /** Milliseconds that it may take until nothing moves any more. */
  readonly patience: number;
  /** Milliseconds without a write by which the end is told. Default 3,000. */
  readonly quiet?: number;
  readonly world?: World;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export interface RehearsedMigrations extends MigrationRun {
  /** Why none could begin. */
  readonly refused?: { readonly code: string; readonly message: string; readonly remedy: string };
}

/** What a rehearsal came to. Plain JSON. */
export interface Rehearsal {
  /** Operators and machines were played. */
  readonly simulated: true;
  /** RFC 3339. */
  readonly at: string;
  readonly copied: Copied;
  /** What was found to stand in the way, on the cluster itself. */
  readonly checks: Report;
  readonly migrations: RehearsedMigrations;
  readonly effects: readonly AppEffect[];
  /** Whether everything came to rest; else the effects are those until then. */
  readonly settled: boolean;
  readonly seconds: number;
  /** Requests to the cluster, all of them reads. */
  readonly requests: number;
}

/** Rehearses; nothing of it is left afterwards, however it ends. */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const { source, apps, limits, signal, log, world = systemWorld } = options;
  const begun = world.monotonic();
  const asked = source.counters.reads();
  const requests = () => source.counters.reads() - asked;
  const hidden = standIns();
  let copied: Copied | undefined;
  log("Checking the cluster ...");
  const checks = runChecks(clusterReader({ client: source, target: compatibleVersion, signal }));
  // Waited for after the copy: it may fail before.
  checks.catch(() => undefined);
  const rootCa = await source.get(ConfigMap, "kube-root-ca.crt", "kube-system", { signal });
  const rootCertificate = rootCa?.data?.["ca.crt"];
  const copy = await copyEngine({
    log,
    ...(rootCertificate === undefined ? {} : { rootCertificate }),
    signal,
    async fill(etcd) {
      log("Copying ...");
      copied = await copyCluster({
        source,
        etcd,
        kinds: copiedKinds(apps),
        standIns: hidden,
        signal,
        ...(limits === undefined ? {} : { limits }),
      });
      log(`Copied ${copied.objects} objects (${Math.ceil(copied.bytes / 2 ** 20)} MiB).`);
    },
  });
  const access = loadKubeconfig(copy.engine.kubeconfigPath);
  const opened: Client[] = [];
  const open = (fieldManager: string): Client => {
    const client = connect({ ...access, fieldManager, userAgent: "cozystack-rehearsal" });
    opened.push(client);
    return client;
  };
  const over = new AbortController();
  const crashed = copy.engine.ended.then((error) => over.abort(error));
  try {
    const result = await playThrough(
      { ...options, world, signal: AbortSignal.any([signal, over.signal]) },
      {
        controllers: concealed(open(options.fieldManager), hidden),
        migrations: concealed(open(migrationManager), hidden),
        operators: concealed(open("twin"), hidden),
      },
    );
    if (copied === undefined) throw new Error("the copy was not made");
    const seconds = Math.round((world.monotonic() - begun) / 1000);
    return {
      simulated: true,
      at: timestamp(world),
      copied,
      checks: await checks,
      ...result,
      seconds,
      requests: requests(),
    };
  } finally {
    over.abort();
    hidden.clear();
    await Promise.all(opened.map((client) => client.close()));
    await copy.close();
    await crashed;
  }
}

interface Clients {
  readonly controllers: Client;
  readonly migrations: Client;
  readonly operators: Client;
}

type Played = Pick<Rehearsal, "migrations" | "effects" | "settled">;
type PlayOptions = RehearsalOptions & { readonly world: World };

async function playThrough(options: PlayOptions, clients: Clients): Promise<Played> {
  const { apps, world, log, players } = options;
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const recorder = effectRecorder(options.pace);
  const before = await applicationsOf(clients.controllers, apps);
  const turnover = watchTurnover(openStores({ client: clients.operators, signal, world }));
  await turnover.ready(signal);
  const stage = { apps, recorder, signal };
  const twin = await isPlayed(clients.operators);
  const operators = await players.operators({ ...stage, client: clients.operators }, twin);
  const playing = [operators.ended];
  try {
    const migrations = await migrated(clients.migrations, { ...options, signal });
    log(`${before.length} applications; installing this version's definitions ...`);
    await installPlatform(clients.controllers, { apps, twin, world, signal });
    log("Letting this version's controllers act on the copy ...");
    const controllers = await players.controllers({ ...stage, client: clients.controllers });
    playing.push(controllers.ended);
    await options.change?.(clients.controllers);
    const known = before.map(({ ref }) => ref);
    const writes = Object.values<Client>({ ...clients }).map(
      ({ counters }) =>
        () =>
          counters.writes([Lease, Event]),
    );
    const settled = await Promise.race([
      atRest({
        writes: () => writes.reduce((sum, count) => sum + count(), 0),
        unsettled: () => known.filter((ref) => !isSettled(recorder.stateOf(ref))).length,
        quiet: options.quiet ?? 3_000,
        patience: options.patience,
        world,
        signal,
      }),
      ...playing.map((ended) => ended.then(() => Promise.reject(new Error("what plays on the copy has ended")))),
    ]);
    const now = await applicationsOf(clients.controllers, apps);
    return { migrations, effects: recorder.effects(before, now, turnover.gone), settled };
  } finally {
    ending.abort();
    // What ended one of them early was thrown above already.
    await Promise.allSettled(playing);
    turnover.close();
  }
}

/** Nothing else runs migrations on a copy. Where they cannot begin, the rest is rehearsed all the same. */
async function migrated(client: Client, { world, version, signal, log }: PlayOptions): Promise<RehearsedMigrations> {
  const onEvent = (event: RunEvent): void => {
    if (event.is === "begins") log(`Migration ${event.id}: ${event.title}`);
  };
  try {
    return await migrate({ client, world, version, identity: "rehearsal", signal, onEvent });
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    const { code, message, remedy } = error;
    return { outcome: "failed", migrations: [], refused: { code, message, remedy } };
  }
}

function isSettled(state: InstanceState | undefined): boolean {
  return state !== undefined && state.is !== "progressing" && state.is !== "outOfSync" && state.is !== "deleting";
}

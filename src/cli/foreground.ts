/**
 * The platform in the foreground: installed, its controllers and, where asked for, the twin, until somebody says stop or
 * one of them fails. Nothing outlives it.
 */
import type { Client } from "../kube/client.ts";
import { systemWorld } from "../kube/world.ts";
import { installPlatform } from "../platform/install.ts";
import { requireKubernetes } from "../platform/kubernetes-version.ts";
import type { App } from "../sdk/app.ts";
import { runRegistrationGuard, startServer } from "../server/index.ts";
import { startTwin, type Twin, type TwinOptions } from "../twin/index.ts";
import { stampWhereNew } from "../upgrade/fresh-stamp.ts";
import { newerDefinitions } from "../upgrade/gate.ts";
import { readRun } from "../upgrade/run/record.ts";
import { failureLog } from "./failure-log.ts";
import { leadControllers, ownIdentity } from "./lead.ts";
import { problemLine } from "./problems.ts";
import { version } from "./version.ts";

export interface ForegroundOptions {
  /** Its field manager owns everything applied. */
  readonly client: Client;
  readonly apps: readonly App[];
  /** Whether the cluster is ours alone: its lease is then taken over at once from a process that was killed. */
  readonly exclusive: boolean;
  /** Play the operators and machines: see TwinOptions. */
  readonly twin?: Pick<TwinOptions, "seed" | "clusters">;
  /** See ControllersOptions. */
  readonly quotaBufferPercent?: number;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface Foreground {
  /** Resolves when all has ended after an abort; rejects with the failure that ended all. */
  readonly ended: Promise<void>;
  /** Resolves when this process leads. */
  readonly leading: Promise<void>;
}

/** Installs, then starts everything. Rejects when the installation fails. */
export async function startForeground(options: ForegroundOptions): Promise<Foreground> {
  const { client, apps, exclusive, twin, log } = options;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const world = systemWorld;
  await requireKubernetes(client);
  signal.throwIfAborted();
  log("Installing the platform ...");
  await stampWhereNew(client, { signal });
  const { written } = await installPlatform(client, {
    twin: twin !== undefined,
    apps,
    newerDefinitions: newerDefinitions(await readRun(client, { signal }), version),
    world,
    signal,
    log: indent(log),
  });
  log(
    written.length === 0
      ? "The platform is installed and up to date."
      : `Installed: ${written.length} objects written.`,
  );
  signal.throwIfAborted();
  const running: Promise<void>[] = [];
  const played = twin === undefined ? undefined : await playTwin(client, twin, log, signal);
  if (played !== undefined) running.push(played.ended);
  signal.throwIfAborted();
  if (exclusive) running.push((await serve(client, apps, log, signal)).ended);
  const leads = Promise.withResolvers<void>();
  running.push(lead({ ...options, signal, ...(played === undefined ? {} : { played }) }, () => leads.resolve()));
  const ended = Promise.all(
    running.map((one) =>
      one.catch((error: unknown) => {
        if (!signal.aborted) failed.abort(error);
      }),
    ),
  ).then(() => {
    if (failed.signal.aborted) throw failed.signal.reason;
  });
  return { ended, leading: leads.promise };
}

function playTwin(
  client: Client,
  twin: NonNullable<ForegroundOptions["twin"]>,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<Twin> {
  const failures = failureLog(systemWorld, log);
  return startTwin({
    client,
    signal,
    onError: (what, error) => {
      if (!signal.aborted) failures(`twin: ${what}`, error);
    },
    ...twin,
  });
}

/**
 * Serves the users' views, their plans and the budget gate on loopback, where only the embedded API server reaches them. On
 * a cluster that is a Deployment's work. Resolves once the API server asks this process.
 */
async function serve(
  client: Client,
  apps: readonly App[],
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<{ readonly ended: Promise<void> }> {
  const failures = failureLog(systemWorld, log);
  const server = await startServer({
    client,
    apps,
    version,
    controllerManager: client.fieldManager,
    reach: { by: "loopback" },
    unregister: true,
    signal,
    onError: (what, error) => {
      if (!signal.aborted) failures(`server: ${what}`, error);
    },
  });
  await server.registered;
  return { ended: server.ended };
}

/** Runs the controllers whenever this process holds the lease. */
function lead(
  {
    client,
    apps,
    exclusive,
    quotaBufferPercent,
    log,
    signal,
    played,
  }: Omit<ForegroundOptions, "twin"> & { readonly played?: Twin },
  onLead: () => void,
): Promise<void> {
  const waited = setTimeout(() => log("Another process holds the controllers' lease; waiting for it."), 2_000);
  const guard = { client, world: systemWorld, onError: (error: unknown) => log(`server: ${problemLine(error)}`) };
  return leadControllers({
    client,
    apps,
    version,
    log,
    signal,
    // Whoever starts the embedded engine has its data directory for itself: no other life can still act.
    identity: exclusive ? "embedded" : ownIdentity(),
    leaseSeconds: exclusive ? 60 : 15,
    onLead: () => {
      clearTimeout(waited);
      onLead();
    },
    beside: (leading) => runRegistrationGuard(guard, leading),
    ...(played === undefined ? {} : { grafanaAt: (namespace) => played.grafanaAt(namespace) }),
    ...(quotaBufferPercent === undefined ? {} : { quotaBufferPercent }),
  }).finally(() => clearTimeout(waited));
}

const indent = (log: (line: string) => void) => (line: string) => log(`  ${line}`);

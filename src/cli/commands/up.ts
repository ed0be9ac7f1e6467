/**
 * `up`: a control plane, the platform on it, and what keeps both running.
 */
import { type Command, InvalidArgumentError, Option } from "commander";
import { startEngine } from "../../../embedded/engine.ts";
import type { EngineError } from "../../../embedded/errors.ts";
import type { App } from "../../sdk/app.ts";
import { controllerManager, dataDirectoryOf, isGiven, openTarget, type Target } from "../cluster.ts";
import { runDemo } from "../demo.ts";
import { detached } from "../detached.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { appsOf, does, withExamples, withTimeout } from "../flags.ts";
import { tellEnd } from "../follow-end.ts";
import { followEverything } from "../follow-everything.ts";
import { type Foreground, type ForegroundOptions, startForeground } from "../foreground.ts";
import { nextSteps, simulationBanner } from "../next-steps.ts";
import { type StopRequest, stopRequest } from "../signals.ts";
import { type Terminal, untilAborted } from "../terminal.ts";
import { clustersDirectory, runningLine, type UpFlags } from "../up-flags.ts";

/** Adds the command. */
export function up(root: Command): void {
  const command = root
    .command("up")
    .summary("start the platform and keep it running")
    .description(
      "Starts a control plane on this machine, or connects to the cluster that --kubeconfig or --context name; installs the platform and runs its controllers in the foreground. On this machine operators and machines are played: nothing runs for real.",
    )
    .option("--demo", "order some applications and show them become ready")
    .addOption(new Option("--detach", "go on in the background; `cozystack down` ends it").conflicts("exitWhenReady"))
    .option("--exit-when-ready", "end as soon as everything is ready; the data is kept")
    .option("--no-twin", "do not play operators and machines")
    .option(
      "--tenant-clusters",
      "let API servers of their own answer for tenants' Kubernetes clusters, for two at most (default: with --demo, and where some did before)",
    )
    .option("--no-tenant-clusters", "only simulate them")
    .option("--seed <text>", "what the played side is made from; the same gives the same")
    .option(
      "--tenant-quota-buffer-percent <percent>",
      "how much of its budget a tenant may use at run time, such as 130; 0 and 100: all of it (default: the platform's configuration)",
      percent,
    );
  withTimeout(command, "how long --demo and --exit-when-ready wait", "10m");
  withExamples(
    command,
    "cozystack up --demo                      # try it: Ctrl-C ends it, the data is kept",
    "cozystack up --demo --exit-when-ready    # in a script",
    "cozystack up --detach && cozystack status",
    "cozystack up --context my-cluster        # run the controllers against a cluster of yours",
  );
  does<UpFlags>(command, (_, flags, terminal) =>
    flags.detach === true ? detached(flags, terminal) : foreground(flags, terminal),
  );
}

function percent(text: string): number {
  if (!/^\d{1,6}$/.test(text))
    throw new InvalidArgumentError("A percentage is a whole number of at least 0, such as 130.");
  return Number(text);
}

async function foreground(flags: UpFlags, terminal: Terminal): Promise<ExitCode> {
  // Before anything is started: what cannot be loaded is no reason to start a control plane.
  const apps = await appsOf(flags);
  const stop = stopRequest((signal) => terminal.progress(`\nEnding (${signal}); once more ends it at once.`));
  const { signal } = stop;
  // What would have come next is no news to somebody who has asked for the end.
  const until = untilAborted(terminal, signal);
  const log = (line: string) => until.progress(line);
  try {
    if (isGiven(flags)) return await runOn(openTarget(flags, controllerManager), apps, flags, until, stop);
    const engine = await startEngine({ dataDir: dataDirectoryOf(flags), log, signal });
    const crashed = new AbortController();
    let crash: EngineError | undefined;
    void engine.ended.then((error) => {
      crash = error;
      crashed.abort(error);
    });
    try {
      const target = openTarget(flags, controllerManager);
      const ending = { signal: AbortSignal.any([signal, crashed.signal]) };
      const code = await runOn(target, apps, flags, until, ending);
      if (crash === undefined) return code;
    } catch (error) {
      // What failed because its cluster went away says less than why that went away.
      if (crash === undefined) throw error;
    } finally {
      await engine.stop();
      if (crash === undefined)
        terminal.progress(`The control plane is stopped; its data is kept in ${dataDirectoryOf(flags)}.`);
    }
    throw crash;
  } catch (error) {
    if (stop.signal.aborted) return exitCodes.interrupted;
    throw error;
  } finally {
    stop.forget();
  }
}

/** Runs the platform on a cluster until it is asked to end. */
async function runOn(
  target: Target,
  apps: readonly App[],
  flags: UpFlags,
  terminal: Terminal,
  { signal }: Pick<StopRequest, "signal">,
): Promise<ExitCode> {
  const ours = new AbortController();
  const twin = target.embedded && flags.twin;
  let platform: Foreground | undefined;
  try {
    if (twin) terminal.progress(simulationBanner(terminal.paintProgress));
    platform = await startForeground({
      client: target.client,
      apps,
      exclusive: target.embedded,
      ...(flags.tenantQuotaBufferPercent === undefined ? {} : { quotaBufferPercent: flags.tenantQuotaBufferPercent }),
      ...(twin ? { twin: twinOptions(flags) } : {}),
      log: (line) => terminal.progress(line),
      signal: AbortSignal.any([signal, ours.signal]),
    });
    await Promise.race([platform.leading, platform.ended]);
    signal.throwIfAborted();
    return await whileRunning(platform, async (running) => {
      if (flags.exitWhenReady !== true) terminal.progress(nextSteps(target, flags, terminal.paintProgress));
      const done = await orderedWork(apps, flags, terminal, AbortSignal.any([signal, running]));
      if (flags.exitWhenReady === true) return done;
      if (!signal.aborted && !running.aborted) terminal.progress(runningLine);
      await new Promise<void>((resolve) => {
        if (signal.aborted || running.aborted) resolve();
        for (const one of [signal, running]) one.addEventListener("abort", () => resolve(), { once: true });
      });
      return exitCodes.ok;
    });
  } finally {
    ours.abort();
    // What ended it was thrown above already; here it only has to be over.
    await platform?.ended.catch(() => undefined);
    await target.client.close();
  }
}

function twinOptions(flags: UpFlags): NonNullable<ForegroundOptions["twin"]> {
  const directory = clustersDirectory(flags, dataDirectoryOf(flags));
  const { seed } = flags;
  return { ...(seed === undefined ? {} : { seed }), ...(directory === undefined ? {} : { clusters: { directory } }) };
}

/** Does `work` while the platform runs. When the platform fails, that is what is thrown. */
async function whileRunning(
  platform: Foreground,
  work: (running: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const over = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  void platform.ended.then(
    () => over.abort(),
    (error: unknown) => {
      failure = { error };
      over.abort(error);
    },
  );
  try {
    const code = await work(over.signal);
    if (failure === undefined) return code;
  } catch (error) {
    if (failure === undefined) throw error;
  }
  throw failure.error;
}

/** The demonstration, and waiting for everything. */
async function orderedWork(
  apps: readonly App[],
  flags: UpFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { timeout } = flags;
  // People order, not the controllers: their field manager is another one.
  if (flags.demo !== true && flags.exitWhenReady !== true) return exitCodes.ok;
  const people = openTarget(flags);
  try {
    const options = { target: people, apps, terminal, timeout, signal };
    const { end } = flags.demo === true ? await runDemo(options) : await followEverything(options);
    return tellEnd(end, timeout, terminal);
  } finally {
    await people.client.close();
  }
}

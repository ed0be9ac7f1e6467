/**
 * `upgrade run`: carries an upgrade out, wave by wave.
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CozystackError } from "../../kube/errors.ts";
import { systemWorld } from "../../kube/world.ts";
import type { App } from "../../sdk/app.ts";
import { clusterReader } from "../../upgrade/checks/reader.ts";
import { runChecks } from "../../upgrade/checks/run.ts";
import { migrationManager } from "../../upgrade/migrations/run.ts";
import { rehearse } from "../../upgrade/rehearse/rehearse.ts";
import { inTheWay } from "../../upgrade/run/in-the-way.ts";
import { readRun } from "../../upgrade/run/record.ts";
import { runUpgrade } from "../../upgrade/run/run.ts";
import { compatibleVersion } from "../../upgrade/versions.ts";
import { controllerManager, openTarget, reached, type Target } from "../cluster.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { appsOf, type CommonFlags, does, UsageError, withExamples, withOutput, withTimeout } from "../flags.ts";
import { ownIdentity } from "../lead.ts";
import { effectsText, namesOf, rehearsalText } from "../rehearsal-report.ts";
import { pace, rehearsalPlayers } from "../rehearsal-stage.ts";
import { stopRequest } from "../signals.ts";
import type { Terminal } from "../terminal.ts";
import { startUpgradeControllers } from "../upgrade-controllers.ts";
import { onUpgradePlace, type Place } from "../upgrade-place.ts";
import { reportText } from "../upgrade-report.ts";
import { version } from "../version.ts";

interface RunFlags extends CommonFlags {
  readonly yes?: boolean;
  readonly canary?: string;
  readonly waveSize: number;
  readonly saveTo: string;
  readonly rehearsal: boolean;
  readonly back?: boolean;
  readonly timeout: number;
}

/** A check says that the upgrade would end badly. */
class ChecksInTheWay extends CozystackError {
  constructor(ids: readonly string[]) {
    super(
      "ChecksInTheWay",
      `nothing was changed: checks are in the way: ${ids.join(", ")}`,
      "Mend what `cozystack upgrade check` names, and run it again.",
    );
  }
}

/** Adds the command. */
export function upgradeRun(upgrade: Command): void {
  const command = withOutput(upgrade.command("run"), "table")
    .summary("carry the upgrade to this version out, wave by wave")
    .description(
      "Checks the cluster, rehearses the upgrade on a copy, asks, saves our own objects, migrates, and then has this version's controllers take over: the platform first, then one tenant, then the others. " +
        "Each wave must come through before the next is released; when something that was ready is not any more, nothing more is released. " +
        "It can be ended at any moment and goes on from there. " +
        `Exits with ${exitCodes.ok} when all is upgraded, ${exitCodes.error} when it halted or could not begin.`,
    )
    .option("-y, --yes", "begin without asking")
    .option("--canary <namespace>", "the tenant that goes first (default: the smallest)")
    .addOption(
      new Option("--wave-size <count>", "tenants of a wave after that").argParser(count).default(25, "25 tenants"),
    )
    .addOption(
      new Option("--save-to <dir>", "where our own objects are saved, without Secrets").default(
        join(homedir(), ".local", "share", "cozystack-saved"),
        "~/.local/share/cozystack-saved",
      ),
    )
    .option("--no-rehearsal", "begin without a rehearsal")
    .option("--back", "this is the former version: take an upgrade back");
  withTimeout(command, "how long each wave may take", "30m");
  withExamples(
    command,
    "cozystack upgrade run --kubeconfig production.yaml --canary tenant-test",
    "cozystack upgrade run --yes                        # go on with the one that was ended",
    "cozystack upgrade run --back                       # with the former version's program",
  );
  does<RunFlags>(command, async (_, flags, terminal) => {
    const stop = stopRequest((signal) => terminal.progress(`\nEnding (${signal}); the next run goes on from here.`));
    try {
      return await onUpgradePlace(flags, terminal, stop.signal, (place) => run(place, flags, terminal));
    } catch (error) {
      if (stop.signal.aborted) return exitCodes.interrupted;
      throw error;
    } finally {
      stop.forget();
    }
  });
}

function count(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("Write a whole number above 0.");
  return Number(text);
}

async function run(place: Place, flags: RunFlags, terminal: Terminal): Promise<ExitCode> {
  const { target, signal, grafanaAt } = place;
  const { client } = target;
  const log = (line: string) => terminal.progress(line);
  const { client: migrations } = openTarget(flags, migrationManager);
  try {
    const apps = await appsOf(flags, client);
    const before = await readRun(client, { signal });
    const goesOn = before !== undefined && before.phase !== "done" && before.to === version;
    if (goesOn) log(`Going on with the upgrade to ${version} that began at ${before.begun}.`);
    else if (flags.back !== true) await requireClean(target, terminal, signal);
    if (!goesOn && !(await agreed(place, apps, flags, terminal))) return exitCodes.error;
    const upgraded = await runUpgrade({
      client,
      migrations,
      apps,
      version,
      identity: ownIdentity(),
      controllers: (stage) =>
        startUpgradeControllers(stage, { version, log, ...(grafanaAt === undefined ? {} : { grafanaAt }) }),
      waves: { size: flags.waveSize, ...(flags.canary === undefined ? {} : { canary: flags.canary }) },
      patience: flags.timeout,
      pace,
      directory: resolve(flags.saveTo),
      back: flags.back === true,
      world: systemWorld,
      signal,
      log,
    });
    terminal.result(upgraded, namesOf(upgraded.effects), () => effectsText(upgraded.effects, terminal.paint));
    log(`Upgraded to ${version}. Keep controllers of this version running: with \`cozystack up\`, or a Deployment.`);
    return exitCodes.ok;
  } catch (error) {
    throw reached(error, target);
  } finally {
    await migrations.close();
  }
}

async function requireClean(target: Target, terminal: Terminal, signal: AbortSignal): Promise<void> {
  terminal.progress("Checking the cluster ...");
  const report = await runChecks(clusterReader({ client: target.client, target: compatibleVersion, signal }));
  const ids = inTheWay(report).map(({ id }) => id);
  if (ids.length === 0) return;
  terminal.progress(reportText(report, terminal.paintProgress));
  throw new ChecksInTheWay(ids);
}

/** Shows what would happen and asks. */
async function agreed(
  { target, signal }: Place,
  apps: readonly App[],
  flags: RunFlags,
  terminal: Terminal,
): Promise<boolean> {
  if (flags.yes !== true && !terminal.interactive) throw new UsageError("add --yes: there is nobody to ask");
  const log = (line: string) => terminal.progress(line);
  if (flags.rehearsal && flags.back !== true) {
    const rehearsal = await rehearse({
      source: target.client,
      apps,
      fieldManager: controllerManager,
      version,
      players: rehearsalPlayers(log),
      pace,
      patience: flags.timeout,
      signal,
      log,
    });
    terminal.progress(`\n${rehearsalText(rehearsal, terminal.paintProgress)}\n`);
  }
  if (flags.yes === true) return true;
  if (await terminal.confirm(`Upgrade ${target.description} to ${version}?`)) return true;
  log("Nothing was changed.");
  return false;
}

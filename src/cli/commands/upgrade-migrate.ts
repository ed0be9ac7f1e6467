/**
 * `upgrade migrate`: what the new version needs of objects that earlier versions left behind.
 */
import type { Command } from "commander";
import { systemWorld } from "../../kube/world.ts";
import { migrate } from "../../upgrade/migrations/migrate.ts";
import { planMigrations } from "../../upgrade/migrations/plan.ts";
import { migrationManager } from "../../upgrade/migrations/run.ts";
import { onCluster } from "../cluster.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { type CommonFlags, does, withExamples, withOutput } from "../flags.ts";
import { ownIdentity } from "../lead.ts";
import { eventLine, planNames, planText, runNames, runText, worksToDo } from "../migrations-text.ts";
import { stopRequest } from "../signals.ts";
import type { Terminal } from "../terminal.ts";
import { version } from "../version.ts";

interface MigrateFlags extends CommonFlags {
  readonly plan?: boolean;
}

/** Adds the command. */
export function upgradeMigrate(upgrade: Command): void {
  const command = withOutput(upgrade.command("migrate"), "table")
    .summary("bring objects of earlier versions up to date")
    .description(
      "Runs every migration that the installation has not had, one run at a time. It can be ended at any moment and goes on from there. " +
        `Exits with ${exitCodes.ok} when none is left or single objects failed that hold nothing up, which the record then names; ${exitCodes.error} when a migration refuses or stops. ` +
        `With --plan nothing is written, and it exits with ${exitCodes.changes} when something would be.`,
    )
    .option("--plan", "show what would be written, and write nothing");
  withExamples(
    command,
    "cozystack upgrade migrate --plan",
    "cozystack upgrade migrate --plan -o json | jq '.migrations[] | select(.problem)'",
    "cozystack upgrade migrate --kubeconfig production.yaml",
  );
  does<MigrateFlags>(command, (_, flags, terminal) => (flags.plan === true ? plan : run)(flags, terminal));
}

function plan(flags: MigrateFlags, terminal: Terminal): Promise<ExitCode> {
  return onCluster(flags, async ({ client }) => {
    const planned = await planMigrations({ client });
    terminal.result(planned, planNames(planned), () => planText(planned, terminal.paint));
    if (planned.migrations.some(({ problem }) => problem !== undefined)) return exitCodes.error;
    return worksToDo(planned) ? exitCodes.changes : exitCodes.ok;
  });
}

async function run(flags: MigrateFlags, terminal: Terminal): Promise<ExitCode> {
  const stop = stopRequest((signal) => terminal.progress(`\nEnding (${signal}); the next run goes on from here.`));
  try {
    return await onCluster(
      flags,
      async ({ client }) => {
        const ran = await migrate({
          client,
          world: systemWorld,
          version,
          identity: ownIdentity(),
          signal: stop.signal,
          onEvent: (event) => {
            for (const line of eventLine(event, terminal.paintProgress)) terminal.progress(line);
          },
        });
        terminal.result(ran, runNames(ran), () => runText(ran, terminal.paint));
        return ran.outcome === "failed" ? exitCodes.error : exitCodes.ok;
      },
      migrationManager,
    );
  } catch (error) {
    if (stop.signal.aborted) return exitCodes.interrupted;
    throw error;
  } finally {
    stop.forget();
  }
}

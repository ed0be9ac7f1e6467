/**
 * `upgrade`: everything around the change from one version to another.
 */
import type { Command } from "commander";
import { upgradeCheck } from "./upgrade-check.ts";
import { upgradeMigrate } from "./upgrade-migrate.ts";
import { upgradeRehearse } from "./upgrade-rehearse.ts";
import { upgradeRun } from "./upgrade-run.ts";

/** Each adds one command below `upgrade`. */
const commands: readonly ((upgrade: Command) => void)[] = [upgradeCheck, upgradeRehearse, upgradeMigrate, upgradeRun];

/** Adds the command. */
export function upgrade(root: Command): void {
  const command = root
    .command("upgrade")
    .summary("look at what an upgrade needs and does")
    .description("Looks at what an upgrade from one version of Cozystack to another needs and does.");
  for (const add of commands) add(command);
}

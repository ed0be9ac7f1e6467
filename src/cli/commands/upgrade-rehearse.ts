/**
 * `upgrade rehearse`: what an upgrade, or any other change, would do, seen on a copy.
 */
import { writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseQuantity, quantityToNumber } from "../../sdk/quantity.ts";
import { isTouched } from "../../upgrade/effects/effect.ts";
import { defaultLimits } from "../../upgrade/rehearse/copy.ts";
import { rehearsalPage } from "../../upgrade/rehearse/page.ts";
import { type Rehearsal, rehearse } from "../../upgrade/rehearse/rehearse.ts";
import { inTheWay } from "../../upgrade/run/in-the-way.ts";
import { controllerManager, onCluster } from "../cluster.ts";
import { parseDocuments, readSources } from "../documents.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import {
  appsOf,
  type CommonFlags,
  does,
  withExamples,
  withFiles,
  withNamespace,
  withOutput,
  withTimeout,
} from "../flags.ts";
import { applyOnCopy } from "../rehearsal-change.ts";
import { namesOf, rehearsalText } from "../rehearsal-report.ts";
import { pace, rehearsalPlayers } from "../rehearsal-stage.ts";
import { stopRequest } from "../signals.ts";
import { version } from "../version.ts";

interface RehearseFlags extends CommonFlags {
  readonly file?: readonly string[];
  readonly html?: string;
  readonly maxObjects: number;
  readonly maxSize: number;
  readonly timeout: number;
}

/** Adds the command. */
export function upgradeRehearse(upgrade: Command): void {
  const command = withOutput(withNamespace(withFiles(upgrade.command("rehearse"))), "table")
    .summary("show on a copy what an upgrade would do")
    .description(
      "Copies the objects of the cluster into a control plane of its own on this machine, lets this version's controllers do there what they would do, and says for every application what that is. " +
        "The cluster is only read; of Secrets no value is copied. Operators and machines are simulated, so times are estimates. With -f, documents are applied onto the copy first: any change can be rehearsed, a new configuration of the platform too. " +
        `Exits with ${exitCodes.ok} when nothing would change, ${exitCodes.changes} when something would, ${exitCodes.error} when something would not get through, ${exitCodes.unknown} when a check could not read something.`,
    )
    .option("--html <file>", "write the report as a page")
    .addOption(
      new Option("--max-objects <count>", "the most objects to copy")
        .argParser(count)
        .default(defaultLimits.objects, "500,000"),
    )
    .addOption(
      new Option("--max-size <quantity>", "the most to copy, in bytes")
        .argParser(size)
        .default(defaultLimits.bytes, "2Gi"),
    );
  withTimeout(command, "how long to wait until nothing moves on the copy", "20m");
  withExamples(
    command,
    "cozystack upgrade rehearse --kubeconfig production.yaml --html rehearsal.html",
    "cozystack upgrade rehearse -f platform.yaml          # another configuration of the platform",
    "cozystack upgrade rehearse -o json | jq '.effects[] | select(.impact == \"rolls\")'",
  );
  does<RehearseFlags>(command, (_, flags, terminal) =>
    onCluster(flags, async (target) => {
      const documents = flags.file === undefined ? [] : parseDocuments(readSources(flags.file));
      const apps = await appsOf(flags, target.client);
      const log = (line: string) => terminal.progress(line);
      const stop = stopRequest((signal) => log(`\nEnding (${signal}); nothing is left behind.`));
      const { signal } = stop;
      try {
        const namespace = flags.namespace ?? target.namespace;
        const rehearsal = await rehearse({
          source: target.client,
          apps,
          fieldManager: controllerManager,
          version,
          players: rehearsalPlayers(log),
          ...(documents.length === 0
            ? {}
            : { change: (copy) => applyOnCopy(copy, { documents, apps, namespace, signal }) }),
          pace,
          limits: { objects: flags.maxObjects, bytes: flags.maxSize },
          patience: flags.timeout,
          signal,
          log,
        });
        if (flags.html !== undefined) {
          const about = { cluster: target.description, version };
          writeFileSync(flags.html, rehearsalPage(rehearsal, about), { mode: 0o600 });
        }
        terminal.result(rehearsal, namesOf(rehearsal.effects), () => rehearsalText(rehearsal, terminal.paint));
        return codeOf(rehearsal);
      } catch (error) {
        if (signal.aborted) return exitCodes.interrupted;
        throw error;
      } finally {
        stop.forget();
      }
    }),
  );
}

/** What was not ready before says nothing about the change. */
function codeOf({ effects, settled, checks, migrations }: Rehearsal): ExitCode {
  const isStopped = effects.some(({ blocked, wasReady }) => blocked !== undefined && wasReady);
  const isBlocked = inTheWay(checks).length > 0;
  if (checks.standing === "couldNotTell") return exitCodes.unknown;
  if (isStopped || isBlocked || !settled || migrations.outcome !== "done") return exitCodes.error;
  return effects.some(isTouched) ? exitCodes.changes : exitCodes.ok;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Write a whole number above 0.");
  return Number(text);
}

function size(text: string): number {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new InvalidArgumentError("Write a size such as 2Gi.");
  return quantityToNumber(quantity);
}

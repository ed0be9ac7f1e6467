/**
 * `upgrade check`: whether an installation can be upgraded, before anything is changed.
 */
import { type Command, InvalidArgumentError, Option } from "commander";
import { checks } from "../../upgrade/checks/index.ts";
import { clusterReader } from "../../upgrade/checks/reader.ts";
import { runChecks, type Standing } from "../../upgrade/checks/run.ts";
import { compatibleVersion, parseVersion, type Version, versionText } from "../../upgrade/versions.ts";
import { onCluster } from "../cluster.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { type CommonFlags, does, withExamples, withOutput, withTimeout } from "../flags.ts";
import { readProgress } from "../read-progress.ts";
import { interruptible } from "../signals.ts";
import { namesOf, reportText } from "../upgrade-report.ts";

interface CheckFlags extends CommonFlags {
  readonly to: Version;
  readonly timeout: number;
}

const codes: Readonly<Record<Standing, ExitCode>> = {
  clean: exitCodes.ok,
  failing: exitCodes.changes,
  couldNotTell: exitCodes.unknown,
};

function version(text: string): Version {
  const parsed = parseVersion(text);
  if (parsed === undefined)
    throw new InvalidArgumentError(`Write a version such as ${versionText(compatibleVersion)}.`);
  return parsed;
}

/** Adds the command. */
export function upgradeCheck(upgrade: Command): void {
  const command = withOutput(upgrade.command("check"), "table")
    .summary("say what stands in the way of an upgrade")
    .description(
      "Says what stands in the way of an upgrade, and by which versions it goes. Reads only, and needs nothing of this program on the cluster. " +
        `Exits with ${codes.clean} when nothing is in the way, ${codes.failing} when a check fails, ${codes.couldNotTell} when something could not be read: then what it names is not all there is.`,
    )
    .addOption(
      new Option("--to <version>", "the version to go to")
        .argParser(version)
        .default(compatibleVersion, versionText(compatibleVersion)),
    );
  withTimeout(command, "how long one list may take, with all its pages", "60s");
  withExamples(
    command,
    "cozystack upgrade check --kubeconfig production.yaml",
    "cozystack upgrade check -o json | jq '.checks[] | select(.verdict != \"pass\")'",
  );
  does<CheckFlags>(command, (_, flags, terminal) =>
    onCluster(flags, async (target) => {
      const progress = readProgress(terminal, target.description);
      const ended = () => "Ended before everything was read: nothing can be said. Nothing was changed.";
      const report = await interruptible(
        (line) => terminal.progress(line),
        ended,
        () => {
          const options = { target: flags.to, patience: flags.timeout, onRead: progress.read };
          return runChecks(clusterReader({ client: target.client, ...options }), checks);
        },
      );
      progress.end();
      terminal.result(report, namesOf(report), () => reportText(report, terminal.paint));
      return codes[report.standing];
    }),
  );
}

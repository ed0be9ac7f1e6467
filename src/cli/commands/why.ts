/**
 * `why`: what an application waits for, or why it failed.
 */
import type { Command } from "commander";
import { applicationNamed, appNamed } from "../applications.ts";
import { onCluster } from "../cluster.ts";
import { exitCodes } from "../exit.ts";
import { type Explanation, explain, type Finding } from "../explanation.ts";
import { appsOf, type CommonFlags, does, withExamples, withNamespace, withOutput } from "../flags.ts";
import { objectText, shortName } from "../print-plan.ts";
import type { Paint } from "../terminal.ts";

/** Adds the command. */
export function why(root: Command): void {
  const command = withOutput(withNamespace(root.command("why")))
    .summary("say what an application waits for, or why it failed")
    .description(
      "Says what an application waits for, or why it failed: the object, the field, and the next step. Exits with 0 when it is ready, 2 when it is not.",
    )
    .argument("<kind>", "kind of application")
    .argument("<name>", "its name");
  withExamples(command, "cozystack why postgres db -n tenant-demo", "cozystack why tenant demo -o json");
  does<CommonFlags>(command, ([kind = "", name = ""], flags, terminal) =>
    onCluster(flags, async (target) => {
      const apps = await appsOf(flags, target.client);
      const app = appNamed(kind, apps);
      const object = await applicationNamed(target.client, app, name, flags.namespace ?? target.namespace);
      const explanation = await explain(target, app, object, apps);
      const names = explanation.findings.map((finding) => shortName(finding.object));
      terminal.result(explanation, names, () => explanationText(explanation, terminal.paint));
      return explanation.ready === "True" ? exitCodes.ok : exitCodes.changes;
    }),
  );
}

/** The explanation for people. */
export function explanationText(explanation: Explanation, paint: Paint): string {
  const { object, ready, reason, message, findings, warnings, next } = explanation;
  const title = paint.strong(objectText(object, undefined));
  const noted = warnings.map((warning) => `  ${paint.warn("warning:")} ${warning}`);
  if (ready === "True") return [`${title} is ${paint.good("ready")}: ${message}.`, ...noted].join("\n");
  return [
    `${title} is ${paint.warn("not ready")}: ${reason}`,
    // What a deletion waits for is judged by the controller alone.
    ...(findings.length === 0 || reason.startsWith("Delet") ? [`  ${message}`] : []),
    ...findings.flatMap((each) => findingLines(each, object, paint)),
    ...noted,
    `Next: ${next}`,
  ].join("\n");
}

function findingLines({ object, field, what, next, events }: Finding, self: Explanation["object"], paint: Paint) {
  const place = field === undefined ? "" : ` ${field}`;
  return [
    `  ${objectText(object, self.namespace)}${place}: ${what}`,
    ...events.map((event) => `    ${paint.dim("event:")} ${event}`),
    ...(next === undefined ? [] : [`    ${paint.dim("->")} ${next}`]),
  ];
}

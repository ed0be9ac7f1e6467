/**
 * `tree`: everything that an application owns.
 */
import type { Command } from "commander";
import { applicationNamed, appNamed } from "../applications.ts";
import { onCluster } from "../cluster.ts";
import { exitCodes } from "../exit.ts";
import { appsOf, type CommonFlags, does, withExamples, withNamespace, withOutput } from "../flags.ts";
import { hiddenAs } from "../hidden.ts";
import { type NodeHealth, type OwnedNode, ownedTree } from "../owned.ts";
import { objectText, shortName } from "../print-plan.ts";
import { fitted, oneLine, table } from "../table.ts";
import type { Paint } from "../terminal.ts";

/** Adds the command. */
export function tree(root: Command): void {
  const command = withOutput(withNamespace(root.command("tree")))
    .summary("show what an application owns, with its health")
    .description("Shows everything that an application owns, and what others made of it, each with its health.")
    .argument("<kind>", "kind of application")
    .argument("<name>", "its name");
  withExamples(command, "cozystack tree postgres db -n tenant-demo", "cozystack tree tenant demo");
  does<CommonFlags>(command, ([kind = "", name = ""], flags, terminal) =>
    onCluster(flags, async ({ client, namespace }) => {
      const apps = await appsOf(flags, client);
      const app = appNamed(kind, apps);
      const place = flags.namespace ?? namespace;
      const object = await applicationNamed(client, app, name, place);
      const node = await ownedTree(client, app, object, apps).catch(
        hiddenAs(
          `${app.kind} ${place}/${name}: a tree needs the record of what it owns`,
          `\`cozystack why ${app.singular} ${name} -n ${place}\` says how it is.`,
        ),
      );
      terminal.result(node, namesOf(node), () => fitted(treeText(node, terminal.paint), terminal.width));
      return exitCodes.ok;
    }),
  );
}

function namesOf({ object, children }: OwnedNode): readonly string[] {
  return [shortName(object), ...children.flatMap(namesOf)];
}

/** The tree as text: one object a line, its health beside it. */
export function treeText(root: OwnedNode, paint: Paint): string {
  const home = root.object.namespace;
  const rows: string[][] = [[paint.strong(objectText(root.object, undefined)), ...healthCells(root.health, paint)]];
  const visit = (nodes: readonly OwnedNode[], indent: string): void => {
    nodes.forEach((node, at) => {
      const isLast = at === nodes.length - 1;
      const line = `${indent}${isLast ? "└─ " : "├─ "}${objectText(node.object, home)}`;
      rows.push([line, ...healthCells(node.health, paint)]);
      visit(node.children, `${indent}${isLast ? "   " : "│  "}`);
    });
  };
  visit(root.children, "");
  return table([], rows);
}

function healthCells({ is, why = "" }: NodeHealth, paint: Paint): string[] {
  const detail = oneLine(why);
  switch (is) {
    case "current":
      return [paint.good("ok")];
    case "failed":
      return [paint.bad("failed"), detail];
    case "absent":
      return [paint.bad("missing")];
    case "terminating":
      return [paint.warn("going"), detail];
    default:
      return [paint.warn("waiting"), detail];
  }
}

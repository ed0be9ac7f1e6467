/**
 * `explain`: the fields of a kind, without a cluster.
 */
import type { Command } from "commander";
import { appNamed } from "../applications.ts";
import { exitCodes } from "../exit.ts";
import { type FieldHelp, fieldAt, helpOf, kindHelp } from "../field-help.ts";
import { appsOf, type CommonFlags, does, withExamples, withOutput } from "../flags.ts";
import { table } from "../table.ts";
import type { Paint } from "../terminal.ts";

/** Adds the command. */
export function explainKind(root: Command): void {
  const command = withOutput(root.command("explain"))
    .summary("describe a kind and its fields")
    .description(
      "Describes a kind of application, or one of its fields: type, default, bounds, rules. Needs no cluster. Without a kind: lists all kinds.",
    )
    .argument("[kind.path]", "such as postgres or postgres.spec.backup");
  withExamples(command, "cozystack explain", "cozystack explain postgres", "cozystack explain postgres.spec.users");
  does<CommonFlags>(command, async ([path], flags, terminal) => {
    const apps = await appsOf(flags);
    if (path === undefined) {
      const kinds = [...apps].sort((a, b) => (a.kind < b.kind ? -1 : 1)).map(kindHelp);
      terminal.result(
        kinds,
        kinds.map(({ kind }) => kind),
        () =>
          table(
            ["KIND", "PLURAL", "CATEGORY", ""],
            kinds.map(({ kind, plural, category, summary }) => [kind, plural, category, summary]),
          ),
      );
      return exitCodes.ok;
    }
    const [kind = "", ...fields] = path.split(".");
    const app = appNamed(kind, apps);
    const help = helpOf(app, fieldAt(app, fields));
    terminal.result(
      help,
      help.fields.map((field) => field.path),
      () => helpText(help, terminal.paint),
    );
    return exitCodes.ok;
  });
}

function helpText({ kind, apiVersion, field, fields }: ReturnType<typeof helpOf>, paint: Paint): string {
  const own = aboutLines(field);
  return [
    `${paint.strong("KIND:")}     ${kind}`,
    `${paint.strong("VERSION:")}  ${apiVersion}`,
    `${paint.strong("FIELD:")}    ${field.path}  ${paint.dim(`<${field.type}>`)}`,
    ...(own.length === 0 ? [] : ["", ...own.map((line) => `  ${line}`)]),
    ...(fields.length === 0 ? [] : ["", paint.strong("FIELDS:")]),
    ...fields.flatMap((each) => [
      `  ${each.name}  ${paint.dim(`<${each.type}>`)}${each.required ? paint.warn("  required") : ""}`,
      ...aboutLines(each).map((line) => `    ${line}`),
    ]),
  ].join("\n");
}

function aboutLines({ description, default: value, bounds, rules }: FieldHelp): readonly string[] {
  return [
    ...(description === undefined ? [] : [description]),
    ...(value === undefined ? [] : [`Default: ${JSON.stringify(value)}`]),
    ...bounds,
    ...rules.map((rule) => `Rule: ${rule}`),
  ];
}

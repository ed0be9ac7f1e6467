/**
 * `explain`: the fields of a kind, without a cluster.
 */
import type { Command } from "commander";
import type { App } from "../../sdk/app.ts";
import { appNamed, UnknownKindError } from "../applications.ts";
import { exitCodes } from "../exit.ts";
import { type FieldHelp, fieldAt, helpOf, kindHelp } from "../field-help.ts";
import { appsAround, appsOf, type CommonFlags, does, withExamples, withOutput } from "../flags.ts";
import { table } from "../table.ts";
import type { Paint } from "../terminal.ts";

/** Adds the command. */
export function explainKind(root: Command): void {
  const command = withOutput(root.command("explain"))
    .summary("describe a kind and its fields")
    .description(
      "Describes a kind of application, or one of its fields: type, default, bounds, rules. Needs no cluster but for kinds that the cluster itself defines. Without a kind: lists all kinds.",
    )
    .argument("[kind.path]", "such as postgres or postgres.spec.backup");
  withExamples(command, "cozystack explain", "cozystack explain postgres", "cozystack explain postgres.spec.users");
  does<CommonFlags>(command, async ([path], flags, terminal) => {
    if (path === undefined) {
      const apps = await appsAround(flags);
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
    const app = await appAround(kind, flags);
    const help = helpOf(app, fieldAt(app, fields));
    terminal.result(
      help,
      help.fields.map((field) => field.path),
      () => helpText(help, terminal.paint),
    );
    return exitCodes.ok;
  });
}

/** Without a cluster where the program itself has the kind. */
async function appAround(kind: string, flags: CommonFlags): Promise<App> {
  try {
    return appNamed(kind, await appsOf(flags));
  } catch (error) {
    if (!(error instanceof UnknownKindError)) throw error;
    return appNamed(kind, await appsAround(flags));
  }
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

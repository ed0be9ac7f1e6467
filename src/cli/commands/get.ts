/**
 * `get`: what is ordered, and how far it is.
 */
import type { Command } from "commander";
import { valueAt } from "../../kube/json.ts";
import { systemWorld } from "../../kube/world.ts";
import {
  ApplicationNotFoundError,
  applicationNamed,
  appNamed,
  type Found,
  standingOf,
  visibleOf,
} from "../applications.ts";
import { onCluster } from "../cluster.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { appsOf, type CommonFlags, does, withExamples, withNamespace, withOutput } from "../flags.ts";
import { age, fitted, oneLine, table } from "../table.ts";
import type { Terminal } from "../terminal.ts";

/** Adds the command. */
export function get(root: Command): void {
  const command = withOutput(withNamespace(root.command("get"), true))
    .summary("list applications")
    .description(
      "Lists applications: all of a namespace, those of one kind, or one of them. With -A a name is looked for in every namespace.",
    )
    .argument("[kind]", "kind of application, such as postgres")
    .argument("[name]", "name of one of them");
  withExamples(
    command,
    "cozystack get -A",
    "cozystack get postgres -n tenant-demo",
    "cozystack get postgres db -n tenant-demo -o yaml",
  );
  does<CommonFlags>(command, ([kind, name], flags, terminal) =>
    onCluster(flags, async ({ client, namespace }) => {
      const apps = await appsOf(flags, client);
      const place = flags.allNamespaces === true ? undefined : (flags.namespace ?? namespace);
      const chosen = kind === undefined ? apps : [appNamed(kind, apps)];
      const [first] = chosen;
      if (name !== undefined && first !== undefined && place !== undefined) {
        const object = await applicationNamed(client, first, name, place);
        return print([{ app: first, object }], object, first.kind, place, terminal);
      }
      const visible = await visibleOf(client, chosen, place);
      const found = visible.found.filter(({ object }) => name === undefined || object.metadata.name === name);
      if (name !== undefined && first !== undefined && found.length === 0) {
        throw new ApplicationNotFoundError(first.kind, name);
      }
      return print(
        found,
        { apiVersion: "v1", kind: "List", items: found.map(({ object }) => object) },
        kind === undefined ? undefined : first?.kind,
        place,
        terminal,
      );
    }),
  );
}

/** `kind`: the only one that was asked for. */
function nothingText(kind: string | undefined, place: string | undefined): string {
  const what = kind === undefined ? "There are no applications" : `There is no ${kind}`;
  return place === undefined ? `${what}.` : `${what} in ${place}; -A looks in every namespace.`;
}

function print(
  found: readonly Found[],
  value: unknown,
  kind: string | undefined,
  place: string | undefined,
  terminal: Terminal,
): ExitCode {
  const names = found.map(({ app, object }) => `${app.singular}.${app.group}/${object.metadata.name}`);
  if (found.length === 0 && terminal.format === "text") {
    terminal.progress(nothingText(kind, place));
    return exitCodes.ok;
  }
  terminal.result(value, names, () => text(found, terminal));
  return exitCodes.ok;
}

function text(found: readonly Found[], { paint, width }: Terminal): string {
  const now = systemWorld.now();
  const rows = [...found]
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    .map(({ app, object }) => {
      const { ready, reason, message, stalled } = standingOf(object);
      const state = ready === "True" ? paint.good(reason) : stalled ? paint.bad(reason) : paint.warn(reason);
      const version = valueAt(object, "status", "version");
      const { namespace = "", name, creationTimestamp } = object.metadata;
      const detail = ready === "True" ? "" : oneLine(message);
      return [
        namespace,
        app.kind,
        name,
        ready,
        state,
        age(creationTimestamp, now),
        typeof version === "string" ? version : "",
        detail,
      ];
    });
  return fitted(table(["NAMESPACE", "KIND", "NAME", "READY", "STATE", "AGE", "VERSION", ""], rows), width);
}

const placeOf = ({ app, object: { metadata } }: Found) => `${metadata.namespace} ${app.kind} ${metadata.name}`;

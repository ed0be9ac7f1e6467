/**
 * Flags that several commands share, and how a command's work becomes its exit code.
 */
import { type Command, Option } from "commander";
import { apps as catalogue } from "../apps/index.ts";
import { loadApps, withApps } from "../apps/load.ts";
import type { Client } from "../kube/client.ts";
import { systemWorld } from "../kube/world.ts";
import { definedApps } from "../platform/external/definitions.ts";
import type { App } from "../sdk/app.ts";
import { withServed } from "./apps-elsewhere.ts";
import { type ClusterFlags, isGiven, openTarget, reached, type Target } from "./cluster.ts";
import { duration } from "./duration.ts";
import type { ExitCode } from "./exit.ts";
import { type OutputFormat, type Terminal, terminal } from "./terminal.ts";

export interface CommonFlags extends ClusterFlags {
  /** Folder of applications beside the catalogue. */
  readonly apps?: string;
  readonly output?: OutputFormat | "table";
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
}

/** Adds `-o`. @param forPeople what the form for people is called */
export function withOutput(command: Command, forPeople: "text" | "table" = "text"): Command {
  return command.addOption(
    new Option("-o, --output <format>", `print as ${forPeople}, json, yaml, or names only`).choices([
      forPeople,
      "json",
      "yaml",
      "name",
    ]),
  );
}

/** Adds `-n`, and `-A` where it makes sense. */
export function withNamespace(command: Command, all = false): Command {
  command.option("-n, --namespace <name>", "namespace of what names none (default: the kubeconfig's, or tenant-root)");
  return all
    ? command.addOption(new Option("-A, --all-namespaces", "in every namespace").conflicts("namespace"))
    : command;
}

/** Adds `-f`. */
export function withFiles(command: Command): Command {
  return command.option("-f, --file <file...>", "files or folders of YAML or JSON documents; - is standard input");
}

/** Adds `--timeout`, in milliseconds once read. `standard` as people write it, such as `10m`. */
export function withTimeout(command: Command, what: string, standard: string): Command {
  return command.addOption(
    new Option("--timeout <time>", what).argParser(duration).default(duration(standard), standard),
  );
}

/** Adds examples, one a line, to a command's help. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`);
}

/** What a command is given: the words after it, its flags, and where to print. */
export type Work<F> = (words: readonly string[], flags: F, terminal: Terminal) => Promise<ExitCode>;

/** Flags or words that make no sense together; printed as wrong usage. */
export class UsageError extends Error {}

const formatOf = ({ output = "text" }: CommonFlags): OutputFormat => (output === "table" ? "text" : output);

/** Gives a command its work. */
export function does<F extends CommonFlags>(command: Command, work: Work<F>): void {
  command.action(async () => {
    const flags = command.optsWithGlobals<F>();
    try {
      process.exitCode = await work(command.args, flags, terminal(formatOf(flags)));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${error.message}`);
      throw error;
    }
  });
}

/** All applications: the catalogue, those of `--apps` and, with a client, those that the cluster has definitions of, or serves. */
export async function appsOf(flags: CommonFlags, client?: Client): Promise<readonly App[]> {
  const own = flags.apps === undefined ? catalogue : withApps(catalogue, await loadApps(flags.apps));
  return client === undefined ? own : withServed(client, await definedApps(client, own));
}

/** A cluster that does not answer is none for commands that can do without. */
const PATIENCE_MS = 3_000;

/** All applications, with the cluster's own where one can be reached. */
export async function appsAround(flags: CommonFlags): Promise<readonly App[]> {
  const own = await appsOf(flags);
  let target: Target;
  try {
    target = openTarget(flags);
  } catch (error) {
    // Named on purpose, and wrong.
    if (isGiven(flags)) throw error;
    return own;
  }
  const answered = new AbortController();
  const late = systemWorld.sleep(PATIENCE_MS, answered.signal).then(
    () => own,
    () => own,
  );
  try {
    return await Promise.race([definedApps(target.client, own), late]);
  } catch (error) {
    if (isGiven(flags)) throw reached(error, target);
    return own;
  } finally {
    // A sleep that goes on keeps the process.
    answered.abort();
    await target.client.close();
  }
}

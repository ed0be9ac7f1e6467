/**
 * Flags that several commands share, and how a command's work becomes its exit code.
 */
import { type Command, Option } from "commander";
import { apps as catalogue } from "../apps/index.ts";
import { loadApps, withApps } from "../apps/load.ts";
import type { App } from "../sdk/app.ts";
import type { ClusterFlags } from "./cluster.ts";
import { duration } from "./duration.ts";
import type { ExitCode } from "./exit.ts";
import { type OutputFormat, type Terminal, terminal } from "./terminal.ts";

export interface CommonFlags extends ClusterFlags {
  /** Folder of applications beside the catalogue. */
  readonly apps?: string;
  readonly output?: OutputFormat;
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
}

/** Adds `-o`. */
export function withOutput(command: Command): Command {
  return command.addOption(
    new Option("-o, --output <format>", "print as text, json, yaml, or names only").choices([
      "text",
      "json",
      "yaml",
      "name",
    ]),
  );
}

/** Adds `-n`, and `-A` where it makes sense. */
export function withNamespace(command: Command, all = false): Command {
  command.option("-n, --namespace <name>", "namespace of what names none (default: the kubeconfig's, or tenant-root)");
  return all ? command.option("-A, --all-namespaces", "in every namespace") : command;
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

/** Gives a command its work. */
export function does<F extends CommonFlags>(command: Command, work: Work<F>): void {
  command.action(async () => {
    const flags = command.optsWithGlobals<F>();
    try {
      process.exitCode = await work(command.args, flags, terminal(flags.output ?? "text"));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${error.message}`);
      throw error;
    }
  });
}

/** All applications: the catalogue and those of `--apps`. */
export async function appsOf(flags: CommonFlags): Promise<readonly App[]> {
  return flags.apps === undefined ? catalogue : withApps(catalogue, await loadApps(flags.apps));
}

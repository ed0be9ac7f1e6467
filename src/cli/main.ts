/**
 * The command line: `cozystack COMMAND`. Each command is a file in commands/; this one gives them their flags and turns what
 * they throw into a message and an exit code.
 */
import { Command, CommanderError, Option } from "commander";
import { commands } from "./commands/index.ts";
import { exitCodes } from "./exit.ts";
import { problemLines } from "./problems.ts";
import { version } from "./version.ts";

/** Without those for which a command has a meaning of its own, such as `render --context`. */
function visibleGlobalOptions(command: Command): Option[] {
  const own = new Set(command.options.map(({ long }) => long));
  const above = (one: Command): readonly Option[] =>
    one.parent === null ? [] : [...one.parent.options, ...above(one.parent)];
  const all = above(command);
  return all.filter(({ long, hidden }) => !hidden && !own.has(long));
}

/** All commands with their flags, not run yet. */
export function program(): Command {
  const root = new Command("cozystack")
    .description(
      "Turns a Kubernetes cluster into a cloud: managed applications as Kubernetes objects, in a tree of tenants.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help of a command")
    .addOption(new Option("--kubeconfig <file>", "work on the cluster of this kubeconfig, not on the embedded one"))
    .addOption(new Option("--context <name>", "use this context of the kubeconfig"))
    .addOption(new Option("--data-dir <dir>", "where the embedded control plane keeps its data"))
    .addOption(new Option("--apps <dir>", "a folder of applications besides the catalogue"))
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions })
    .showHelpAfterError("(add --help for what it takes)")
    .exitOverride();
  for (const add of commands) add(root);
  return root;
}

/** Runs one command line; gives its exit code. */
export async function run(words: readonly string[]): Promise<number> {
  try {
    await program().parseAsync([...words], { from: "user" });
    return typeof process.exitCode === "number" ? process.exitCode : exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    for (const line of problemLines(error, Boolean(process.env["COZYSTACK_DEBUG"]))) process.stderr.write(`${line}\n`);
    return exitCodes.error;
  }
}

if (import.meta.main) {
  // A reader that goes away, as `head` does, ends us quietly.
  process.stdout.on("error", () => process.exit(exitCodes.ok));
  process.exitCode = await run(process.argv.slice(2));
}

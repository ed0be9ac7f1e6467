/**
 * `completion`: a script that teaches a shell this command line.
 */
import type { Command } from "commander";
import { type CommandWords, completionScript, isShell, shells, type Vocabulary } from "../completion-scripts.ts";
import { exitCodes } from "../exit.ts";
import { appsAround, type CommonFlags, does, UsageError, withExamples } from "../flags.ts";

/** Adds the command. */
export function completion(root: Command): void {
  const command = root
    .command("completion")
    .summary("print completion for bash, zsh or fish")
    .description("Prints a script that completes commands, flags, kinds, and names of applications.")
    .argument("<shell>", "bash, zsh or fish");
  withExamples(
    command,
    "source <(cozystack completion bash)",
    "cozystack completion fish > ~/.config/fish/completions/cozystack.fish",
  );
  does<CommonFlags>(command, async ([shell = ""], flags) => {
    if (!isShell(shell)) throw new UsageError(`no completion for ${shell}: say bash, zsh or fish`);
    const kinds = (await appsAround(flags)).map(({ singular }) => singular).sort();
    process.stdout.write(completionScript(shell, vocabularyOf(root, kinds)));
    return exitCodes.ok;
  });
}

/** What the commands take, read from their own declarations. */
function vocabularyOf(root: Command, kinds: readonly string[]): Vocabulary {
  return { commands: root.commands.map(wordsOf), globals: flagsOf(root), kinds };
}

function wordsOf(command: Command): CommandWords {
  const below = command.commands;
  const flags = [...new Set([...flagsOf(command), ...below.flatMap(flagsOf)])];
  return { name: command.name(), summary: command.summary(), flags, takes: takenBy(command) };
}

function takenBy(command: Command): CommandWords["takes"] {
  if (command.commands.length > 0) return command.commands.map((one) => one.name());
  const [first] = command.registeredArguments;
  const name = first?.name() ?? "";
  return name.startsWith("kind") ? "kind" : name === "shell" ? shells : [];
}

function flagsOf(command: Command): readonly string[] {
  const own = command.options.flatMap(({ short, long }) => [short, long].flatMap((flag) => flag ?? []));
  return [...own, "-h", "--help"];
}

/**
 * Completion for shells: what can be known without running the program is in the script; names of applications are asked of
 * the cluster when they are needed.
 */

/** What a command line may say. */
export interface Vocabulary {
  readonly commands: readonly CommandWords[];
  /** Flags of every command. */
  readonly globals: readonly string[];
  readonly kinds: readonly string[];
}

export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly string[];
  /** What its first word is: a kind, or one of these. */
  readonly takes: "kind" | readonly string[];
}

/** Those that there is a script for. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export function isShell(word: string): word is Shell {
  return shells.some((shell) => shell === word);
}

/** The script of a shell. */
export function completionScript(shell: Shell, words: Vocabulary): string {
  return shell === "bash" ? bash(words) : shell === "zsh" ? zsh(words) : fish(words);
}

const fileFlags = ["-f", "--file", "--kubeconfig", "--existing"];
const folderFlags = ["--data-dir", "--apps"];
const formats = ["text", "table", "json", "yaml", "name"];

const namesOf = (kind: string) => `cozystack get ${kind} -A -o name 2>/dev/null | sed 's|.*/||'`;

function bash({ commands, globals, kinds }: Vocabulary): string {
  const cases = commands.map(({ name, flags, takes }) => {
    const words = takes === "kind" ? "$kinds" : takes.join(" ");
    return `    ${name}) flags="${flags.join(" ")}" first="${words}" ;;`;
  });
  return `# bash completion of cozystack: source <(cozystack completion bash)
_cozystack() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local kinds="${kinds.join(" ")}" globals="${globals.join(" ")}"
  local command="" operands=() word flags="" first=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      -*) ;;
      *) if [ -z "$command" ]; then command=$word; else operands+=("$word"); fi ;;
    esac
  done
  case $prev in
    ${fileFlags.join("|")}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    ${folderFlags.join("|")}) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    -o|--output) COMPREPLY=($(compgen -W "${formats.join(" ")}" -- "$cur")); return ;;
  esac
  case $command in
    "") COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} $globals" -- "$cur")); return ;;
${cases.join("\n")}
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$flags $globals" -- "$cur")) ;;
    *) case \${#operands[@]} in
         0) COMPREPLY=($(compgen -W "$first" -- "$cur")) ;;
         1) [ "$first" = "$kinds" ] && COMPREPLY=($(compgen -W "$(${namesOf(`"\${operands[0]}"`)})" -- "$cur")) ;;
       esac ;;
  esac
}
complete -F _cozystack cozystack ./cozystack
`;
}

function zsh({ commands, globals, kinds }: Vocabulary): string {
  const described = commands.map(({ name, summary }) => `    '${name}:${summary.replaceAll("'", "")}'`);
  const cases = commands.map(({ name, flags, takes }) => {
    const words = takes === "kind" ? "$kinds" : takes.join(" ");
    return `    ${name}) flags=(${flags.join(" ")}) first=(${words}) ;;`;
  });
  return `#compdef cozystack
# zsh completion of cozystack: source <(cozystack completion zsh)
_cozystack() {
  local -a commands kinds globals flags first operands
  local command="" word prev=\${words[CURRENT-1]}
  commands=(
${described.join("\n")}
  )
  kinds=(${kinds.join(" ")})
  globals=(${globals.join(" ")})
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] && continue
    if [[ -z $command ]]; then command=$word; else operands+=($word); fi
  done
  case $prev in
    ${fileFlags.join("|")}) _files; return ;;
    ${folderFlags.join("|")}) _files -/; return ;;
    -o|--output) compadd ${formats.join(" ")}; return ;;
  esac
  case $command in
    "") _describe command commands; compadd -- $globals; return ;;
${cases.join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then compadd -- $flags $globals
  elif (( \${#operands} == 0 )); then compadd -- $first
  elif (( \${#operands} == 1 )) && [[ "$first" == "$kinds" ]]; then compadd -- \${(f)"$(${namesOf("$operands[1]")})"}
  fi
}
(( $+functions[compdef] )) && compdef _cozystack cozystack
`;
}

function fish({ commands, globals, kinds }: Vocabulary): string {
  const all = commands.map(({ name }) => name).join(" ");
  const long = (flags: readonly string[]) => flags.filter((flag) => flag.startsWith("--")).map((flag) => flag.slice(2));
  const lines = commands.flatMap(({ name, summary, flags, takes }) => {
    const when = `-n "__fish_seen_subcommand_from ${name}"`;
    const words = takes === "kind" ? kinds : takes;
    return [
      `complete -c cozystack -n "not __fish_seen_subcommand_from ${all}" -a ${name} -d '${summary.replaceAll("'", "")}'`,
      ...long(flags).map((flag) => `complete -c cozystack ${when} -l ${flag}`),
      ...(words.length === 0 ? [] : [`complete -c cozystack ${when} -a "${words.join(" ")}"`]),
    ];
  });
  return [
    "# fish completion of cozystack: cozystack completion fish | source",
    "complete -c cozystack -f",
    ...long(globals).map((flag) => `complete -c cozystack -l ${flag}`),
    ...lines,
    `complete -c cozystack -s o -l output -x -a "${formats.join(" ")}"`,
    "complete -c cozystack -s f -l file -r -F",
    "",
  ].join("\n");
}

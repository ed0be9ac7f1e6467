import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { completionScript, type Vocabulary } from "./completion-scripts.ts";

const words: Vocabulary = {
  commands: [
    { name: "get", summary: "list", flags: ["-n", "--namespace"], takes: "kind" },
    { name: "completion", summary: "print", flags: ["--help"], takes: ["bash", "zsh", "fish"] },
    { name: "upgrade", summary: "upgrade", flags: ["--to"], takes: ["check"] },
  ],
  globals: ["--kubeconfig", "--data-dir"],
  kinds: ["postgres", "redis"],
};

/** What bash offers for a command line whose last word is being typed. */
function offered(line: readonly string[]): readonly string[] {
  const script = `${completionScript("bash", words)}
cozystack() { printf 'postgres.apps.cozystack.io/db\\npostgres.apps.cozystack.io/shop\\n'; }
COMP_WORDS=(${line.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${line.length - 1}
_cozystack
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, status, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout.split("\n").filter((word) => word !== "");
}

const rows: { readonly why: string; readonly line: readonly string[]; readonly offers: readonly string[] }[] = [
  { why: "commands first", line: ["cozystack", "g"], offers: ["get"] },
  { why: "kinds after a command that takes one", line: ["cozystack", "get", "p"], offers: ["postgres"] },
  { why: "names after a kind", line: ["cozystack", "get", "postgres", ""], offers: ["db", "shop"] },
  { why: "flags of the command and those of all", line: ["cozystack", "get", "--n"], offers: ["--namespace"] },
  { why: "formats after -o", line: ["cozystack", "get", "-o", "j"], offers: ["json"] },
  { why: "commands below a command", line: ["cozystack", "upgrade", ""], offers: ["check"] },
  { why: "shells after completion", line: ["cozystack", "completion", "z"], offers: ["zsh"] },
];

for (const { why, line, offers } of rows) {
  test(`bash completes ${why}`, () => {
    assert.deepEqual(offered(line), offers);
  });
}

test("zsh and fish have every command and kind", () => {
  for (const shell of ["zsh", "fish"] as const) {
    const script = completionScript(shell, words);
    for (const word of ["get", "completion", "postgres", "redis"]) assert.match(script, new RegExp(`\\b${word}\\b`));
  }
});

/** Runs the script of a scheduled dump in a shell, with stand-ins for the programs it calls. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Writes down its repository and arguments, each ended by a zero byte, the call by a line. */
const restic = `#!/bin/sh
{ printf '%s\\0' "$RESTIC_REPOSITORY" "$@"; printf '\\n'; } >>"$LOG"
case "$1 $*" in
"cat "*) exit "$NEW" ;;
"backup "*) cat >>"$LOG.stored" ;;
esac
case "$RESTIC_REPOSITORY $1" in *"$BROKEN_AT") exit 3 ;; esac
`;

export interface Dumping {
  readonly script: string;
  /** Stand-ins by name: scripts that find the listed items in the file `$ITEMS`. */
  readonly programs: Readonly<Record<string, string>>;
  /** How the database is reached. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Given {
  /** A line an item: its name, a tab, its part of an address. */
  readonly items: string;
  readonly strategy?: string;
  readonly prefix?: string;
  /** End of `repository command` at which restic fails. */
  readonly brokenAt?: string;
  readonly newRepository?: boolean;
}

/** The job's tag in every run. */
export const job = "job-0123abcd";

/** What became of a run: restic's calls (the repository, then its arguments) and all that was piped into it. */
export function runDump(
  dumping: Dumping,
  { items, strategy = "--keep-last=3", prefix = "host/bucket", ...more }: Given,
) {
  const folder = mkdtempSync(join(tmpdir(), "dump-"));
  const file = (name: string) => join(folder, name);
  try {
    const programs = { ...dumping.programs, restic, uuidgen: `#!/bin/sh\necho ${job.slice(4)}-0000-0000\n` };
    for (const [name, text] of Object.entries({ ...programs, "backup.sh": dumping.script, items })) {
      writeFileSync(file(name), text);
      chmodSync(file(name), 0o755);
    }
    const { PATH = "" } = process.env;
    const env = {
      ...dumping.env,
      PATH: `${folder}:${PATH}`,
      TMPDIR: folder,
      LOG: file("log"),
      ITEMS: file("items"),
      NEW: more.newRepository === true ? "1" : "0",
      BROKEN_AT: more.brokenAt ?? "nowhere",
      REPO_PREFIX: prefix,
      CLEANUP_STRATEGY: strategy,
      RESTIC_PASSWORD: "Hush-2",
    };
    const done = spawnSync("sh", ["-x", file("backup.sh")], { env, cwd: folder, encoding: "utf8" });
    const log = existsSync(env.LOG) ? readFileSync(env.LOG, "utf8") : "";
    const calls = log
      .split("\0\n")
      .slice(0, -1)
      .map((call) => call.split("\0"));
    const stored = existsSync(`${env.LOG}.stored`) ? readFileSync(`${env.LOG}.stored`, "utf8") : "";
    return { status: done.status, output: done.stdout + done.stderr, calls, stored };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Calls as one text each. */
export const words = (calls: readonly (readonly string[])[]): readonly string[] => calls.map((call) => call.join(" "));

/** A real PostgreSQL server for tests, where its programs are installed: on a Unix socket in a temporary folder. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface PostgresServer {
  /** Environment of clients that are the superuser. */
  readonly env: Readonly<Record<string, string>>;
  /** What the server logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Debian keeps the server's programs outside PATH. */
function programs(): string | undefined {
  const look =
    "command -v psql >/dev/null && { command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb | tail -n 1; }";
  const path = spawnSync("sh", ["-c", look]).stdout.toString().trim();
  if (path === "") return undefined;
  return spawnSync("realpath", [path])
    .stdout.toString()
    .trim()
    .replace(/\/initdb$/, "");
}

/** Undefined where no PostgreSQL is installed. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const bin = programs();
  if (bin === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "pg-"));
  // PostgreSQL refuses to be root.
  const root = process.getuid?.() === 0;
  const account = root ? { uid: 65534, gid: 65534 } : {};
  if (root) chownSync(folder, 65534, 65534);
  const password = "super'secret";
  writeFileSync(join(folder, "password"), password, { mode: 0o644 });
  const data = join(folder, "data");
  const made = spawnSync(
    join(bin, "initdb"),
    [
      "-D",
      data,
      "-U",
      "postgres",
      "-A",
      "scram-sha-256",
      `--pwfile=${folder}/password`,
      "-E",
      "UTF8",
      "--no-locale",
      "-N",
    ],
    { ...account, cwd: folder },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr.toString()}`);
  const settings = ["listen_addresses=", "fsync=off", "wal_level=logical", "max_connections=20", "log_statement=all"];
  const server = spawn(
    join(bin, "postgres"),
    ["-D", data, "-k", folder, ...settings.flatMap((setting) => ["-c", setting])],
    { ...account, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  let log = "";
  server.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const exited = once(server, "exit");
  for (let tries = 0; tries < 100 && !log.includes("ready to accept connections"); tries++) {
    if (server.exitCode !== null) throw new Error(`postgres ended: ${log}`);
    await sleep(100);
  }
  return {
    env: { PGHOST: folder, PGPORT: "5432", PGUSER: "postgres", PGPASSWORD: password, PGDATABASE: "postgres" },
    log: () => log,
    async stop() {
      // Fast shutdown: sessions are ended.
      server.kill("SIGINT");
      await exited;
      if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

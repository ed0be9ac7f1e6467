/**
 * While the control plane is built, which takes minutes the first time: who is at it is known, and can be ended. A `go` that
 * never gets anywhere stands for the real one.
 */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runningEngine } from "../../embedded/engine.ts";
import { identify } from "../../embedded/lock.ts";
import { stopRunning } from "../../embedded/supervisor.ts";
import { type CliOptions, cli, startCli } from "../../test/support/cli.ts";
import { eventually } from "../../test/support/eventually.ts";

const folder = mkdtempSync(join(tmpdir(), "building-"));
const dataDir = join(folder, "data");
const pidFile = join(folder, "go.pid");
const kubeconfig = join(folder, "other-cluster.yaml");
after(async () => {
  await stopRunning(dataDir);
  rmSync(folder, { recursive: true, force: true });
});
mkdirSync(join(folder, "bin"));
const go = join(folder, "bin", "go");
writeFileSync(
  go,
  `#!/bin/sh
case $1 in
  env) printf 'go1.25\\nlinux\\namd64\\n' ;;
  *) echo $$ > '${pidFile}'; exec sleep 600 ;;
esac
`,
);
chmodSync(go, 0o755);
writeFileSync(
  kubeconfig,
  JSON.stringify({
    clusters: [{ name: "other", cluster: { server: "https://127.0.0.1:9" } }],
    contexts: [{ name: "other", context: { cluster: "other" } }],
    "current-context": "other",
  }),
);

const options: CliOptions = {
  env: {
    PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    XDG_CACHE_HOME: join(folder, "cache"),
    KUBECONFIG: kubeconfig,
  },
};
const run = (...words: readonly string[]) => cli([...words, "--data-dir", dataDir], options);

/** The pid of the `go` that builds, once there is one. */
const building = () =>
  eventually("it is being built", async () => existsSync(pidFile) && Number(readFileSync(pidFile, "utf8")), 60);

/** What must be left when all has ended. */
function nothingIsLeft(pids: readonly number[]): void {
  assert.deepEqual(
    pids.filter((pid) => identify(pid) !== undefined),
    [],
  );
  assert.equal(runningEngine(dataDir), undefined);
  rmSync(pidFile, { force: true });
}

test("what builds in the background is found by the other commands, and ended by down", async () => {
  const { child, result } = startCli(["up", "--detach", "--data-dir", dataDir], options);
  const compiler = await building();
  child.kill("SIGINT");
  const { code, stderr } = await result;
  assert.equal(code, 130, stderr);
  assert.match(stderr, /`cozystack status` shows it, `cozystack down` ends it/);
  const pid = runningEngine(dataDir)?.pid ?? 0;
  const starting = new RegExp(`process ${pid} is still starting the control plane on .*\\(NoClusterYet\\)`);
  for (const words of [["status"], ["get", "-A"], ["apply", "-f", "examples/redis.yaml"]]) {
    const refused = await run(...words);
    assert.equal(refused.code, 1, words.join(" "));
    assert.match(refused.stderr, starting, `${words.join(" ")}: never another cluster instead`);
  }
  for (const words of [["up"], ["up", "--detach"]]) {
    const second = await run(...words);
    assert.equal(second.code, 1);
    assert.match(second.stderr, new RegExp(`Process ${pid} runs a control plane on .*\\(EngineInUse\\)`));
  }
  const down = await run("down");
  assert.equal(down.code, 0, down.stderr);
  assert.match(down.stderr, /^The control plane is stopped\./);
  nothingIsLeft([pid, compiler]);
});

test("Ctrl-C while it is built ends the compiler as well", async () => {
  const { child, result } = startCli(["up", "--data-dir", dataDir], options);
  const compiler = await building();
  child.kill("SIGINT");
  const { code, stderr } = await result;
  assert.equal(code, 130, stderr);
  assert.match(stderr, /\nEnding \(SIGINT\); once more ends it at once\.\n$/);
  nothingIsLeft([child.pid ?? 0, compiler]);
});

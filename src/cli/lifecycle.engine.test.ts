/**
 * The first thing anybody does with this program, on an engine of its own: up with the demonstration, down, up again, Ctrl-C.
 * Whatever way it ends, no process and no lock is left.
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runningEngine } from "../../embedded/engine.ts";
import { identify } from "../../embedded/lock.ts";
import { stopRunning } from "../../embedded/supervisor.ts";
import { cli, startCli } from "../../test/support/cli.ts";
import { eventually } from "../../test/support/eventually.ts";
import { valueAt } from "../kube/json.ts";

const folder = mkdtempSync(join(tmpdir(), "up-"));
const dataDir = join(folder, "data");
after(async () => {
  await stopRunning(dataDir);
  rmSync(folder, { recursive: true, force: true });
});
const run = (...words: readonly string[]) => cli([...words, "--data-dir", dataDir]);

/** Every process of the engine and who runs it, as long as they run. */
function processes(): readonly number[] {
  const engine = runningEngine(dataDir);
  return engine === undefined ? [] : [engine.pid, ...Object.values(engine.pids ?? {})];
}
/** Those of the API server that plays the demonstration's Kubernetes cluster. */
function tenantProcesses(): readonly number[] {
  const entries = readdirSync(join(dataDir, "tenant-clusters"), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  return folders.flatMap(({ parentPath, name }) => Object.values(runningEngine(join(parentPath, name))?.pids ?? {}));
}
const alive = (pids: readonly number[]) => pids.filter((pid) => identify(pid) !== undefined);

test("up --demo --exit-when-ready ends with everything ready, the engine stopped and its data kept", async () => {
  const { code, stderr } = await run("up", "--demo", "--exit-when-ready", "--timeout", "5m");
  assert.equal(code, 0, stderr);
  for (const kind of ["Tenant", "Postgres", "Redis", "ClickHouse", "Bucket", "VMDisk", "VMInstance", "Kubernetes"]) {
    assert.match(stderr, new RegExp(`${kind} {2}\\S+ {2}ready`), kind);
  }
  assert.match(stderr, /SIMULATION/);
  assert.equal(runningEngine(dataDir), undefined);
  assert.ok(existsSync(join(dataDir, "kubeconfig")));
});

test("up --detach goes on in the background with what was there; status says so; a second up is refused", async () => {
  const up = await run("up", "--detach", "--demo");
  assert.equal(up.code, 0, up.stderr);
  assert.match(up.stderr, /SIMULATION/);
  assert.match(up.stderr, /Everything is ready\.\n$/);
  assert.match(up.stderr, /kubeconfig: .*\/data\/kubeconfig/);
  const status = await run("status", "-o", "json");
  assert.equal(status.code, 0, status.stderr);
  const told: unknown = JSON.parse(status.stdout);
  assert.equal(valueAt(told, "controllers", "running"), true);
  assert.deepEqual(Object.keys(Object(valueAt(told, "engine", "pids"))).sort(), [
    "cozystack",
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
  ]);
  const plan = await run("plan", "-f", "examples/demo");
  assert.equal(plan.code, 0, `the demonstration is still there: ${plan.stdout}${plan.stderr}`);
  const kubeconfig = await run("kubeconfig", "dev", "-n", "tenant-demo");
  assert.equal(kubeconfig.code, 0, kubeconfig.stderr);
  const file = join(folder, "dev.kubeconfig");
  writeFileSync(file, kubeconfig.stdout);
  const nodes = await cli(["kubectl", "--kubeconfig", file, "--", "get", "nodes", "--show-labels"]);
  assert.equal(nodes.code, 0, nodes.stderr);
  assert.equal(nodes.stdout.match(/^kubernetes-dev-md0-\S+ +Ready .*twin\.cozystack\.io\/simulated=true/gm)?.length, 2);
  for (const words of [["up"], ["up", "--detach"]]) {
    const second = await run(...words);
    assert.equal(second.code, 1);
    assert.match(second.stderr, /Process \d+ runs a control plane on .*\(EngineInUse\)/);
  }
});

test("down ends every process", async () => {
  const pids = [...processes(), ...tenantProcesses()];
  assert.equal(pids.length, 8);
  const { code, stderr } = await run("down");
  assert.equal(code, 0, stderr);
  assert.deepEqual(alive(pids), []);
  assert.match((await run("down")).stderr, /No control plane runs on/);
  assert.equal((await run("status")).code, 1);
});

test("Ctrl-C in the foreground ends every process, with exit code 0 once it was up", async () => {
  const { child, result } = startCli(["up", "--data-dir", dataDir]);
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await eventually("it is up", async () => said.includes("Running. Ctrl-C ends it."), 120);
  const pids = processes();
  assert.equal(pids.length, 5);
  child.kill("SIGINT");
  const { code, stderr } = await result;
  assert.equal(code, 0, stderr);
  assert.match(stderr, /Ending \(SIGINT\).*\n.*its data is kept/);
  assert.deepEqual(alive(pids), []);
  assert.equal(runningEngine(dataDir), undefined);
});

for (const [when, isThen] of [
  ["while the control plane starts", () => runningEngine(dataDir) !== undefined],
  ["while the platform is installed", (said: string) => said.includes("Installing the platform ...")],
] as const) {
  test(`Ctrl-C ${when} ends every process, and nothing is said of what would have come next`, async () => {
    const { child, result } = startCli(["up", "--demo", "--data-dir", dataDir]);
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    await eventually(when, async () => isThen(said), 120);
    const pids = processes();
    child.kill("SIGINT");
    const { code, stderr } = await result;
    assert.equal(code, 130, stderr);
    assert.match(stderr, /\nEnding \(SIGINT\); once more ends it at once\.\n(The control plane is stopped; .*\n)?$/);
    assert.deepEqual(alive(pids), []);
    assert.equal(runningEngine(dataDir), undefined);
  });
}

test("a component that crashes ends all, and is named", async () => {
  const { child, result } = startCli(["up", "--data-dir", dataDir]);
  const pid = await eventually(
    "the controller manager runs",
    async () => runningEngine(dataDir)?.pids?.["kube-controller-manager"],
    120,
  );
  const pids = processes();
  process.kill(pid, "SIGKILL");
  const { code, stderr } = await result;
  assert.equal(code, 1, stderr);
  assert.match(stderr, /error: kube-controller-manager ended by itself .*\n[\s\S]*\(EngineCrashed\)\n/);
  assert.deepEqual(alive([...pids, child.pid ?? 0]), []);
});

test("a kill leaves no process, and the next up needs no help; down --purge leaves nothing", async () => {
  const { child, result } = startCli(["up", "--data-dir", dataDir]);
  const pids = await eventually(
    "all components run",
    async () => {
      const found = [...processes(), ...tenantProcesses()];
      return found.length === 8 ? found : undefined;
    },
    120,
  );
  child.kill("SIGKILL");
  await result;
  await eventually("they notice and end", async () => alive(pids).length === 0, 30);
  const { code, stderr } = await run("up", "--exit-when-ready", "--timeout", "3m");
  assert.equal(code, 0, stderr);
  const purged = await run("down", "--purge");
  assert.equal(purged.code, 0);
  assert.equal(existsSync(dataDir), false);
  assert.equal(existsSync(`${dataDir}.log`), false);
});

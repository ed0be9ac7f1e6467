/** `up` on a cluster that somebody else runs: no twin, and one process acts at a time. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Engine, startEngine } from "../../embedded/engine.ts";
import { cli, type RunningCli, startCli } from "../../test/support/cli.ts";
import { eventually } from "../../test/support/eventually.ts";
import { Node } from "../contracts/core.ts";
import { connect } from "../kube/connect.ts";
import { valueAt } from "../kube/json.ts";
import { loadKubeconfig } from "../kube/kubeconfig.ts";
import { version } from "./version.ts";

const folder = mkdtempSync(join(tmpdir(), "cluster-"));
const engine: Engine = await startEngine({ dataDir: join(folder, "data"), fsync: false });
const kubeconfig = engine.kubeconfigPath;
const client = connect({ ...loadKubeconfig(kubeconfig), fieldManager: "test" });
const started: RunningCli[] = [];
after(async () => {
  for (const { child } of started) child.kill("SIGKILL");
  await client.close();
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** `up` on the cluster, and what it said so far. */
function up(): RunningCli & { readonly said: () => string } {
  const running = startCli(["up", "--kubeconfig", kubeconfig]);
  started.push(running);
  let said = "";
  running.child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  return { ...running, said: () => said };
}
const leads = (one: { said: () => string }) => async () => one.said().includes("The platform is up");

test("the first leads, the second waits until the first has ended, and nothing is played", async () => {
  const first = up();
  await eventually("the first leads", leads(first), 90);
  assert.doesNotMatch(first.said(), /SIMULATION/);
  assert.deepEqual((await client.list(Node)).items, []);
  const status = await cli(["status", "--kubeconfig", kubeconfig]);
  assert.equal(status.code, 0, status.stderr);
  const told: unknown = JSON.parse((await cli(["status", "--kubeconfig", kubeconfig, "-o", "json"])).stdout);
  assert.deepEqual(
    ["running", "version"].map((field) => valueAt(told, "controllers", field)),
    [true, version],
  );
  const renewed = String(valueAt(told, "controllers", "renewTime"));
  assert.match(renewed, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  const age = Date.now() - Date.parse(renewed);
  assert.ok(age > -1_000 && age < 15_000, `the lease was renewed ${age} ms ago`);
  assert.match(status.stdout, /controllers +running +version \d+\.\d+\.\d+, lease of \S+ renewed/);

  const second = up();
  await eventually(
    "the second waits",
    async () => second.said().includes("Another process holds the controllers' lease"),
    60,
  );
  first.child.kill("SIGTERM");
  assert.equal((await first.result).code, 0);
  await eventually("the second leads", leads(second), 60);
  second.child.kill("SIGINT");
  assert.equal((await second.result).code, 0);
  const none = await cli(["status", "--kubeconfig", kubeconfig]);
  assert.equal(none.code, 2, "the lease was given back");
});

test("a cluster that cannot be reached, or is not named well, is said so", async () => {
  const missing = await cli(["get", "--kubeconfig", join(folder, "none")]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /none: cannot be read \(KubeconfigInvalid\)/);
  const context = await cli(["get", "--kubeconfig", kubeconfig, "--context", "other"]);
  assert.match(context.stderr, /no context other \(KubeconfigInvalid\)/);
  const detached = await cli(["up", "--detach", "--kubeconfig", kubeconfig]);
  assert.equal(detached.code, 64);
});

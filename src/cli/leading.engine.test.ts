/** `up` on a cluster that somebody else runs: no twin, and one process acts at a time. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
function up(...words: readonly string[]): RunningCli & { readonly said: () => string } {
  const running = startCli(["up", "--kubeconfig", kubeconfig, ...words]);
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

const widget = `
import { ConfigMap } from "cozystack/kube/core-kinds.ts";
import { defineApp } from "cozystack/sdk/define-app.ts";
import { appSpec, integer } from "cozystack/sdk/spec.ts";
export const widget = defineApp({
  kind: "Widget",
  plural: "widgets",
  release: "widget-",
  catalog: { title: "Widget", category: "Test", summary: "For a test" },
  spec: appSpec({ size: integer({ default: 1, description: "Its size." }) }),
  render: ({ release, spec }) => [ConfigMap(release, { data: { size: String(spec.size) } })],
});
`;

test("kinds of a folder that up was given are known to commands that were not given it", async () => {
  const own = join(folder, "own-apps");
  mkdirSync(join(own, "widget"), { recursive: true });
  writeFileSync(join(own, "widget/index.ts"), widget);
  const running = up("--apps", own);
  await eventually("it leads", leads(running), 60);
  const run = (words: readonly string[], input = "") => cli([...words, "--kubeconfig", kubeconfig], { input });
  const ordered = (size: number) =>
    `{apiVersion: apps.cozystack.io/v1alpha1, kind: Widget, metadata: {name: w, namespace: tenant-root}, spec: {size: ${size}}}`;
  const applied = await run(["apply", "-f", "-"], ordered(1));
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(applied.stdout, /warning: what it is made of is told to those who name its folder with --apps/);
  assert.match(applied.stderr, /Widget {2}tenant-root\/w {2}ready/, "and it is followed");
  for (const words of [["get"], ["get", "-A"], ["get", "widgets"], ["get", "Widget", "w"]])
    assert.match((await run(words)).stdout, /tenant-root +Widget +w +True/, words.join(" "));
  assert.match((await run(["tree", "widget", "w"])).stdout, /└─ ConfigMap widget-w +ok/);
  assert.match((await run(["status"])).stdout, /Widget +1 +0 +0/);
  assert.equal((await run(["why", "widget", "w"])).code, 0);
  assert.equal((await run(["plan", "-f", "-"], ordered(2))).code, 2);
  const rotated = await run(["rotate", "widget", "w"]);
  assert.equal(rotated.code, 1);
  assert.match(
    rotated.stderr,
    /is in a folder that this command was not given: name it with --apps \(RotationBlocked\)/,
  );
  const deleted = await run(["delete", "widget", "w"]);
  assert.equal(deleted.code, 0, deleted.stderr);
  assert.match(deleted.stdout, /- +ConfigMap widget-w/);
  assert.match(
    (await run(["get", "gadgets"])).stderr,
    /is no kind of application; did you mean Widget\?|\(UnknownKind\)/,
  );
  running.child.kill("SIGINT");
  assert.equal((await running.result).code, 0);
});

test("a cluster that cannot be reached, or is not named well, is said so", async () => {
  const missing = await cli(["get", "--kubeconfig", join(folder, "none")]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /none: there is no such file \(KubeconfigInvalid\)/);
  const context = await cli(["get", "--kubeconfig", kubeconfig, "--context", "other"]);
  assert.match(context.stderr, /no context other \(KubeconfigInvalid\)/);
  const detached = await cli(["up", "--detach", "--kubeconfig", kubeconfig]);
  assert.equal(detached.code, 64);
});

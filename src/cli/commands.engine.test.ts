/** The commands against a cluster on which the platform runs: what they print, how they exit, what they change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CliResult, cli, startCli } from "../../test/support/cli.ts";
import { startCloud } from "../../test/support/cloud.ts";
import { eventually } from "../../test/support/eventually.ts";
import { apps } from "../apps/index.ts";
import { ConfigMap, Secret } from "../contracts/core.ts";
import { RedisFailover } from "../contracts/databases-spotahome-com.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { appNamed } from "./applications.ts";

const cloud = await startCloud();
const { admin, root } = cloud;
const namespace = await cloud.tenant("cli");
const redis = appNamed("redis", apps);

const run = (words: readonly string[], input?: string): Promise<CliResult> =>
  cli(["--kubeconfig", cloud.engine.kubeconfig, ...words], input === undefined ? {} : { input });
const document = (kind: string, name: string, spec: object, where = namespace): string =>
  `${JSON.stringify({ apiVersion: "apps.cozystack.io/v1alpha1", kind, metadata: { name, namespace: where }, spec })}\n`;
const parsed = ({ stdout }: CliResult): unknown => JSON.parse(stdout);
const firstPlan = (value: unknown): unknown => {
  const documents = valueAt(value, "documents");
  return Array.isArray(documents) ? documents[0] : undefined;
};
const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const list = valueAt(value, ...path);
  return Array.isArray(list) ? list : [];
};

test("plan, apply, plan: changes, then none; the objects are those that the plan named", async () => {
  const spec = document("Redis", "q", { replicas: 2, size: "1Gi" });
  const before = await run(["plan", "-f", "-", "-o", "json"], spec);
  assert.equal(before.code, 2, before.stderr);
  const plan = firstPlan(parsed(before));
  assert.equal(valueAt(plan, "action"), "create");
  const kinds = listAt(plan, "plan", "changes").map((change) => String(valueAt(change, "object", "kind")));
  assert.ok(kinds.includes("RedisFailover") && kinds.includes("Secret"), kinds.join());
  assert.equal(await admin.get(RedisFailover, "redis-q", namespace), undefined, "a plan stores nothing");

  const applied = await run(["apply", "-f", "-"], spec);
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(applied.stdout, /\n {2}\+ {2}RedisFailover redis-q\n/);
  assert.match(applied.stderr, /Redis {2}.*\/q {2}ready/);
  assert.notEqual(await admin.get(RedisFailover, "redis-q", namespace), undefined);

  const after = await run(["plan", "-f", "-"], spec);
  assert.deepEqual([after.code, after.stdout], [0, `Redis ${namespace}/q: unchanged\n\nNothing would change.\n`]);
});

test("a change shows its fields, its effect and no secret; a field that nobody reads is named", async () => {
  const changed = document("Redis", "q", { replicas: 3, size: "1Gi", replica: 1 });
  const { code, stdout } = await run(["plan", "-f", "-"], changed);
  assert.equal(code, 2);
  assert.match(stdout, /warning: spec\.replica \(did you mean replicas\?\)/);
  assert.match(stdout, /\n {4}spec\.replicas: 2 -> 3\n/);
  assert.match(stdout, /~ {2}RedisFailover redis-q .*spec\.redis\.replicas: 2 -> 3/);
  const strict = await run(["plan", "-f", "-", "--strict"], changed);
  assert.equal(strict.code, 1);
  assert.match(strict.stderr, /document 1: unknown: spec\.replica .*\(UnknownField\)/);
});

test("a tenant and what is ordered in it are planned together before either exists", async () => {
  const both = `${document("Tenant", "team", {}, root)}---\n${document("Redis", "q", {}, `${root}-team`)}---\n${JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "notes", namespace: `${root}-team` }, data: { a: "b" } })}\n`;
  const planned = await run(["plan", "-f", "-", "-o", "name"], both);
  assert.equal(planned.code, 2, planned.stderr);
  const names = planned.stdout.split("\n");
  for (const name of [`namespace/${root}-team`, "redisfailover.databases.spotahome.com/redis-q", "configmap/notes"]) {
    assert.ok(names.includes(name), `${name} in ${planned.stdout}`);
  }
  const applied = await run(["apply", "-f", "-"], both);
  assert.equal(applied.code, 0, applied.stderr);
  assert.deepEqual((await admin.get(ConfigMap, "notes", `${root}-team`))?.data, { a: "b" });
});

test("what the API server or an application refuses is not applied, and named", async () => {
  const rows = [
    {
      spec: document("Redis", "q", { size: "much" }),
      says: /standard input, document 1, line 1: Redis \S+\/q: spec\.size: "much" is no quantity \(Invalid\)/,
    },
    { spec: document("Redis", "q", { replicas: "two" }), says: /q: spec\.replicas: .*\(Invalid\)/ },
    { spec: document("Redis", "x".repeat(60), {}), says: /x: metadata\.name: x+ has 60 characters, at most \d+ are/ },
    { spec: document("Redis", "Q_", {}), says: /Q_/ },
    {
      spec: `${JSON.stringify({ apiVersion: "v1", kind: "Pood", metadata: { name: "a" } })}\n`,
      says: /serves no Pood of v1; did you mean Pod\? \(KindNotServed\)/,
    },
    {
      spec: document("Redis", "x", {}, "tenant-that-is-not"),
      says: /metadata\.namespace: there is no namespace tenant-that-is-not \(NotFound\)\n {2}Order the tenant/,
    },
  ];
  for (const { spec, says } of rows) {
    const { code, stdout, stderr } = await run(["apply", "-f", "-"], spec);
    assert.equal(code, 1, spec);
    assert.match(stdout + stderr, says);
    assert.match(stderr, /^error: .*\([A-Z][A-Za-z]+\)\n {2}\S/, "a message, a code and a way out");
  }
});

test("get lists by kind, name and namespace, in every format", async () => {
  const text = await run(["get", "redis", "-n", namespace]);
  assert.match(text.stdout, /^NAMESPACE +KIND +NAME +READY +STATE +AGE +VERSION\n/);
  assert.match(text.stdout, new RegExp(`\n${namespace} +Redis +q +True +Ready`));
  assert.equal((await run(["get", "redises", "-n", namespace, "-o", "name"])).stdout, "redis.apps.cozystack.io/q\n");
  const list = parsed(await run(["get", "-n", namespace, "-o", "json"]));
  assert.ok(listAt(list, "items").some((item) => isRecord(item) && item["kind"] === "Redis"));
  const one = await run(["get", "redis", "q", "-n", namespace, "-o", "yaml"]);
  assert.match(one.stdout, /^apiVersion: apps\.cozystack\.io\/v1alpha1\nkind: Redis\n/m);
  const everywhere = await run(["get", "redis", "q", "-A"]);
  assert.match(everywhere.stdout, new RegExp(`^NAMESPACE .*\\n(?:\\S+ .* q .*\\n)*${namespace} +Redis +q `));
  const nowhere = await run(["get", "redis", "nobody", "-A"]);
  assert.deepEqual([nowhere.code, nowhere.stdout], [1, ""]);
  assert.match(nowhere.stderr, /there is no Redis nobody in any namespace \(ApplicationNotFound\)/);
  const missing = await run(["get", "redis", "nobody", "-n", namespace]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, new RegExp(`there is no Redis ${namespace}/nobody \\(ApplicationNotFound\\)`));
});

test("tree shows what is owned, and below it what the operator made of it", async () => {
  const node = parsed(await run(["tree", "redis", "q", "-n", namespace, "-o", "json"]));
  const failover = listAt(node, "children").find((child) => valueAt(child, "object", "kind") === "RedisFailover");
  assert.equal(valueAt(failover, "health", "is"), "current");
  const made = JSON.stringify(listAt(failover, "children"));
  assert.match(made, /"kind":"Pod"/);
  const tenant = await run(["tree", "tenant", "cli", "-n", root]);
  assert.match(tenant.stdout, new RegExp(`Namespace ${namespace} +ok\n.*Redis ${namespace}/q +ok`));
});

test("why is content with what is ready, and names what is not with the next step", async () => {
  const ready = await run(["why", "redis", "q", "-n", namespace]);
  assert.deepEqual(
    [ready.code, ready.stdout],
    [0, `Redis ${namespace}/q is ready: all objects are applied and healthy.\n`],
  );

  assert.equal((await run(["apply", "-f", "-"], document("Redis", "typo", { replica: 1 }))).code, 0);
  const noted = await run(["why", "redis", "typo", "-n", namespace]);
  assert.match(noted.stdout, /is ready: .*\n {2}warning: .*spec\.replica \(did you mean replicas\?\)\n$/);

  const machine = await run(["apply", "--no-wait", "-f", "-"], document("VMInstance", "m", { disks: [{ name: "d" }] }));
  assert.equal(machine.code, 0, machine.stderr);
  const waiting = await run(["why", "vminstance", "m", "-n", namespace]);
  assert.equal(waiting.code, 2);
  assert.match(waiting.stdout, /VMDisk d: is not ordered\n {4}-> Order VMDisk d\./);
  assert.match(waiting.stdout, /DataVolume vm-disk-d: does not exist yet/);

  await cloud.behave("Cluster", namespace, "postgres-never", "neverReady");
  const stuck = await run(["apply", "-f", "-", "--timeout", "3s"], document("Postgres", "never", { replicas: 1 }));
  assert.equal(stuck.code, 1);
  assert.match(stuck.stderr, /Not ready: cozystack why postgres never/);
  const why = await run(["why", "postgres", "never", "-n", namespace, "-o", "json"]);
  assert.equal(why.code, 2);
  const kinds = listAt(parsed(why), "findings").map((finding) => valueAt(finding, "object", "kind"));
  assert.ok(kinds.includes("Cluster"), why.stdout);
});

test("rotate makes new passwords once and waits for them", async () => {
  const password = async () => (await admin.get(Secret, "redis-q-auth", namespace))?.data?.["password"];
  const before = await password();
  const rotated = await run(["rotate", "redis", "q", "-n", namespace]);
  assert.equal(rotated.code, 0, rotated.stderr);
  assert.equal(rotated.stdout, `Secret ${namespace}/redis-q-auth: rotated: password\n`);
  const now = await password();
  assert.notEqual(now, before);
  assert.doesNotMatch(rotated.stdout + rotated.stderr, new RegExp(Buffer.from(now ?? "", "base64").toString()));
});

test("rotate makes a lost Secret anew, and says why it cannot where nothing is rendered", async () => {
  await admin.delete(Secret, "redis-q-auth", namespace);
  await eventually("it is missed", async () => {
    const { stdout } = await run(["why", "redis", "q", "-n", namespace]);
    return stdout.includes("SecretLost") && stdout.includes("cozystack rotate");
  });
  const rotated = await run(["rotate", "redis", "q", "-n", namespace]);
  assert.deepEqual(
    [rotated.code, rotated.stdout],
    [0, `Secret ${namespace}/redis-q-auth: rotated: password\n`],
    rotated.stderr,
  );
  assert.notEqual(await admin.get(Secret, "redis-q-auth", namespace), undefined);
  assert.equal((await run(["why", "redis", "q", "-n", namespace])).code, 0);

  const blocked = await run(["rotate", "vminstance", "m", "-n", namespace]);
  assert.equal(blocked.code, 1);
  assert.match(blocked.stderr, /VMInstance \S+\/m: nothing was rotated: .*DataVolume .*vm-disk-d.*\(RotationBlocked\)/);
});

test("Ctrl-C ends what only follows, and says that the work goes on", async () => {
  await cloud.behave("RedisFailover", namespace, "redis-slow", "neverReady");
  const order = document("Redis", "slow", {});
  const applying = startCli(["--kubeconfig", cloud.engine.kubeconfig, "apply", "-f", "-"], { input: order });
  await eventually("it is applied", () => cloud.get(redis, "slow", namespace));
  let said = "";
  applying.child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await eventually("it follows", async () => said.includes("Progressing"));
  applying.child.kill("SIGINT");
  const { code, stderr } = await applying.result;
  assert.equal(code, 130, stderr);
  assert.match(stderr, /No longer followed\. What was applied goes on: `cozystack get -A`/);
  assert.notEqual(await cloud.get(redis, "slow", namespace), undefined);
  assert.equal((await run(["delete", "redis", "slow", "-n", namespace])).code, 0);
});

test("losing data needs the word of a person, and exactly that loss", async () => {
  const etcd = { group: "apps.cozystack.io", version: "v1alpha1", kind: "Etcd", plural: "etcds", namespaced: true };
  const inside = `${root}-loss`;
  const on = document("Tenant", "loss", { etcd: true }, root);
  assert.equal((await run(["apply", "-f", "-", "--no-wait"], on)).code, 0);
  await eventually("the module is there", () => admin.get(etcd, "etcd", inside));

  const off = document("Tenant", "loss", { etcd: false }, root);
  const planned = await run(["plan", "-f", "-", "-o", "json"], off);
  const hash = String(valueAt(firstPlan(parsed(planned)), "confirm"));
  assert.match(hash, /^[0-9a-f]{16}$/, planned.stdout);
  const refused = await run(["apply", "-f", "-"], off);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /! {2}Etcd \S+ +LOSES DATA/);
  assert.match(refused.stderr, new RegExp(`\\(DataWouldBeLost\\)\n.*--allow-data-loss ${hash}`));
  const wrong = await run(["apply", "-f", "-", "--allow-data-loss", "0000000000000000"], off);
  assert.equal(wrong.code, 1, "another loss was allowed");
  assert.notEqual(await admin.get(etcd, "etcd", inside), undefined);
  const allowed = await run(["apply", "-f", "-", "--allow-data-loss", hash], off);
  assert.equal(allowed.code, 0, allowed.stderr);
  await eventually("the module goes", async () => (await admin.get(etcd, "etcd", inside)) === undefined);
});

test("delete shows what goes, then waits until it is gone; retained data stays and is said to", async () => {
  const kept = document("Redis", "kept", { reclaimPolicy: "Retain" });
  assert.equal((await run(["apply", "-f", "-"], kept)).code, 0);
  const shown = await run(["plan", "--delete", "-f", "-"], kept);
  assert.equal(shown.code, 2);
  assert.match(shown.stdout, /PersistentVolumeClaim \S+: stays/);
  assert.doesNotMatch(shown.stdout, /LOSES DATA.*PersistentVolumeClaim/);

  const dry = await run(["delete", "redis", "q", "-n", namespace, "--dry-run"]);
  assert.match(dry.stdout, /! {2}PersistentVolumeClaim \S+ +LOSES DATA/);
  assert.notEqual(await cloud.get(redis, "q", namespace), undefined);
  const gone = await run(["delete", "redis", "q", "kept", "-n", namespace]);
  assert.equal(gone.code, 0, gone.stderr);
  assert.equal(await cloud.get(redis, "q", namespace), undefined);
  assert.equal((await run(["delete", "redis", "q", "-n", namespace])).code, 1, "a second time there is none");
});

test("a deletion that a rule refuses is shown as such, by the try as well; each object is named once", async () => {
  for (const words of [["--dry-run"], []]) {
    const { code, stdout, stderr } = await run(["delete", "tenant", "root", "-n", "tenant-root", ...words]);
    assert.equal(code, 1, stderr);
    assert.match(
      stdout,
      /refused: Tenant root: .*platform\.cozystack\.io\/no-delete; .*remove the label first \(Forbidden\)/,
    );
    assert.doesNotMatch(stdout + stderr, /administrator|ValidatingAdmissionPolicy/);
  }
  const { stdout } = await run(["delete", "tenant", "cli", "-n", root, "--dry-run"]);
  const objects = [...stdout.matchAll(/^ {2}[-!] {2}(\S+ \S+)/gm)].map(([, object]) => object);
  assert.ok(objects.length > 10, stdout);
  assert.deepEqual(objects, [...new Set(objects)]);
});

test("delete --force leaves what holds it up, and lists it", async () => {
  await run(["apply", "-f", "-"], document("Redis", "held", {}));
  const held = await admin.get(RedisFailover, "redis-held", namespace);
  await admin.mergePatch(RedisFailover, "redis-held", namespace, {
    metadata: { finalizers: [...(held?.metadata.finalizers ?? []), "example.org/holds"] },
  });
  const waiting = await run(["delete", "redis", "held", "-n", namespace, "--timeout", "2s"]);
  assert.equal(waiting.code, 1);
  assert.match(waiting.stderr, /Not gone: cozystack why redis held/);
  await eventually("why names the finalizer", async () => {
    const { stdout } = await run(["why", "redis", "held", "-n", namespace]);
    return stdout.includes("example.org/holds");
  });
  const forced = await run(["delete", "redis", "held", "-n", namespace, "--force"]);
  assert.equal(forced.code, 0, forced.stderr);
  await admin.mergePatch(RedisFailover, "redis-held", namespace, { metadata: { finalizers: null } });
});

test("kubectl works on the same cluster and gives its exit code on", async () => {
  const { stdout, code } = await run(["kubectl", "--", "get", "tenants", "-n", root, "-o", "name"]);
  assert.equal(code, 0);
  assert.match(stdout, /tenant\.apps\.cozystack\.io\/cli\n/);
  assert.equal((await run(["kubectl", "--", "get", "nonsense"])).code, 1);
});

/** Plans, the question before data is lost, and what a quota leaves no room for, against a cluster on which the platform runs. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type CliResult, cli, haveScreen, startOnScreen } from "../../test/support/cli.ts";
import { startCloud } from "../../test/support/cloud.ts";
import { eventually } from "../../test/support/eventually.ts";
import { Job } from "../contracts/batch.ts";
import { Pod } from "../contracts/core.ts";
import { valueAt } from "../kube/json.ts";

const folder = mkdtempSync(join(tmpdir(), "plans-"));
after(() => rmSync(folder, { recursive: true }));
const cloud = await startCloud();
const { admin, root } = cloud;
const namespace = await cloud.tenant("plans");
const config = ["--kubeconfig", cloud.engine.kubeconfig];

const run = (words: readonly string[], input?: string): Promise<CliResult> =>
  cli([...config, ...words], input === undefined ? {} : { input });
const document = (kind: string, name: string, spec: object, where = namespace): string =>
  `${JSON.stringify({ apiVersion: "apps.cozystack.io/v1alpha1", kind, metadata: { name, namespace: where }, spec })}\n`;
const parsed = ({ stdout }: CliResult): unknown => JSON.parse(stdout);
const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const list = valueAt(value, ...path);
  return Array.isArray(list) ? list : [];
};
const firstPlan = (value: unknown): unknown => listAt(value, "documents")[0];

test("a rule is tried before the namespace of the document exists", async () => {
  const users = { postgres: {} };
  const both = `${document("Tenant", "later", {}, root)}---\n${document("Postgres", "db", { users }, `${root}-later`)}`;
  const { code, stderr } = await run(["plan", "-f", "-"], both);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /document 2, line 3: Postgres \S+-later\/db: spec\.users\[postgres\]: the user postgres is the operator's/,
  );
});

test("a plan leaves open the name of a Job that generated values decide; what is applied has one", async () => {
  const spec = document("Postgres", "named", { replicas: 1 });
  const jobs = (result: CliResult) =>
    listAt(firstPlan(parsed(result)), "plan", "changes")
      .map((change) => valueAt(change, "object"))
      .filter((object) => valueAt(object, "kind") === "Job")
      .map((object) => String(valueAt(object, "name")));
  assert.deepEqual(jobs(await run(["plan", "-f", "-", "-o", "json"], spec)), [
    "postgres-named-init-<decided at apply>",
  ]);
  assert.equal((await run(["apply", "-f", "-"], spec)).code, 0);
  const live = await admin.list(Job, { namespace });
  assert.ok(live.items.some(({ metadata }) => /^postgres-named-init-[0-9a-f]{8}$/.test(metadata.name)));
  assert.equal((await run(["plan", "-f", "-"], spec)).code, 0);
  // Nothing is generated for a password that is given: the plan knows the name.
  const changed = document("Postgres", "named", { replicas: 1, users: { ann: { password: "given" } } });
  const [name] = jobs(await run(["plan", "-f", "-", "-o", "json"], changed));
  assert.match(name ?? "", /^postgres-named-init-[0-9a-f]{8}$/);
  assert.equal((await run(["apply", "-f", "-"], changed)).code, 0);
  assert.notEqual(await admin.get(Job, name ?? "", namespace), undefined);
  assert.equal((await run(["delete", "postgres", "named", "-n", namespace])).code, 0);
});

test("why names the quota that leaves no room for more pods, its figures and what to do", async () => {
  const bounded = await cloud.tenant("bounded", root, { resourceQuotas: { cpu: "4" } });
  const sized = (replicas: number) =>
    document("Postgres", "db", { replicas, resources: { cpu: "1", memory: "128Mi" } }, bounded);
  assert.equal((await run(["apply", "-f", "-"], sized(1))).code, 0, "one fits, and its Job has run");
  assert.equal((await run(["apply", "-f", "-", "--no-wait"], sized(5))).code, 0);
  await eventually("as many run as there is room for", async () => {
    const { items } = await admin.list(Pod, { namespace: bounded, labelSelector: "cnpg.io/cluster=postgres-db" });
    return items.length === 4;
  });
  const why = await run(["why", "postgres", "db", "-n", bounded]);
  assert.equal(why.code, 2);
  assert.match(
    why.stdout,
    /ResourceQuota tenant-quota: leaves no room for another pod, which needs 1 of limits\.cpu, and 0 of 4 is left(?:; [^\n]*)?\n {4}-> Free or raise the tenant's quota \(spec\.resourceQuotas of the Tenant\), or ask for less\.\n/,
  );
  assert.match(why.stdout, /\nNext: Do what is said above; the rest is under way\.\n$/);
  assert.doesNotMatch(why.stdout, /Next: Wait/);
  const shown = await eventually("get says it too", async () => {
    const { stdout } = await run(["get", "postgres", "db", "-n", bounded]);
    return stdout.includes(" QuotaExceeded ") ? stdout : undefined;
  });
  assert.match(
    shown,
    /False +QuotaExceeded .*ResourceQuota \S+\/tenant-quota leaves no room for another pod, which needs 1 of the 4 of limits\.cpu[;.]/,
  );

  assert.equal(
    (
      await run(
        ["apply", "-f", "-", "--no-wait"],
        document("Tenant", "bounded", { resourceQuotas: { cpu: "8" } }, root),
      )
    ).code,
    0,
  );
  await eventually(
    "with more room it is ready",
    async () => (await run(["why", "postgres", "db", "-n", bounded])).code === 0,
    60,
  );
});

const noScreen = haveScreen ? false : "there is no program `script` to make a screen";

test("Ctrl-C at the question whether data may be lost ends with 130, and nothing is written", {
  skip: noScreen,
}, async () => {
  const etcd = { group: "apps.cozystack.io", version: "v1alpha1", kind: "Etcd", plural: "etcds", namespaced: true };
  const tenant = { ...etcd, kind: "Tenant", plural: "tenants" };
  const inside = `${root}-asked`;
  assert.equal(
    (await run(["apply", "-f", "-", "--no-wait"], document("Tenant", "asked", { etcd: true }, root))).code,
    0,
  );
  await eventually("the module is there", () => admin.get(etcd, "etcd", inside));
  const before = await admin.get(tenant, "asked", root);

  const off = join(folder, "off.yaml");
  writeFileSync(off, document("Tenant", "asked", { etcd: false }, root));
  for (const { keys, code, says } of [
    { keys: "\u0003", code: 130, says: /Ended: nothing was applied\./ },
    { keys: "n\r", code: 1, says: /nothing was applied: data would be lost by this change \(DataWouldBeLost\)/ },
  ]) {
    const asked = startOnScreen([...config, "apply", "-f", off]);
    let said = "";
    asked.child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    await eventually("it asks", async () => said.includes("Go on? [y/N]"));
    asked.press(keys);
    const result = await asked.result;
    assert.equal(result.code, code, result.stdout);
    assert.match(result.stdout, says);
    const now = await admin.get(tenant, "asked", root);
    assert.deepEqual(valueAt(now, "spec"), valueAt(before, "spec"));
    assert.notEqual(await admin.get(etcd, "etcd", inside), undefined);
  }

  const asked = startOnScreen([...config, "apply", "-f", off, "--no-wait"]);
  let said = "";
  asked.child.stdout?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await eventually("it asks", async () => said.includes("Go on? [y/N]"));
  asked.press("y\r");
  assert.equal((await asked.result).code, 0);
  await eventually("the module goes", async () => (await admin.get(etcd, "etcd", inside)) === undefined);
});

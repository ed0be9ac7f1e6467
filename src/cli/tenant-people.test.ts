/** The commands for people of a tenant, who may see and order applications and nothing of what these are made of. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cli } from "../../test/support/cli.ts";
import { json, scriptedServer } from "../../test/support/scripted-server.ts";

const folder = mkdtempSync(join(tmpdir(), "people-"));
after(() => rmSync(folder, { recursive: true }));

const group = "apps.cozystack.io";
const redis = {
  apiVersion: `${group}/v1alpha1`,
  kind: "Redis",
  metadata: { name: "cache", namespace: "tenant-demo", uid: "u1", resourceVersion: "5", generation: 1 },
  spec: { replicas: 2 },
  status: {
    conditions: [
      {
        type: "Ready",
        status: "False",
        reason: "Progressing",
        message: "RedisFailover redis-cache: not yet",
        observedGeneration: 1,
      },
    ],
  },
};
const redises = `/apis/${group}/v1alpha1/namespaces/tenant-demo/redises`;
const plans = "/apis/core.cozystack.io/v1alpha1/namespaces/tenant-demo/applicationplans";
const change = {
  object: { group: "databases.spotahome.com", kind: "RedisFailover", namespace: "tenant-demo", name: "redis-cache" },
  action: "create",
  impact: "none",
  fields: [],
  because: "new",
};
const status = { plan: { instance: {}, changes: [change], impact: "none" }, confirm: "0123456789abcdef" };

/** An API server as somebody of tenant-demo sees it; `hasServer`: with the platform's server behind it. */
async function demo(hasServer: boolean) {
  const { url, seen } = await scriptedServer(({ method, url: { pathname }, body }, answer) => {
    const found: Readonly<Record<string, unknown>> = {
      [`GET /apis/${group}/v1alpha1`]: { resources: [{ name: "redises", kind: "Redis", namespaced: true }] },
      "GET /version": { gitVersion: "v1.35.4" },
      [`GET ${redises}`]: { metadata: { resourceVersion: "9" }, items: [redis] },
      [`GET ${redises}/cache`]: redis,
      [`PATCH ${redises}/cache`]: redis,
      [`DELETE ${redises}/cache`]: { kind: "Status", status: "Success" },
      ...(hasServer ? { [`POST ${plans}`]: { ...JSON.parse(body || "{}"), status } } : {}),
    };
    const known = found[`${method} ${pathname}`];
    if (known !== undefined) return json(answer, 200, known);
    const isMissing = pathname === plans || pathname === `${redises}/new`;
    const code = isMissing ? 404 : 403;
    const reason = isMissing ? "NotFound" : "Forbidden";
    json(answer, code, {
      kind: "Status",
      status: "Failure",
      code,
      reason,
      message: `${pathname} is not for you`,
      details: isMissing && pathname !== plans ? { name: "new" } : {},
    });
  });
  const kubeconfig = join(folder, `${url.slice(-5)}.yaml`);
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server: url } }],
    users: [{ name: "u", user: { token: "t" } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "tenant-demo" } }],
    "current-context": "x",
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  return {
    seen,
    run: (words: readonly string[], input = "") => cli(["--kubeconfig", kubeconfig, ...words], { input }),
  };
}

test("get shows the kinds that may be seen, and says where to look where none may be", async () => {
  const { run } = await demo(true);
  const list = await run(["get"]);
  assert.deepEqual([list.code, list.stderr], [0, ""]);
  assert.match(list.stdout, /^NAMESPACE .*\ntenant-demo +Redis +cache +False +Progressing .*\n$/);
  const all = await run(["get", "-A"]);
  assert.equal(all.code, 1);
  assert.match(
    all.stderr,
    /^error: you may not see applications in every namespace \(Forbidden\)\n {2}Name the namespace of your tenant with -n/,
  );
});

test("status says what may be seen, and nothing of what may not", async () => {
  const { run } = await demo(true);
  const { code, stdout, stderr } = await run(["status"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /Kubernetes v1\.35\.4\n/);
  assert.match(stdout, /controllers +unknown: you may not see their lease\n/);
  assert.match(stdout, /What is ordered in all namespaces, you may not see\.\n$/);
  const told = JSON.parse((await run(["status", "-o", "json"])).stdout);
  assert.deepEqual([told.controllers, told.applications], [undefined, undefined]);
});

test("why tells the application's own conditions", async () => {
  const { run } = await demo(true);
  const { code, stdout, stderr } = await run(["why", "redis", "cache"]);
  assert.deepEqual([code, stderr], [2, ""]);
  assert.match(stdout, /is not ready: Progressing\n {2}RedisFailover redis-cache: not yet\n/);
});

test("plan and apply show the plan that the platform's server makes, consent included", async () => {
  const { run, seen } = await demo(true);
  const planned = await run(["plan", "-f", "-"], JSON.stringify(redis));
  assert.deepEqual([planned.code, planned.stderr], [2, ""]);
  assert.match(planned.stdout, /\n {2}\+ {2}RedisFailover redis-cache\n/);
  assert.match(planned.stdout, /--allow-data-loss 0123456789abcdef/);
  const refused = await run(["apply", "--no-wait", "-f", "-"], JSON.stringify(redis));
  assert.match(refused.stderr, /\(DataWouldBeLost\)/);
  const before = seen.length;
  const words = ["apply", "--no-wait", "-f", "-", "--allow-data-loss", "0123456789abcdef"];
  const applied = await run(words, JSON.stringify(redis));
  assert.equal(applied.code, 0, applied.stderr);
  const written = seen.slice(before).filter(({ method, url }) => method === "PATCH" && !url.searchParams.has("dryRun"));
  assert.equal(written.length, 1);
  assert.match(written[0]?.body ?? "", /"apps\.cozystack\.io\/allow-data-loss":"0123456789abcdef"/);
});

test("without that server a plan is refused with a way out", async () => {
  const { run } = await demo(false);
  const { code, stderr } = await run(["plan", "-f", "-"], JSON.stringify(redis));
  assert.equal(code, 1);
  assert.match(stderr, /no server of the platform makes one \(Forbidden\)\n {2}Ask an administrator .*kubectl apply/);
});

test("delete says that it cannot show what goes", async () => {
  const { run } = await demo(true);
  const { code, stdout, stderr } = await run(["delete", "redis", "cache", "--no-wait"]);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /warning: what goes with it, its data among it, only administrators may see\n {2}- {2}Redis cache +deleted/,
  );
});

test("tree and rotate, which need what is hidden, say what else helps", async () => {
  const { run } = await demo(true);
  const tree = await run(["tree", "redis", "cache"]);
  assert.equal(tree.code, 1);
  assert.match(
    tree.stderr,
    /which only administrators may see \(Forbidden\)\n {2}`cozystack why redis cache -n tenant-demo`/,
  );
  const rotated = await run(["rotate", "redis", "cache"]);
  assert.equal(rotated.code, 1);
  assert.match(
    rotated.stderr,
    /nothing was rotated: .*\(Forbidden\)\n {2}Ask for it yourself: kubectl annotate redis cache -n tenant-demo --overwrite apps\.cozystack\.io\/rotate=\S+\n/,
  );
});

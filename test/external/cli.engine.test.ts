/** The example as its reader takes it: the commands, with the kind of a definition. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { parse, stringify } from "yaml";
import { ApplicationDefinition } from "../../src/contracts/application-definition.ts";
import { HelmRelease } from "../../src/contracts/helm-toolkit-fluxcd-io.ts";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import { type CliResult, cli, root } from "../support/cli.ts";
import { startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";

const cloud = await startCloud();
const { admin } = cloud;
const tenant = await cloud.tenant("demo");
const example = (file: string): unknown => parse(readFileSync(join(root, "examples/external", file), "utf8"));
const run = (words: readonly string[], input?: string): Promise<CliResult> =>
  cli(["--kubeconfig", cloud.engine.kubeconfig, ...words], input === undefined ? {} : { input });
function placed(object: unknown, spec?: object): string {
  assert.ok(isRecord(object) && isRecord(object["metadata"]));
  const { namespace: _, ...metadata } = object["metadata"];
  return stringify({
    ...object,
    metadata: { ...metadata, namespace: tenant },
    ...(spec === undefined ? {} : { spec }),
  });
}

test("the example's definition is applied, its application planned, applied, shown, explained and deleted", {
  timeout: 120_000,
}, async () => {
  const defined = await run(["apply", "-f", "-"], stringify(example("definition.yaml")));
  assert.equal(defined.code, 0, defined.stderr);
  await eventually("the kind is served", async () => {
    const live = await admin.get(ApplicationDefinition, "guestbook");
    return live?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True");
  });
  const document = placed(example("guestbook.yaml"));
  const planned = await run(["plan", "-f", "-", "-o", "json"], document);
  assert.equal(planned.code, 2, planned.stderr);
  const documents = valueAt(JSON.parse(planned.stdout), "documents");
  assert.ok(Array.isArray(documents));
  const changes = valueAt(documents[0], "plan", "changes");
  assert.ok(Array.isArray(changes));
  assert.deepEqual(
    changes.map((change) => valueAt(change, "object", "name")),
    ["guestbook-visitors"],
  );
  assert.equal(await admin.get(HelmRelease, "guestbook-visitors", tenant), undefined, "a plan stores nothing");

  const applied = await run(["apply", "-f", "-"], document);
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(applied.stderr, /Guestbook.*visitors.*ready/);
  assert.match((await run(["get", "-n", tenant])).stdout, /Guestbook +visitors +True/);
  assert.match((await run(["get", "guestbook", "visitors", "-n", tenant, "-o", "yaml"])).stdout, /title: Visitors/);
  const tree = await run(["tree", "guestbook", "visitors", "-n", tenant]);
  assert.match(tree.stdout, /HelmRelease.*guestbook-visitors/);
  assert.match(tree.stdout, /Deployment.*guestbook-visitors/);
  assert.equal((await run(["why", "guestbook", "visitors", "-n", tenant])).code, 0);
  const explained = await run(["explain", "guestbook"]);
  assert.match(explained.stdout, /replicas/);
  assert.match(explained.stdout, /Web servers/);
  assert.match((await run(["explain"])).stdout, /Guestbook +guestbooks +Examples +Visitors leave a word/);

  const wrong = await run(["plan", "-f", "-"], placed(example("guestbook.yaml"), { replicas: 99 }));
  assert.notEqual(wrong.code, 0);
  assert.match(wrong.stderr + wrong.stdout, /spec\.replicas/);
  await cloud.behave("HelmRelease", tenant, "guestbook-broken", "refuses");
  const broken = document.replace("visitors", "broken");
  await run(["apply", "-f", "-", "--timeout", "2s"], broken);
  const why = await eventually("why says what Helm says", async () => {
    const said = await run(["why", "guestbook", "broken", "-n", tenant]);
    return /refused on request/.test(said.stdout) ? said : undefined;
  });
  assert.notEqual(why.code, 0);
  for (const name of ["visitors", "broken"]) {
    const gone = await run(["delete", "guestbook", name, "-n", tenant]);
    assert.equal(gone.code, 0, gone.stderr);
  }
  await admin.delete(ApplicationDefinition, "guestbook");
  await eventually(
    "the definition is gone",
    async () => (await admin.get(ApplicationDefinition, "guestbook")) === undefined,
  );
});

/** Copies of the platform's values on a real API server. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../../test/support/eventually.ts";
import { platformEngine } from "../../test/support/platform.ts";
import { Namespace, Secret } from "../contracts/core.ts";
import { openStores } from "../kube/stores.ts";
import { systemWorld } from "../kube/world.ts";
import { runValuesCopies } from "./values-copies.ts";

const NAME = "cozystack-values";
const stop = new AbortController();
const told: string[] = [];
after(() => stop.abort());
const engine = await platformEngine();
const admin = engine.client("person");
const [ours, other, tenant] = [
  await engine.namespace("cozy-one"),
  await engine.namespace("plain"),
  await engine.namespace("tenant-one"),
];
const mark = (namespace: string, value: string | null) =>
  admin.mergePatch(Namespace, namespace, undefined, { metadata: { labels: { "cozystack.io/system": value } } });
const values = (namespace: string) => admin.get(Secret, NAME, namespace);

const client = engine.client("cozystack");
const stores = openStores({ client, signal: stop.signal });
runValuesCopies(
  {
    client,
    stores,
    world: systemWorld,
    scope: (namespace) => [ours, other, tenant].includes(namespace),
    onError: (namespace, error) => told.push(`${namespace}: ${String(error)}`),
  },
  stop.signal,
).catch(() => undefined);

test("a namespace of the platform has the values as they are, and follows them", async () => {
  await admin.create(
    Secret,
    Secret(NAME, { namespace: ours, type: "Opaque", labels: { stale: "1" }, data: { old: "eA==" } }),
  );
  await mark(ours, "true");
  const source = await values("cozy-system");
  assert.ok(source);
  const copy = await eventually("the copy is the source's", async () => {
    const found = await values(ours);
    return found?.data?.["values.yaml"] === source.data?.["values.yaml"] ? found : undefined;
  });
  assert.deepEqual(copy.data, source.data);
  assert.deepEqual(copy.metadata.labels, source.metadata.labels, "removed labels do not linger");
  await admin.mergePatch(Secret, NAME, ours, { data: { stray: "eA==" } });
  await eventually("it is put right", async () => (await values(ours))?.data?.["stray"] === undefined);
  await admin.delete(Secret, NAME, ours);
  await eventually("it is made anew", () => values(ours));
});

test("a namespace that is the platform's no more loses its copy; Secrets of others stay", async () => {
  await admin.create(Secret, Secret(NAME, { namespace: other, type: "Opaque", data: { mine: "eA==" } }));
  await admin.create(Secret, Secret(NAME, { namespace: tenant, type: "Opaque", data: { mine: "eA==" } }));
  await mark(tenant, "true");
  await mark(ours, null);
  await eventually("the copy is gone", async () => (await values(ours)) === undefined);
  assert.deepEqual((await values(other))?.data, { mine: "eA==" });
  assert.deepEqual((await values(tenant))?.data, { mine: "eA==" }, "a tenant's values are its own");
});

test("at rest nothing is written", async () => {
  await mark(ours, "true");
  await eventually("the copy is there", () => values(ours));
  await systemWorld.sleep(300);
  const before = (await values(ours))?.metadata.resourceVersion;
  await admin.mergePatch(Namespace, ours, undefined, { metadata: { labels: { touched: "1" } } });
  await systemWorld.sleep(500);
  assert.equal((await values(ours))?.metadata.resourceVersion, before);
  assert.deepEqual(told, []);
});

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { platformEngine } from "../../test/support/platform.ts";
import { Namespace } from "../contracts/core.ts";
import { openStores } from "../kube/stores.ts";
import { systemWorld } from "../kube/world.ts";
import { contextSource } from "./context-source.ts";

const engine = await platformEngine();
const client = engine.client();
const stop = new AbortController();
after(() => stop.abort());
const stores = openStores({ client, signal: stop.signal });
const source = contextSource({
  stores,
  chartVersion: "1.0.0",
  clusterValues: ({ package: pkg, rootCertificate = "" }) => ({
    "root-host": "example.org",
    "has-package": String(pkg !== undefined),
    certificate: String(rootCertificate.includes("BEGIN CERTIFICATE")),
  }),
});

async function eventually(what: string, look: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await look())) {
    assert.ok(Date.now() < deadline, what);
    await systemWorld.sleep(20);
  }
}

test("the root tenant's context is known as soon as the first lists have arrived", async () => {
  const answer = await source.contextOf("tenant-root", AbortSignal.timeout(10_000));
  assert.ok(answer.is === "known");
  assert.deepEqual(answer.context.tenant, { namespace: "tenant-root", ancestors: [] });
  assert.equal(answer.context.cluster["certificate"], "true");
  assert.ok(answer.context.apis.has("cozystack.io/v1alpha1"), "a kind that is served");
  assert.ok(answer.context.apis.has("v1.edp.epam.com/v1"), "the twin's cluster serves Keycloak's kinds");
});

test("a tenant namespace is known once it is annotated, and listeners hear of each change of its values", async () => {
  const told: (string | undefined)[] = [];
  const leave = source.onChange((namespace) => told.push(namespace));
  const namespace = await engine.namespace("tenant-context");
  // Until its event has arrived there is no such namespace.
  await eventually("it is no tenant's", async () => (await source.contextOf(namespace)).is === "notATenant");
  await client.mergePatch(Namespace, namespace, undefined, {
    metadata: {
      annotations: { "internal.cozystack.io/ancestors": "tenant-root" },
      labels: { "namespace.cozystack.io/host": "a.example.org" },
    },
  });
  await eventually("it is known", async () => (await source.contextOf(namespace)).is === "known");
  await client.mergePatch(Namespace, namespace, undefined, {
    metadata: { labels: { "namespace.cozystack.io/etcd": namespace } },
  });
  await eventually("its etcd is its own", async () => {
    const answer = await source.contextOf(namespace);
    return answer.is === "known" && answer.context.namespace.etcd === namespace;
  });
  assert.equal(told.filter((each) => each === namespace).length, 2);
  leave();
});

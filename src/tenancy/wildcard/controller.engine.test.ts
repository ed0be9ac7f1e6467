/** Copies of the wildcard certificate on a real API server. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../../../test/support/eventually.ts";
import { platformEngine } from "../../../test/support/platform.ts";
import { testContext } from "../../../test/support/synthetic-app.ts";
import { Event, Namespace, Secret, type SecretObject } from "../../contracts/core.ts";
import { isApiError } from "../../kube/errors.ts";
import { openStores } from "../../kube/stores.ts";
import { systemWorld } from "../../kube/world.ts";
import type { ContextListener } from "../context-table.ts";
import { certificate } from "../projection/fixture.ts";
import { runWildcardCopies } from "./controller.ts";

const engine = await platformEngine();
const admin = engine.client("person");
const publishing = await engine.namespace("tenant-publishing");
const label = (key: string) => `namespace.cozystack.io/${key}`;

async function tenant(prefix: string, host: string, own: "ingress" | "gateway" | "none"): Promise<string> {
  const name = await engine.namespace(prefix);
  const labels = {
    [label("ingress")]: publishing,
    [label("host")]: host,
    ...(own === "none" ? {} : { [label(own)]: name }),
  };
  await admin.mergePatch(Namespace, name, undefined, { metadata: { labels } });
  return name;
}
const child = await tenant("tenant-child", "child.example.org", "ingress");
const gateway = await tenant("tenant-gateway", "gateway.example.org", "gateway");
const inheriting = await tenant("tenant-inheriting", "inheriting.example.org", "none");
const foreign = await tenant("tenant-foreign", "custom.test", "ingress");
const all = [publishing, child, gateway, inheriting, foreign];

const first = await certificate("first", "*.example.org", "example.org");
const second = await certificate("second", "*.example.org", "example.org");
const data = ({ certificate: crt, key }: typeof first) => ({
  "tls.crt": Buffer.from(crt, "utf8").toString("base64"),
  "tls.key": Buffer.from(key, "utf8").toString("base64"),
});
const tls = (name: string, namespace: string, of = first, rest: Partial<SecretObject["metadata"]> = {}) =>
  Secret(name, { metadata: { namespace, ...rest }, type: "kubernetes.io/tls", data: data(of) });

let wildcard = "";
const listeners = new Set<ContextListener>();
const contexts = {
  contextOf: async () => {
    const cluster = { ...testContext.cluster, "wildcard-secret-name": wildcard, "expose-ingress": publishing };
    return { is: "known" as const, context: { ...testContext, cluster } };
  },
  onChange(listener: ContextListener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
const configure = (name: string): void => {
  wildcard = name;
  for (const listener of listeners) listener(undefined);
};

const told: unknown[] = [];
let running: { readonly stop: AbortController; readonly ended: Promise<unknown> } | undefined;
function start(): void {
  const stop = new AbortController();
  const client = engine.client("cozystack");
  const stores = openStores({ client, signal: stop.signal });
  const scope = (namespace: string) => all.includes(namespace);
  const onError = (key: string, error: unknown) => told.push(`${key}: ${String(error)}`);
  const ended = runWildcardCopies({ client, stores, world: systemWorld, contexts, scope, onError }, stop.signal);
  running = { stop, ended: ended.catch(() => undefined) };
}
async function halt(): Promise<void> {
  running?.stop.abort();
  await running?.ended;
}
start();
after(halt);

const copy = (namespace: string, name = "wildcard") => admin.get(Secret, name, namespace);
const holds = (namespace: string, of: typeof first, name = "wildcard") =>
  eventually(`${namespace} has the certificate`, async () => {
    const live = await copy(namespace, name);
    return live?.data?.["tls.crt"] === data(of)["tls.crt"] && live.data["tls.key"] === data(of)["tls.key"]
      ? live
      : undefined;
  });
const isGone = (namespace: string, name = "wildcard") =>
  eventually(`${namespace} has no ${name}`, async () => (await copy(namespace, name)) === undefined);
const warned = (namespace: string, reason: string) =>
  eventually(`${reason} in ${namespace}`, async () =>
    (await admin.list(Event, { namespace })).items.find((event) => event.reason === reason),
  );

test("feature 126: the certificate comes to every namespace with an ingress or gateway of its own, and to no other", async () => {
  configure("wildcard");
  await warned(publishing, "WildcardSourceMissing");
  await admin.create(Secret, tls("wildcard", publishing));
  const live = await holds(child, first);
  await holds(gateway, first);
  assert.equal(live.type, "kubernetes.io/tls");
  assert.equal(live.metadata.labels?.["cozystack.io/wildcard-secret-copy"], "true");
  assert.equal(live.metadata.labels?.["internal.cozystack.io/tenantresource"], "false");
  assert.equal(live.metadata.annotations?.["cozystack.io/wildcard-secret-source"], `${publishing}/wildcard`);
  assert.equal(await copy(inheriting), undefined, "it terminates nothing");
  assert.equal(await copy(foreign), undefined, "the certificate is for none of its names");
});

test("a new certificate is everywhere at once, and its source is never touched", async () => {
  const before = Date.now();
  const written = await admin.mergePatch(Secret, "wildcard", publishing, { data: data(second) });
  await holds(child, second);
  await holds(gateway, second);
  assert.ok(Date.now() - before < 5_000, "watched, not polled");
  assert.equal((await copy(publishing))?.metadata.resourceVersion, written.metadata.resourceVersion);
});

test("a copy that is changed or removed is put right, foreign labels included", async () => {
  await admin.mergePatch(Secret, "wildcard", child, {
    data: { "tls.key": "eA==", stray: "eA==" },
    metadata: { labels: { "internal.cozystack.io/tenantresource": "true" } },
  });
  const live = await eventually("it is as it was", async () => {
    const found = await holds(child, second);
    return found.metadata.labels?.["internal.cozystack.io/tenantresource"] === "false" ? found : undefined;
  });
  assert.deepEqual(Object.keys(live.data ?? {}).sort(), ["tls.crt", "tls.key"]);
  await admin.delete(Secret, "wildcard", gateway);
  await holds(gateway, second);
});

test("at rest, and after a restart, nothing is written", async () => {
  const versions = async () => [
    (await copy(child))?.metadata.resourceVersion,
    (await copy(gateway))?.metadata.resourceVersion,
  ];
  const before = await versions();
  await halt();
  start();
  await admin.mergePatch(Namespace, child, undefined, { metadata: { labels: { touched: "1" } } });
  await systemWorld.sleep(1_500);
  assert.deepEqual(await versions(), before);
});

test("what changed while nobody ran is found: another certificate, a namespace that terminates no more", async () => {
  await halt();
  await admin.mergePatch(Secret, "wildcard", publishing, { data: data(first) });
  await admin.mergePatch(Namespace, gateway, undefined, {
    metadata: { labels: { [label("gateway")]: "tenant-root" } },
  });
  start();
  await holds(child, first);
  await isGone(gateway);
  await admin.mergePatch(Namespace, gateway, undefined, { metadata: { labels: { [label("gateway")]: gateway } } });
  await holds(gateway, first);
});

test("a Secret of that name that is not proven to be ours is left alone, whatever its labels say", async () => {
  const marks = {
    labels: { "cozystack.io/wildcard-secret-copy": "true" },
    annotations: { "cozystack.io/wildcard-secret-source": `${publishing}/wildcard` },
  };
  const proof = (await copy(child))?.metadata.annotations ?? {};
  await admin.create(
    Secret,
    tls("wildcard", inheriting, second, { ...marks, annotations: { ...marks.annotations, ...proof } }),
  );
  await admin.mergePatch(Namespace, inheriting, undefined, {
    metadata: { labels: { [label("ingress")]: inheriting } },
  });
  await warned(inheriting, "WildcardReplicaSkipped");
  assert.equal(
    (await copy(inheriting))?.data?.["tls.crt"],
    data(second)["tls.crt"],
    "the proof of another object proves nothing",
  );
  await admin.mergePatch(Namespace, inheriting, undefined, {
    metadata: { labels: { [label("ingress")]: publishing } },
  });
  await systemWorld.sleep(500);
  assert.notEqual(await copy(inheriting), undefined, "nor is it deleted");
  await admin.delete(Secret, "wildcard", inheriting);
});

test("a copy of upstream's is taken over where it holds what the source holds", async () => {
  const labels = { "cozystack.io/wildcard-secret-copy": "true" };
  const theirs = await admin.create(Secret, tls("wildcard", inheriting, first, { labels }));
  await admin.mergePatch(Namespace, inheriting, undefined, {
    metadata: { labels: { [label("ingress")]: inheriting } },
  });
  await eventually("it is marked", async () => (await copy(inheriting))?.metadata.annotations !== undefined);
  assert.equal((await copy(inheriting))?.metadata.uid, theirs.metadata.uid);
  await admin.mergePatch(Namespace, inheriting, undefined, {
    metadata: { labels: { [label("ingress")]: publishing } },
  });
  await isGone(inheriting);
});

test("a source that goes or breaks leaves the copies; another name moves them; no name removes them", async () => {
  await admin.delete(Secret, "wildcard", publishing);
  await systemWorld.sleep(500);
  await holds(child, first);
  await admin.create(Secret, tls("other", publishing, second));
  configure("other");
  await holds(child, second, "other");
  await isGone(child);
  configure("");
  await isGone(child, "other");
  await isGone(gateway, "other");
  assert.notEqual(await copy(publishing, "other"), undefined, "the source stays");
});

test("nobody of a tenant may read the key, or tell the platform by a label to copy it", async () => {
  configure("other");
  await holds(child, second, "other");
  const person = admin.as({ user: "super@example.org", groups: [`${child}-super-admin`, "system:authenticated"] });
  const refused = (error: unknown) => isApiError(error, "Forbidden");
  await assert.rejects(person.get(Secret, "other", child), refused);
  await assert.rejects(
    person.mergePatch(Namespace, foreign, undefined, { metadata: { labels: { [label("host")]: "x.example.org" } } }),
    refused,
  );
  assert.deepEqual(told, []);
});

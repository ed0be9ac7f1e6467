import assert from "node:assert/strict";
import test, { after } from "node:test";
import { testEngine } from "../../test/support/engine.ts";
import type { WatchEvent } from "./client.ts";
import { ConfigMap, Namespace, Pod, ResourceQuota, Secret } from "./core-kinds.ts";
import { defineKind } from "./define-kind.ts";
import { type ApiErrorCode, isApiError } from "./errors.ts";
import type { KubeObject } from "./object.ts";
import { systemWorld } from "./world.ts";

const engine = await testEngine();
const client = engine.client("mine");
const other = engine.client("theirs");

const failsWith =
  (...codes: ApiErrorCode[]) =>
  (error: unknown) =>
    isApiError(error, ...codes);

test("get says absent only when the server says so: not for a kind it does not know", async () => {
  const namespace = await engine.namespace("get");
  assert.equal(await client.get(ConfigMap, "nothing", namespace), undefined);
  assert.equal(await client.get(ConfigMap, "nothing", "no-such-namespace"), undefined);
  const Unknown = defineKind<KubeObject>({
    group: "apps",
    version: "v1",
    kind: "Gone",
    plural: "gone",
    namespaced: true,
  });
  await assert.rejects(client.get(Unknown, "x", namespace), failsWith("Unserved"));
  await assert.rejects(client.list({ ...Unknown, group: "no.such.group" }), failsWith("Unserved"));
  await assert.rejects(client.as({ user: "nobody" }).get(ConfigMap, "nothing", namespace), failsWith("Forbidden"));
});

test("a list is complete whatever the page size, and fills in the kind of its items", async () => {
  const namespace = await engine.namespace("list");
  const names = Array.from({ length: 23 }, (_, index) => `c${String(index).padStart(2, "0")}`);
  for (const name of names) await client.create(ConfigMap, ConfigMap(name, { namespace, labels: { page: "1" } }));
  for (const pageSize of [1, 7, 23, 500]) {
    const list = await client.list(ConfigMap, { namespace, labelSelector: "page=1", pageSize });
    assert.deepEqual(
      list.items.map((item) => item.metadata.name),
      names,
    );
    assert.deepEqual(
      [list.items[0]?.kind, list.items[0]?.apiVersion, list.items[0]?.metadata.managedFields],
      ["ConfigMap", "v1", undefined],
    );
    const metadata = await client.listMetadata(ConfigMap, { namespace, labelSelector: "page=1", pageSize });
    assert.equal(metadata.items.length, 23);
    assert.deepEqual(Object.keys(metadata.items[0] ?? {}).sort(), ["apiVersion", "kind", "metadata"]);
  }
});

test("server-side apply releases what we leave out, leaves alone what others own, and takes by force", async () => {
  const namespace = await engine.namespace("apply");
  await client.apply(ConfigMap, ConfigMap("c", { namespace, data: { a: "1", b: "1" } }));
  await other.apply(ConfigMap, ConfigMap("c", { namespace, data: { theirs: "1" } }));
  const after = await client.apply(ConfigMap, ConfigMap("c", { namespace, data: { a: "2" } }));
  assert.deepEqual(after.data, { a: "2", theirs: "1" });
  await assert.rejects(
    client.apply(ConfigMap, ConfigMap("c", { namespace, data: { theirs: "2" } }), { force: false }),
    (error) => {
      return isApiError(error, "Conflict") && error.causes.some((one) => one.field === ".data.theirs");
    },
  );
  const forced = await client.apply(ConfigMap, ConfigMap("c", { namespace, data: { theirs: "2" } }));
  assert.deepEqual(forced.data, { theirs: "2" });
  assert.ok(forced.metadata.managedFields?.some((entry) => entry.manager === "mine" && entry.operation === "Apply"));
});

test("an apply with a field that the kind does not have is refused, whatever is asked for", async () => {
  const namespace = await engine.namespace("client-unknown");
  const body = { ...ConfigMap("c", { namespace }), nonsense: 1 };
  await assert.rejects(client.apply(ConfigMap, body), (error) => isApiError(error, "Invalid"));
  assert.equal(await client.get(ConfigMap, "c", namespace), undefined);
});

test("a dry run answers what would be and stores nothing", async () => {
  const namespace = await engine.namespace("dry");
  await client.create(ConfigMap, ConfigMap("c", { namespace, data: { a: "1" } }));
  const [writes, before] = [client.counters.writes(), await client.get(ConfigMap, "c", namespace)];
  const dryRun = true;
  assert.equal((await client.create(ConfigMap, ConfigMap("new", { namespace }), { dryRun })).metadata.name, "new");
  assert.equal(
    (await client.apply(ConfigMap, ConfigMap("c", { namespace, data: { a: "2" } }), { dryRun })).data?.["a"],
    "2",
  );
  assert.equal((await client.mergePatch(ConfigMap, "c", namespace, { data: { a: "3" } }, { dryRun })).data?.["a"], "3");
  assert.equal(await client.delete(ConfigMap, "c", namespace, { dryRun }), true);
  assert.deepEqual(await client.get(ConfigMap, "c", namespace), before);
  assert.equal(await client.get(ConfigMap, "new", namespace), undefined);
  assert.equal(client.counters.writes(), writes);
});

test("writes that read a stale object are refused; a patch can test what it changes", async () => {
  const namespace = await engine.namespace("stale");
  const made = await client.create(ConfigMap, ConfigMap("c", { namespace, data: { a: "1" } }));
  await client.replace(ConfigMap, { ...made, data: { a: "2" } });
  await assert.rejects(client.replace(ConfigMap, { ...made, data: { a: "3" } }), failsWith("Conflict"));
  const version = made.metadata.resourceVersion;
  const patch = [
    { op: "test", path: "/metadata/resourceVersion", value: version },
    { op: "remove", path: "/data/a" },
  ] as const;
  await assert.rejects(client.jsonPatch(ConfigMap, "c", namespace, patch), failsWith("Invalid", "Conflict"));
  const patched = await client.jsonPatch(ConfigMap, "c", namespace, [{ op: "add", path: "/data/b", value: "1" }]);
  assert.deepEqual(patched.data, { a: "2", b: "1" });
  await assert.rejects(client.create(ConfigMap, ConfigMap("c", { namespace })), failsWith("AlreadyExists"));
});

test("a deletion with preconditions spares another object of that name", async () => {
  const namespace = await engine.namespace("delete");
  const first = await client.create(ConfigMap, ConfigMap("c", { namespace }));
  const changed = await client.mergePatch(ConfigMap, "c", namespace, { data: { a: "1" } });
  const { uid = "", resourceVersion = "" } = first.metadata;
  await assert.rejects(client.delete(ConfigMap, "c", namespace, { uid, resourceVersion }), failsWith("Conflict"));
  await assert.rejects(
    client.delete(ConfigMap, "c", namespace, { uid: "11111111-1111-1111-1111-111111111111" }),
    failsWith("Conflict"),
  );
  assert.equal(
    await client.delete(ConfigMap, "c", namespace, { uid, resourceVersion: changed.metadata.resourceVersion ?? "" }),
    true,
  );
  assert.equal(await client.delete(ConfigMap, "c", namespace), false);
});

test("a quota's refusal has a code of its own", async () => {
  const namespace = await engine.namespace("quota");
  await client.create(ResourceQuota, ResourceQuota("none", { namespace, spec: { hard: { "count/configmaps": "0" } } }));
  for (let tries = 0; ; tries += 1) {
    const answer = await client
      .create(ConfigMap, ConfigMap(`c${tries}`, { namespace }))
      .catch((error: unknown) => error);
    if (isApiError(answer, "QuotaExceeded")) break;
    assert.ok(tries < 100, "the quota never bound");
    await systemWorld.sleep(50);
  }
});

test("a create in a namespace that is going or gone says which", async () => {
  await assert.rejects(client.create(ConfigMap, ConfigMap("c", { namespace: "no-such-namespace" })), (error) => {
    return isApiError(error, "NotFound") && error.message.includes('namespaces "no-such-namespace"');
  });
  const namespace = await engine.namespace("going");
  await client.create(ConfigMap, ConfigMap("held", { namespace, metadata: { finalizers: ["example.org/held"] } }));
  await client.delete(Namespace, namespace);
  await assert.rejects(client.create(ConfigMap, ConfigMap("c", { namespace })), failsWith("NamespaceTerminating"));
  await client.jsonPatch(ConfigMap, "held", namespace, [{ op: "remove", path: "/metadata/finalizers" }]);
});

test("a Secret that the API server refuses does not show its values", async () => {
  const namespace = await engine.namespace("secret");
  const value = Buffer.from("hunter2").toString("base64");
  const secret = Secret("s", { namespace, type: "kubernetes.io/tls", data: { "tls.crt": value, "no/slash": value } });
  await assert.rejects(client.create(Secret, secret), (error) => {
    const all = error instanceof Error ? JSON.stringify([error.message, error.stack, error]) : "";
    return isApiError(error, "Invalid") && !all.includes("hunter2") && !all.includes(value);
  });
});

for (const form of ["watch", "watchMetadata"] as const) {
  test(`${form} streams the initial objects, says when they are complete, and resumes where it stopped`, async () => {
    const namespace = await engine.namespace("watch");
    await client.create(ConfigMap, ConfigMap("a", { namespace, data: { v: "1" } }));
    const seen: string[] = [];
    const stop = new AbortController();
    const text = (event: WatchEvent<KubeObject>) =>
      "object" in event ? `${event.type} ${event.object.metadata.name}` : event.type;
    let resume = "";
    for await (const event of client[form](ConfigMap, {
      namespace,
      fieldSelector: "metadata.name!=kube-root-ca.crt",
      signal: stop.signal,
    })) {
      seen.push(text(event));
      if ("object" in event) {
        assert.equal(event.object.kind, "ConfigMap");
        assert.equal(event.object.metadata.managedFields, undefined);
        assert.equal("data" in event.object, form === "watch");
      }
      if (event.type === "synced") {
        resume = event.resourceVersion;
        await client.create(ConfigMap, ConfigMap("b", { namespace, data: { v: "1" } }));
      }
      if (event.type === "added" && event.object.metadata.name === "b") break;
    }
    assert.deepEqual(seen, ["added a", "synced", "added b"]);
    await client.delete(ConfigMap, "a", namespace);
    const later: string[] = [];
    for await (const event of client[form](ConfigMap, { namespace, resourceVersion: resume })) {
      later.push(text(event));
      if (event.type === "deleted") break;
    }
    assert.deepEqual(later, ["added b", "deleted a"]);
  });
}

test("raw gives JSON as data and text as text", async () => {
  const version = await client.raw("GET", "/version");
  assert.ok(typeof version === "object" && version !== null && "gitVersion" in version);
  assert.equal(await client.raw("GET", "/readyz"), "ok");
});

test("someone else's permissions, by impersonation and by token", async () => {
  const namespace = await engine.namespace("as");
  const nobody = client.as({ user: "jane", groups: ["readers"] });
  await assert.rejects(
    nobody.list(Pod, { namespace }),
    (error) => isApiError(error, "Forbidden") && error.message.includes("jane"),
  );
  const stranger = client.as({ token: "not-a-token" });
  after(() => stranger.close());
  await assert.rejects(stranger.list(Pod, { namespace }), failsWith("Unauthorized"));
});

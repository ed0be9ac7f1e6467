import assert from "node:assert/strict";
import test, { after } from "node:test";
import { json, type Script, scriptedServer } from "../../test/support/scripted-server.ts";
import type { Client } from "./client.ts";
import { type ConnectOptions, connect } from "./connect.ts";
import { defineKind } from "./define-kind.ts";
import { type ApiErrorCode, isApiError } from "./errors.ts";
import type { KubeObject } from "./object.ts";
import { systemWorld } from "./world.ts";

interface Mark extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}
const Mark = defineKind<Mark>({ group: "", version: "v1", kind: "Mark", plural: "marks", namespaced: true });
const Root = defineKind<KubeObject>({ group: "g.io", version: "v1", kind: "Root", plural: "roots", namespaced: false });

const mark = { kind: "Mark", apiVersion: "v1", metadata: { name: "m", namespace: "ns", resourceVersion: "7" } };
const status = (code: number, reason: string, details: object = { name: "m" }) => ({
  kind: "Status",
  code,
  reason,
  message: reason,
  details,
});
/** Back-off without waiting; what was waited is kept. */
const hurried = (slept: number[]) => ({ ...systemWorld, sleep: async (ms: number) => void slept.push(ms) });

async function against(script: Script, options: Partial<ConnectOptions> = {}) {
  const server = await scriptedServer(script);
  const slept: number[] = [];
  const client = connect({ server: server.url, fieldManager: "us", world: hurried(slept), ...options });
  after(() => client.close());
  return { client, server, slept };
}

const failsWith = (code: ApiErrorCode, ambiguous?: boolean) => (error: unknown) =>
  isApiError(error, code) && (ambiguous === undefined || error.ambiguous === ambiguous);

const faults: readonly { why: string; script: Script }[] = [
  { why: "a connection dropped before the answer", script: (_, answer) => void answer.socket?.destroy() },
  { why: "an answer cut in the middle", script: (_, answer) => cut(answer) },
  { why: "an answer that is no JSON", script: (_, answer) => void answer.end("<html>") },
  { why: "503", script: (_, answer) => json(answer, 503, status(503, "ServiceUnavailable")) },
  { why: "500", script: (_, answer) => json(answer, 500, status(500, "InternalError")) },
];

function cut(answer: Parameters<Script>[1]): void {
  answer.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  answer.write('{"kind":', () => answer.socket?.destroy());
}

for (const { why, script } of faults) {
  test(`a read survives ${why}`, async () => {
    const { client, server } = await against((request, answer, number) =>
      number < 2 ? script(request, answer, number) : json(answer, 200, mark),
    );
    assert.equal((await client.get(Mark, "m", "ns"))?.metadata.resourceVersion, "7");
    assert.equal(server.seen.length, 3);
    assert.equal(client.counters.reads(), 3);
  });

  test(`a write is not repeated after ${why}, and is left in doubt`, async () => {
    const { client, server } = await against(script);
    await assert.rejects(client.create(Mark, Mark("m", { namespace: "ns" })), (error) => {
      return isApiError(error) && error.ambiguous;
    });
    assert.equal(server.seen.length, 1);
  });
}

test("a read gives up after a bounded number of attempts, with growing pauses", async () => {
  const { client, server, slept } = await against((_, answer) => json(answer, 503, ""));
  await assert.rejects(client.get(Mark, "m", "ns"), failsWith("ServiceUnavailable"));
  assert.equal(server.seen.length, 4);
  assert.ok(
    slept.every((ms, index) => ms >= 50 * 2 ** index && ms <= 100 * 2 ** index),
    String(slept),
  );
});

test("429 means nothing was done: a write waits as long as asked and is sent again", async () => {
  const { client, slept } = await against((_, answer, number) =>
    number === 0 ? json(answer, 429, "", { "retry-after": "3" }) : json(answer, 201, mark),
  );
  await client.create(Mark, Mark("m", { namespace: "ns" }));
  assert.deepEqual(slept, [3000]);
});

test("a write is sent again when no connection could be made", async () => {
  const slept: number[] = [];
  const client = connect({ server: "http://127.0.0.1:1", fieldManager: "us", world: hurried(slept) });
  await assert.rejects(client.create(Mark, Mark("m", { namespace: "ns" })), failsWith("Network", false));
  assert.equal(slept.length, 3);
  await client.close();
});

test("only an answer that names the object says that it does not exist", async () => {
  const { client } = await against((request, answer) =>
    request.url.pathname.endsWith("/gone")
      ? json(answer, 404, status(404, "NotFound"))
      : void answer.writeHead(404, { "content-type": "text/plain" }).end("404 page not found"),
  );
  assert.equal(await client.get(Mark, "gone", "ns"), undefined);
  await assert.rejects(client.get(Mark, "unserved", "ns"), failsWith("Unserved"));
  assert.equal(await client.delete(Mark, "gone", "ns"), false);
});

test("a name that would leave the object's path is refused before anything is sent", async () => {
  const { client, server } = await against((_, answer) => json(answer, 200, mark));
  for (const name of ["", ".", "..", "a/b", "a%2fb"]) {
    await assert.rejects(async () => client.get(Mark, name, "ns"), failsWith("BadRequest"), name);
    await assert.rejects(async () => client.delete(Root, name), failsWith("BadRequest"), name);
  }
  await assert.rejects(async () => client.get(Mark, "m"), failsWith("BadRequest"));
  await assert.rejects(client.apply(Mark, Mark("m")), failsWith("BadRequest"));
  assert.equal(server.seen.length, 0);
});

test("each call is the request the API expects", async () => {
  const { client, server } = await against((_, answer) => json(answer, 200, mark));
  await client.apply(Mark, Mark("m", { namespace: "ns" }), { subresource: "status", force: false, dryRun: true });
  await client.jsonPatch(Mark, "m", "ns", [{ op: "remove", path: "/data" }], { fieldManager: "other" });
  await client.delete(Root, "r", undefined, { uid: "u", resourceVersion: "5", propagation: "Foreground" });
  await client.getMetadata(Root, "r");
  await client.as({ user: "jane", groups: ["a", "b"] }).get(Root, "r");
  const [apply, patch, remove, metadata, impersonated] = server.seen;
  assert.equal(
    `${apply?.method} ${apply?.url.pathname}${apply?.url.search}`,
    "PATCH /api/v1/namespaces/ns/marks/m/status?fieldManager=us&fieldValidation=Ignore&dryRun=All&force=false",
  );
  assert.equal(apply?.headers["content-type"], "application/apply-patch+yaml");
  assert.equal(apply?.headers["accept-encoding"], undefined);
  assert.equal(patch?.headers["content-type"], "application/json-patch+json");
  assert.equal(patch?.url.searchParams.get("fieldManager"), "other");
  assert.equal(remove?.url.pathname, "/apis/g.io/v1/roots/r");
  assert.deepEqual(JSON.parse(remove?.body ?? ""), {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: "Foreground",
    preconditions: { uid: "u", resourceVersion: "5" },
  });
  assert.match(metadata?.headers.accept ?? "", /as=PartialObjectMetadata;/);
  assert.equal(impersonated?.headers["impersonate-user"], "jane");
  assert.equal(impersonated?.headers["impersonate-group"], "a, b");
  assert.deepEqual(client.counters.byVerb(), { apply: 1, patch: 1, delete: 1, get: 2 });
  assert.deepEqual([client.counters.writes(), client.counters.writes([Root]), client.counters.reads()], [2, 1, 3]);
});

test("a list is read to its last page; one that expires half way begins anew, then as one page", async () => {
  const page = (names: readonly string[], next: string) => ({
    metadata: { resourceVersion: "9", continue: next },
    items: names.map((name) => ({ metadata: { name, managedFields: [{}] } })),
  });
  const { client, server } = await against((request, answer) => {
    const query = request.url.searchParams;
    if (query.get("limit") === null) json(answer, 200, page(["a", "b", "c"], ""));
    else if (query.get("continue") === null) json(answer, 200, page(["a", "b"], "next"));
    else json(answer, 410, status(410, "Expired"));
  });
  const list = await client.list(Mark, { pageSize: 2 });
  assert.deepEqual(
    list.items.map((item) => item.metadata.name),
    ["a", "b", "c"],
  );
  assert.equal(server.seen.length, 5);
  assert.deepEqual(list.items[0], { apiVersion: "v1", kind: "Mark", metadata: { name: "a" } });
});

test("the interceptor loses answers, fails requests, and kills the client after a write", async () => {
  const plan = ["loseAnswer", "fail", "pass", "kill"] as const;
  const { client, server } = await against((_, answer) => json(answer, 201, mark), {
    intercept: (request, writes) => {
      const verdict = request.write ? plan[writes - 1 + failed] : "pass";
      if (verdict === "loseAnswer") return { do: "loseAnswer" };
      if (verdict === "fail") {
        failed += 1;
        return { do: "fail", code: "Timeout" };
      }
      return verdict === "kill" ? { do: "kill", when: "after" } : undefined;
    },
  });
  let failed = 0;
  const create = (client: Client) => client.create(Mark, Mark("m", { namespace: "ns" }));
  await assert.rejects(create(client), failsWith("Network", true));
  await assert.rejects(create(client), failsWith("Timeout", false));
  await create(client);
  await assert.rejects(create(client), failsWith("Aborted"));
  assert.equal(server.seen.length, 3);
  await assert.rejects(client.get(Mark, "m", "ns"), failsWith("Aborted"));
  assert.equal(server.seen.length, 3);
});

test("refused credentials are renewed once", async () => {
  let token = 0;
  const { client, server } = await against(
    (request, answer) =>
      request.headers.authorization === "Bearer 2"
        ? json(answer, 200, mark)
        : json(answer, 401, status(401, "Unauthorized")),
    {
      credentials: {
        certificates: false,
        current: async () => ({ token: String(token) }),
        invalidate: () => {
          token += 1;
        },
      },
    },
  );
  await assert.rejects(client.get(Mark, "m", "ns"), failsWith("Unauthorized"));
  assert.ok(await client.get(Mark, "m", "ns"));
  assert.deepEqual(
    server.seen.map((request) => request.headers.authorization),
    ["Bearer 0", "Bearer 1", "Bearer 1", "Bearer 2"],
  );
});

test("connections are kept from request to request, also after deletions with preconditions", async () => {
  const ports = new Set<unknown>();
  const { client } = await against((_, answer) => {
    ports.add(answer.socket?.remotePort);
    json(answer, 200, mark);
  });
  for (let round = 0; round < 5; round += 1) {
    await client.get(Mark, "m", "ns");
    await client.apply(Mark, { ...mark, metadata: { name: "m", namespace: "ns" } });
    await client.delete(Mark, "m", "ns", { uid: "u" });
  }
  // The pool may open a second one while the first is not free again yet.
  assert.ok(ports.size <= 2, `${ports.size} connections`);
});

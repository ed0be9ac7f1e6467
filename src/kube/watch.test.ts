import assert from "node:assert/strict";
import test, { after } from "node:test";
import { json, type Script, scriptedServer } from "../../test/support/scripted-server.ts";
import type { WatchEvent } from "./client.ts";
import { type ConnectOptions, connect } from "./connect.ts";
import { defineKind } from "./define-kind.ts";
import { type ApiErrorCode, isApiError } from "./errors.ts";
import type { KubeObject } from "./object.ts";
import { systemWorld } from "./world.ts";

interface Mark extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}
const Mark = defineKind<Mark>({ group: "", version: "v1", kind: "Mark", plural: "marks", namespaced: true });
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

async function collect(events: AsyncIterable<WatchEvent<Mark>>) {
  const seen: string[] = [];
  let error: unknown;
  try {
    for await (const event of events) seen.push("object" in event ? event.object.metadata.name : event.type);
  } catch (caught) {
    error = caught;
  }
  return { seen, code: isApiError(error) ? error.code : error };
}

const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const added = (name: string) => line("ADDED", { metadata: { name, namespace: "ns", resourceVersion: "3" } });
const end = line("BOOKMARK", {
  metadata: { resourceVersion: "4", annotations: { "k8s.io/initial-events-end": "true" } },
});

const streams: readonly { why: string; chunks: readonly string[]; drop?: true; seen: string[]; code?: ApiErrorCode }[] =
  [
    { why: "ends with the server's connection", chunks: [added("a"), end, added("b")], seen: ["a", "synced", "b"] },
    { why: "does not mind where chunks are cut", chunks: [...(added("ä€😀") + end)], seen: ["ä€😀", "synced"] },
    {
      why: "an old resource version is an event",
      chunks: [added("a"), line("ERROR", status(410, "Expired", {}))],
      seen: ["a"],
      code: "Expired",
    },
    {
      why: "an event cut off is no event",
      chunks: [added("a"), added("b").slice(0, 20)],
      seen: ["a"],
      code: "Network",
    },
    { why: "rubbish ends it", chunks: [added("a"), "rubbish\n"], seen: ["a"], code: "Malformed" },
    { why: "a type nobody knows ends it", chunks: [line("MOVED", {})], seen: [], code: "Malformed" },
    { why: "a dropped connection ends it", chunks: [added("a")], drop: true, seen: ["a"], code: "Network" },
  ];

for (const { why, chunks, drop, seen, code } of streams) {
  test(`a watch: ${why}`, async () => {
    const { client } = await against(async (_, answer) => {
      answer.writeHead(200, { "content-type": "application/json" });
      for (const chunk of chunks) await new Promise((resolve) => answer.write(chunk, resolve));
      if (drop === true) answer.socket?.destroy();
      else answer.end();
    });
    assert.deepEqual(await collect(client.watch(Mark, { namespace: "ns" })), { seen, code });
  });
}

test("a server that cannot stream initial objects is listed, and not asked again", async () => {
  const { client, server } = await against((request, answer) => {
    const query = request.url.searchParams;
    if (query.has("sendInitialEvents")) json(answer, 422, status(422, "Invalid"));
    else if (query.has("watch")) answer.writeHead(200).end(added("b"));
    else json(answer, 200, { metadata: { resourceVersion: "8" }, items: [{ metadata: { name: "a" } }] });
  });
  for (const requests of [3, 5]) {
    assert.deepEqual(await collect(client.watch(Mark)), { seen: ["a", "synced", "b"], code: undefined });
    assert.equal(server.seen.length, requests);
  }
  assert.equal(server.seen[2]?.url.searchParams.get("resourceVersion"), "8");
});

test("a caller that stops reading ends the connection", async () => {
  const closed = Promise.withResolvers<void>();
  const { client } = await against((_, answer) => {
    answer.on("close", () => closed.resolve());
    answer.writeHead(200).write(added("a"));
  });
  for await (const event of client.watch(Mark)) {
    assert.equal(event.type, "added");
    break;
  }
  await closed.promise;
});

test("an aborted signal ends calls and watches with Aborted", async () => {
  const { client } = await against((_, answer) => void answer.writeHead(200).write(added("a")));
  const abort = new AbortController();
  const reading = collect(client.watch(Mark, { signal: abort.signal }));
  const getting = assert.rejects(client.get(Mark, "m", "ns", { signal: abort.signal }), failsWith("Aborted", false));
  setTimeout(() => abort.abort(), 20);
  assert.equal((await reading).code, "Aborted");
  await getting;
});

test("a client that is closed ends its watches, and refuses what is asked of it later, with Closed", async () => {
  const { client, server } = await against((_, answer) => void answer.writeHead(200).write(added("a")));
  const events = client.watch(Mark)[Symbol.asyncIterator]();
  await events.next();
  const ended = assert.rejects(events.next(), failsWith("Closed", false));
  await client.close();
  await ended;
  const { message } = await client.get(Mark, "m", "ns").then(
    () => new Error("answered"),
    (error: unknown) =>
      failsWith("Closed", false)(error) && error instanceof Error ? error : new Error("another code"),
  );
  assert.equal(message, "get Mark ns/m: the client is closed");
  assert.equal(server.seen.length, 1);
});

test("an interrupted watch is told in one line, by its kind", async () => {
  const { client } = await against((_, answer) => {
    answer.writeHead(200, { "content-type": "application/json" });
    answer.write(added("a").slice(0, 20), () => answer.socket?.destroy());
  });
  const read = async () => {
    for await (const _ of client.watch(Mark, { namespace: "ns" }));
  };
  await assert.rejects(read, (error: Error) => /^watch Mark in ns: [^\n?]+$/.test(error.message));
});

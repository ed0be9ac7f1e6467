import assert from "node:assert/strict";
import test, { after } from "node:test";
import { json, type Script, scriptedServer } from "../../test/support/scripted-server.ts";
import { connect } from "./connect.ts";
import { ConfigMap } from "./core-kinds.ts";
import { informer } from "./informer.ts";
import { systemWorld } from "./world.ts";

const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const object = (name: string, version: number) => ({
  metadata: { name, namespace: "ns", resourceVersion: String(version) },
});
const initial = (...lines: readonly string[]) =>
  lines.join("") +
  line("BOOKMARK", { metadata: { resourceVersion: "10", annotations: { "k8s.io/initial-events-end": "true" } } });
const expired = { kind: "Status", code: 410, reason: "Expired", message: "too old" };

/** An informer of a server that plays `script`; sleeps are recorded, not slept, until there were `enough`. */
async function following(script: Script, enough: number) {
  const server = await scriptedServer(script);
  const slept: number[] = [];
  const rested = Promise.withResolvers<void>();
  const stop = new AbortController();
  const world = {
    ...systemWorld,
    random: () => 0,
    sleep: async (ms: number, signal?: AbortSignal) => {
      slept.push(ms);
      if (slept.length < enough) return;
      rested.resolve();
      await systemWorld.sleep(60_000, signal);
    },
  };
  const client = connect({ server: server.url, fieldManager: "us" });
  const told: unknown[] = [];
  const made = informer({ client, kind: ConfigMap, world, onError: (error) => told.push(error) });
  const running = made.run(stop.signal);
  after(async () => {
    stop.abort();
    await running;
    await client.close();
  });
  const asked = () =>
    server.seen.map((request) =>
      request.url.searchParams.has("sendInitialEvents")
        ? "initial"
        : (request.url.searchParams.get("resourceVersion") ?? "list"),
    );
  return { client, made, slept, told, rested: rested.promise, asked, stop, running };
}

test("it resumes at the last event or bookmark", async () => {
  const answers = [
    initial(line("ADDED", object("a", 5))),
    line("MODIFIED", object("a", 12)),
    line("BOOKMARK", object("", 20)),
  ];
  const { asked, rested, made } = await following(
    (_, answer) => void answer.writeHead(200).end(answers.shift() ?? ""),
    4,
  );
  await rested;
  assert.deepEqual(asked(), ["initial", "10", "12", "20"]);
  assert.equal(made.store.get("a", "ns")?.metadata.resourceVersion, "12");
});

test("a server that ends every watch at once is asked less and less often", async () => {
  const { slept, rested } = await following(
    (_, answer, number) => void answer.writeHead(200).end(number === 0 ? initial() : ""),
    6,
  );
  await rested;
  assert.deepEqual(slept.slice(0, 6), [100, 200, 400, 800, 1600, 3200]);
});

for (const [why, refuse] of [
  ["as an answer", (answer: Parameters<Script>[1]) => json(answer, 410, expired)],
  ["as an event", (answer: Parameters<Script>[1]) => void answer.writeHead(200).end(line("ERROR", expired))],
] as const) {
  test(`a resume point that is gone, said ${why}: it lists at once, and tells what was deleted meanwhile`, async () => {
    const script: Script = (_, answer, number) => {
      if (number === 0)
        answer.writeHead(200).end(initial(line("ADDED", object("a", 5)), line("ADDED", object("b", 6))));
      else if (number === 1) refuse(answer);
      else answer.writeHead(200).end(initial(line("ADDED", object("b", 6))));
    };
    const { asked, rested, made } = await following(script, 2);
    const deleted: string[] = [];
    made.store.subscribe((change) => {
      if (change.type === "deleted") deleted.push(change.object.metadata.name);
    });
    await rested;
    assert.deepEqual(asked(), ["initial", "10", "initial"]);
    assert.deepEqual(deleted, ["a"]);
  });
}

test("a resume point is given up after five failures in a row; what is known stays readable, with the problem", async () => {
  const script: Script = (_, answer, number) =>
    number === 0 ? void answer.writeHead(200).end(initial(line("ADDED", object("a", 5)))) : json(answer, 500, "");
  const { asked, rested, made } = await following(script, 7);
  await rested;
  assert.deepEqual(asked().slice(0, 7), ["initial", "10", "10", "10", "10", "initial", "initial"]);
  const { state } = made.store;
  assert.ok(state.is === "synced" && state.problem !== undefined);
  assert.equal(made.store.get("a", "ns")?.metadata.name, "a");
});

test("it ends when its signal is aborted, whatever it is doing", async () => {
  const { stop, running, made } = await following((_, answer) => void answer.writeHead(200).write(initial()), 99);
  await made.store.ready();
  stop.abort();
  await running;
});

test("it ends when its client is closed, which is no failure", async () => {
  const { client, running, made, told, asked } = await following(
    (_, answer) => void answer.writeHead(200).write(initial()),
    99,
  );
  await made.store.ready();
  await client.close();
  await running;
  assert.deepEqual(told, []);
  assert.deepEqual(asked(), ["initial"]);
});

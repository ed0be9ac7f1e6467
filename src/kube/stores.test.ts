/** When the stores of a process ask again for a kind: on a word of its definition, never by the clock alone. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import test, { after } from "node:test";
import { eventually } from "../../test/support/eventually.ts";
import { json, scriptedServer } from "../../test/support/scripted-server.ts";
import { connect } from "./connect.ts";
import { defineKind } from "./define-kind.ts";
import type { KubeObject } from "./object.ts";
import { openStores } from "./stores.ts";
import { systemWorld } from "./world.ts";

const Gadget = defineKind<KubeObject>({
  group: "example.org",
  version: "v1",
  kind: "Gadget",
  plural: "gadgets",
  namespaced: false,
});
const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const begun = line("BOOKMARK", {
  metadata: { resourceVersion: "10", annotations: { "k8s.io/initial-events-end": "true" } },
});
const gadgets = "/apis/example.org/v1/gadgets";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A server whose definitions and gadgets the test plays, and a store of gadgets in a world where no time passes. */
async function playing() {
  let answerGadgets: (answer: ServerResponse) => void = (answer) => json(answer, 404, { kind: "Status", code: 404 });
  const streams = new Map<string, ServerResponse>();
  const server = await scriptedServer(({ url }, answer) => {
    if (url.pathname === gadgets) answerGadgets(answer);
    else answer.writeHead(200).write(begun);
    streams.set(url.pathname, answer);
  });
  const stop = new AbortController();
  const sleeps: number[] = [];
  const world = {
    ...systemWorld,
    random: () => 0,
    sleep: (ms: number, signal?: AbortSignal) => {
      sleeps.push(ms);
      return systemWorld.sleep(600_000, signal);
    },
  };
  const client = connect({ server: server.url, fieldManager: "us" });
  after(async () => {
    stop.abort();
    await client.close();
  });
  const { store } = openStores({ client, world, signal: stop.signal }).use(Gadget);
  await store.ready();
  await eventually("its definitions are watched", async () => streams.has(definitions));
  return {
    store,
    sleeps,
    asked: () => server.seen.filter(({ url }) => url.pathname === gadgets).length,
    /** From now on gadgets are answered so. */
    gadgets(play: (answer: ServerResponse) => void): void {
      answerGadgets = play;
    },
    /** Sends a line about a definition. */
    tell(type: "ADDED" | "MODIFIED" | "DELETED", name: string, version: number): void {
      const object = { metadata: { name, resourceVersion: String(version) } };
      streams.get(definitions)?.write(line(type, object));
    },
    endGadgets: (): void => void streams.get(gadgets)?.end(),
  };
}

const serves = (answer: ServerResponse): void => {
  const object = { apiVersion: "example.org/v1", kind: "Gadget", metadata: { name: "a", resourceVersion: "5" } };
  answer.writeHead(200).write(line("ADDED", object) + begun);
};

test("a kind that is not served is asked for when its definition comes, not by the clock", async () => {
  const { store, asked, gadgets: play, tell } = await playing();
  assert.deepEqual([store.state, asked()], [{ is: "unserved" }, 1]);
  tell("ADDED", "widgets.example.org", 11);
  play(serves);
  tell("ADDED", "gadgets.example.org", 12);
  await eventually("it is served", async () => store.state.is === "synced");
  assert.deepEqual([store.size, asked()], [1, 2], "another kind's definition is no reason to ask");
});

test("storage that is only just starting is asked again at each word of the definition", async () => {
  const { store, asked, gadgets: play, tell } = await playing();
  play((answer) => json(answer, 429, { kind: "Status", code: 429, reason: "TooManyRequests" }, { "retry-after": "0" }));
  tell("ADDED", "gadgets.example.org", 11);
  await eventually("it is not unserved any more", async () => store.state.is === "failing");
  const before = asked();
  play(serves);
  tell("MODIFIED", "gadgets.example.org", 12);
  await eventually("it is served", async () => store.state.is === "synced");
  assert.equal(asked(), before + 1);
});

test("when the definition goes, its objects do, and a watch that ended with it is not waited for", async () => {
  const { store, gadgets: play, tell, endGadgets, sleeps } = await playing();
  play(serves);
  tell("ADDED", "gadgets.example.org", 11);
  await eventually("it is served", async () => store.state.is === "synced");
  // As the API server does while it takes a kind away: connections are accepted, and end at once.
  play((answer) => void answer.writeHead(200).end());
  const slept = sleeps.length;
  const gone: string[] = [];
  store.subscribe(({ type, object }) => gone.push(`${type} ${object.metadata.name}`));
  endGadgets();
  await eventually("it waits before it asks again", async () => sleeps.length > slept);
  play((answer) => json(answer, 404, { kind: "Status", code: 404 }));
  tell("DELETED", "gadgets.example.org", 13);
  await eventually("it is unserved", async () => store.state.is === "unserved");
  assert.deepEqual([store.size, gone], [0, ["added a", "deleted a"]]);
});

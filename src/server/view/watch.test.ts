import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { systemWorld } from "../../kube/world.ts";
import { readOptions } from "../request-options.ts";
import type { ServedEvent } from "../resource.ts";
import { selection } from "../selectors.ts";
import { StatusError } from "../status.ts";
import { decodePosition, encodePosition, page } from "./pages.ts";
import { EventQueue, QueueOverflow } from "./queue.ts";
import { byPlace, type View, type ViewChange, type ViewObject } from "./view.ts";
import { selected, watchView } from "./watch.ts";

const thing = (name: string, color: string, namespace = "n"): ViewObject => ({
  apiVersion: "g/v1",
  kind: "Thing",
  metadata: { name, namespace, labels: { color }, resourceVersion: "5" },
});
const red = selection("color=red", "", "things");

const cases: readonly { why: string; change: ViewChange; gives: string | undefined }[] = [
  {
    why: "comes into sight",
    change: { type: "MODIFIED", object: thing("a", "red"), earlier: [thing("a", "blue")] },
    gives: "ADDED",
  },
  {
    why: "stays",
    change: { type: "MODIFIED", object: thing("a", "red"), earlier: [thing("a", "red")] },
    gives: "MODIFIED",
  },
  {
    why: "goes out of sight",
    change: { type: "MODIFIED", object: thing("a", "blue"), earlier: [thing("a", "red")] },
    gives: "DELETED",
  },
  {
    why: "was never in sight",
    change: { type: "MODIFIED", object: thing("a", "blue"), earlier: [thing("a", "green")] },
    gives: undefined,
  },
  { why: "new", change: { type: "ADDED", object: thing("a", "red") }, gives: "ADDED" },
  { why: "new, elsewhere", change: { type: "ADDED", object: thing("a", "blue") }, gives: undefined },
  {
    why: "new, and changed since",
    change: { type: "ADDED", object: thing("a", "blue"), earlier: [thing("a", "red")] },
    gives: "DELETED",
  },
  { why: "gone", change: { type: "DELETED", object: thing("a", "red") }, gives: "DELETED" },
  { why: "gone, elsewhere", change: { type: "DELETED", object: thing("a", "blue") }, gives: undefined },
];
for (const { why, change, gives } of cases) {
  test(`a watch with a selector: ${why}`, () => {
    const event = selected(change, red);
    assert.equal(event?.type, gives);
  });
}

function viewOf(objects: ViewObject[]) {
  const handlers = new Set<(change: ViewChange) => void>();
  const view: View = {
    ready: true,
    version: "7",
    find: () => undefined,
    all: () => objects,
    follow(_, __, handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    since: (_, __, version) => (version === "1" ? undefined : [{ type: "DELETED", object: thing("gone", "red") }]),
  };
  return { view, handlers, tell: (change: ViewChange) => handlers.forEach((handler) => void handler(change)) };
}

const requestOf = (signal: AbortSignal) => ({
  caller: { user: "ann", groups: [], extra: {} },
  namespace: undefined,
  signal,
  warn: () => undefined,
});

async function read(events: AsyncIterable<ServedEvent>, count: number): Promise<readonly string[]> {
  const seen: string[] = [];
  if (count === 0) return seen;
  for await (const event of events) {
    seen.push(
      event.type === "BOOKMARK"
        ? `BOOKMARK ${event.resourceVersion} ${event.initialEventsEnd}`
        : "object" in event
          ? `${event.type} ${event.object.metadata.name}`
          : "ERROR",
    );
    if (seen.length === count) break;
  }
  return seen;
}

const starts = [
  { why: "no version: everything first", query: "watch=1", first: ["ADDED a"] },
  { why: "version 0: everything first", query: "watch=1&resourceVersion=0", first: ["ADDED a"] },
  {
    why: "initial events, and where they end",
    query: "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
    first: ["ADDED a", "BOOKMARK 7 true"],
  },
  { why: "from a version: what came since", query: "watch=1&resourceVersion=6", first: ["DELETED gone"] },
  {
    why: "neither: only what comes",
    query: "watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan",
    first: [],
  },
];
for (const { why, query, first } of starts) {
  test(`a watch begins: ${why}`, async () => {
    const { view, handlers, tell } = viewOf([thing("a", "red"), thing("b", "blue")]);
    const stop = new AbortController();
    const options = readOptions(new URLSearchParams(query));
    const events = watchView(view, requestOf(stop.signal), options, red, systemWorld);
    tell({ type: "ADDED", object: thing("later", "red") });
    assert.deepEqual(await read(events, first.length + 1), [...first, "ADDED later"]);
    assert.equal(handlers.size, 0, "who stops reading is not told any more");
    stop.abort();
  });
}

test("a watch from a version that is not known any more is refused, and one that is not read leaves nothing behind", () => {
  const { view, handlers } = viewOf([]);
  const stop = new AbortController();
  const from = (version: string) => readOptions(new URLSearchParams({ watch: "1", resourceVersion: version }));
  assert.throws(
    () => watchView(view, requestOf(stop.signal), from("1"), red, systemWorld),
    (error) => error instanceof StatusError && error.status === 410,
  );
  assert.equal(handlers.size, 0);
  watchView(view, requestOf(stop.signal), from("6"), red, systemWorld);
  assert.equal(handlers.size, 1);
  stop.abort();
  assert.equal(handlers.size, 0);
});

test("a reader who is too slow is cut off", async () => {
  const queue = new EventQueue<number>(3);
  for (let index = 0; index < 10; index += 1) queue.push(index);
  await assert.rejects(async () => {
    for await (const _ of queue) assert.fail("what waited is given up");
  }, QueueOverflow);
});

test("pages give every object once, in order, whatever their size", () => {
  const name = fc.stringMatching(/^[a-z]([-a-z0-9]{0,5}[a-z0-9])?$/);
  const objects = fc.uniqueArray(fc.tuple(name, name), { selector: ([a, b]) => `${a}/${b}`, maxLength: 40 });
  fc.assert(
    fc.property(objects, fc.integer({ min: 1, max: 10 }), (places, limit) => {
      const all = places.map(([namespace, one]) => thing(one, "red", namespace)).sort(byPlace);
      const seen: ViewObject[] = [];
      let next: string | undefined;
      do {
        const listing = page(all, limit, next === undefined ? undefined : decodePosition(next), "9");
        assert.ok(listing.items.length <= limit && listing.resourceVersion === "9");
        seen.push(...listing.items);
        assert.equal(listing.remainingItemCount ?? 0, all.length - seen.length);
        next = listing.continue;
      } while (next !== undefined);
      assert.deepEqual(seen, all);
    }),
  );
});

test("a token that is not ours is refused", () => {
  assert.deepEqual(decodePosition(encodePosition({ version: "5", after: "n\u0000a" })), {
    version: "5",
    after: "n\u0000a",
  });
  for (const token of [
    "x",
    Buffer.from('{"v":"x","after":""}').toString("base64url"),
    Buffer.from("[]").toString("base64url"),
  ]) {
    assert.throws(
      () => decodePosition(token),
      (error) => error instanceof StatusError && error.status === 400,
    );
  }
});

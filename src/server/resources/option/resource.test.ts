import assert from "node:assert/strict";
import { test } from "node:test";
import { systemWorld } from "../../../kube/world.ts";
import { readOptions } from "../../request-options.ts";
import type { ServedEvent } from "../../resource.ts";
import { StatusError } from "../../status.ts";
import type { OpenSource, OpenSources } from "./open-source.ts";
import { options } from "./resource.ts";
import type { OptionItem, Source } from "./sources.ts";

interface Fake extends OpenSource {
  set(items: readonly OptionItem[], version: string): void;
}

function fake(name: string, ready: boolean): Fake {
  const source: Source = { name, global: true, uses: [], items: () => [] };
  const followers = new Set<() => void>();
  let items: readonly OptionItem[] = [{ value: "one" }];
  let version = "10";
  return {
    source,
    get ready() {
      return ready;
    },
    get version() {
      return version;
    },
    items: () => items,
    settled: (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    follow(handler) {
      followers.add(handler);
      return () => followers.delete(handler);
    },
    set(next, at) {
      items = next;
      version = at;
      for (const follower of followers) follower();
    },
  };
}

function served(...all: readonly Fake[]) {
  const opened: string[] = [];
  const sources: OpenSources = {
    sources: all.map(({ source }) => source),
    open(source) {
      opened.push(source.name);
      const found = all.find((one) => one.source === source);
      assert.ok(found !== undefined);
      return found;
    },
  };
  const warnings: string[] = [];
  const { operations } = options(sources, systemWorld);
  const stop = new AbortController();
  const request = {
    caller: { user: "ann", groups: [], extra: {} },
    namespace: "n",
    signal: stop.signal,
    warn: (message: string) => void warnings.push(message),
  };
  return { operations, request, opened, warnings, stop };
}

const query = (text: string) => readOptions(new URLSearchParams(text));

test("one source that cannot be read holds up no other, and the caller is told", async () => {
  const { operations, request, warnings } = served(fake("good", true), fake("hangs", false));
  const started = performance.now();
  const listing = await operations.list?.(request, query(""));
  assert.ok(performance.now() - started < 5000);
  assert.deepEqual(
    listing?.items.map(({ metadata }) => metadata.name),
    ["good"],
  );
  assert.deepEqual(warnings, ["cannot be read at the moment: hangs"]);
  const named = { ...request, name: "hangs" };
  await assert.rejects(
    async () => operations.get?.(named),
    (error) => error instanceof StatusError && error.status === 503,
  );
});

test("who selects one source opens no other", async () => {
  const { operations, request, opened } = served(fake("good", true), fake("hangs", false));
  const started = performance.now();
  const listing = await operations.list?.(request, query("fieldSelector=metadata.name%3Dgood"));
  assert.equal(listing?.items.length, 1);
  assert.deepEqual(opened, ["good"]);
  assert.ok(performance.now() - started < 1000);
});

async function next(events: AsyncIterator<ServedEvent>): Promise<string> {
  const { value } = await events.next();
  const event: ServedEvent = value;
  if (event.type === "BOOKMARK") return `BOOKMARK ${event.resourceVersion}`;
  return "object" in event ? `${event.type} ${event.object.metadata.resourceVersion}` : "ERROR";
}

test("a watch tells what changes and nothing twice; it begins although one source hangs", async () => {
  const [good, hangs] = [fake("good", true), fake("hangs", false)];
  const { operations, request, stop } = served(good, hangs);
  const start = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const watch = await operations.watch?.(request, query(start));
  assert.ok(watch !== undefined);
  const events = watch[Symbol.asyncIterator]();
  assert.equal(await next(events), "ADDED 10");
  assert.equal(await next(events), "BOOKMARK 10", "the end of the beginning does not wait for ever");
  good.set([{ value: "one" }], "11");
  good.set([{ value: "two" }], "12");
  assert.equal(await next(events), "MODIFIED 12");
  stop.abort();
  assert.equal((await events.next()).done, true);
});

test("a resumed watch tells only what is newer", async () => {
  const [old, changed] = [fake("old", true), fake("changed", true)];
  changed.set([{ value: "x" }], "15");
  const { operations, request, stop } = served(old, changed);
  const watch = await operations.watch?.(request, query("watch=1&resourceVersion=12"));
  assert.ok(watch !== undefined);
  const events = watch[Symbol.asyncIterator]();
  assert.equal(await next(events), "MODIFIED 15");
  old.set([{ value: "y" }], "20");
  assert.equal(await next(events), "MODIFIED 20");
  stop.abort();
});

import assert from "node:assert/strict";
import test from "node:test";
import { type FakeWorld, fakeWorld } from "../../test/support/fake-world.ts";
import { type Outcome, type QueueOptions, type WorkQueue, workQueue } from "./queue.ts";

interface Running {
  readonly queue: WorkQueue;
  readonly world: FakeWorld;
  readonly stop: () => Promise<void>;
}

function start(options: Partial<QueueOptions> & Pick<QueueOptions, "work">, world = fakeWorld()): Running {
  const abort = new AbortController();
  const queue = workQueue({ world, concurrency: 2, ...options });
  const running = queue.run(abort.signal);
  return {
    queue,
    world,
    stop: async () => {
      abort.abort();
      await running;
    },
  };
}

const done: Outcome = { is: "done" };
const failed: Outcome = { is: "failed", error: new Error("x") };
const groupOf = (key: string): string => key.split("/")[0] ?? "";

test("adding many times before means once, while under way once more", async () => {
  const gate = Promise.withResolvers<void>();
  const worked: string[] = [];
  const { queue, world, stop } = start({
    work: async (key) => {
      worked.push(key);
      if (worked.length === 1) await gate.promise;
      return done;
    },
  });
  for (const key of ["a", "a", "a", "a"]) queue.add(key);
  await world.settle();
  assert.deepEqual([worked, queue.working, queue.waiting], [["a"], 1, 0]);
  gate.resolve();
  await queue.idle();
  assert.deepEqual(worked, ["a", "a"]);
  await stop();
});

test("a key whose time comes while it is under way is not worked on twice at once", async () => {
  const gate = Promise.withResolvers<void>();
  let active = 0;
  let most = 0;
  let times = 0;
  const { queue, world, stop } = start({
    work: async () => {
      times += 1;
      most = Math.max(most, ++active);
      await gate.promise;
      active -= 1;
      return done;
    },
  });
  queue.add("a");
  queue.addAfter("a", 100);
  await world.advance(200);
  gate.resolve();
  await queue.idle();
  assert.deepEqual([most, times], [1, 2]);
  await stop();
});

test("back-off doubles to its cap, is spread by chance, and is forgotten after a success", async () => {
  const times: number[] = [];
  let outcome: Outcome = failed;
  const world = fakeWorld();
  const { queue, stop } = start(
    {
      backoff: { base: 100, cap: 400 },
      work: async () => {
        times.push(world.monotonic());
        return outcome;
      },
    },
    world,
  );
  queue.add("a");
  await world.advance(1000);
  assert.deepEqual(times, [0, 75, 225, 525, 825]);
  assert.equal(queue.failures("a"), 5);
  outcome = done;
  await world.advance(400);
  assert.deepEqual([queue.failures("a"), queue.delayed], [0, 0]);
  await stop();
});

test("an event retries a failing key before its back-off ends, but no sooner than the gap", async () => {
  const times: number[] = [];
  const world = fakeWorld();
  const { queue, stop } = start(
    {
      backoff: { base: 60_000, cap: 60_000, gap: 1000 },
      work: async () => {
        times.push(world.monotonic());
        // Its own write comes back as an event, again and again.
        queueMicrotask(() => queue.add("a"));
        return failed;
      },
    },
    world,
  );
  queue.add("a");
  await world.advance(3500);
  assert.deepEqual(times, [0, 1000, 2000, 3000]);
  await stop();
});

test("a throw counts as failed; `again` is no failure; `after` delays a failure", async () => {
  const seen: string[] = [];
  const world = fakeWorld();
  const outcomes: (() => Outcome)[] = [
    () => {
      throw new Error("thrown");
    },
    () => ({ is: "again", after: 500 }),
    () => ({ is: "failed", error: new Error("told"), after: 9000 }),
    () => done,
  ];
  const { queue, stop } = start(
    {
      backoff: { base: 100, cap: 100 },
      onError: (_, error) => seen.push(`${error instanceof Error ? error.message : error}@${world.monotonic()}`),
      work: async () => outcomes.shift()?.() ?? done,
    },
    world,
  );
  queue.add("a");
  await world.advance(600);
  assert.deepEqual(seen, ["thrown@0", "told@575"]);
  await world.advance(8000);
  assert.equal(outcomes.length, 1);
  await world.advance(2000);
  assert.equal(outcomes.length, 0);
  await stop();
});

test("stopping aborts the signal, finishes what is under way, and begins nothing new", async () => {
  const worked: string[] = [];
  const { queue, world, stop } = start({
    concurrency: 1,
    work: async (key, signal) => {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      worked.push(key);
      return done;
    },
  });
  queue.add("a");
  queue.add("b");
  await world.settle();
  await stop();
  assert.deepEqual(worked, ["a"]);
});

test("forget drops what waits and the failures", async () => {
  let times = 0;
  const { queue, world, stop } = start({
    work: async () => {
      times += 1;
      return failed;
    },
  });
  queue.add("a");
  await world.settle();
  queue.forget("a");
  await world.advance(10_000);
  assert.deepEqual([times, queue.failures("a"), queue.delayed], [1, 0, 0]);
  await stop();
});

// R12: a thousand keys of one tenant must not keep another's waiting.
test("keys of a quiet group are worked on as if the busy group were not there", async () => {
  const world = fakeWorld();
  const waited: number[] = [];
  const added = new Map<string, number>();
  const { queue, stop } = start(
    {
      concurrency: 4,
      groupOf,
      work: async (key, signal) => {
        if (groupOf(key) === "quiet") waited.push(world.monotonic() - (added.get(key) ?? 0));
        await world.sleep(groupOf(key) === "busy" ? 100 : 10, signal);
        return groupOf(key) === "busy" ? { is: "failed", error: new Error("never ready") } : done;
      },
    },
    world,
  );
  for (let index = 0; index < 1000; index += 1) queue.add(`busy/${index}`);
  await world.advance(50);
  for (let index = 0; index < 100; index += 1) {
    added.set(`quiet/${index}`, world.monotonic());
    queue.add(`quiet/${index}`);
    await world.advance(10);
  }
  await world.advance(200);
  assert.equal(waited.length, 100);
  assert.equal(Math.max(...waited), 0);
  await stop();
});

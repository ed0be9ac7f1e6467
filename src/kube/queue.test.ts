import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type FakeWorld, fakeWorld } from "../../test/support/fake-world.ts";
import { delays } from "./delays.ts";
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

const keys = fc.constantFrom("a/1", "a/2", "a/3", "b/1", "b/2", "c/1");
const step = fc.oneof(
  fc.record({ do: fc.constant("add" as const), key: keys }),
  fc.record({ do: fc.constant("addAfter" as const), key: keys, ms: fc.nat(300) }),
  fc.record({ do: fc.constant("advance" as const), ms: fc.nat(200) }),
);
const outcomes = fc.constantFrom<Outcome>(done, done, failed, { is: "again", after: 30 });

test("never two of one key at once, never more than the bound, and no addition is lost", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.array(outcomes, { maxLength: 60 }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, results, concurrency) => {
        const world = fakeWorld();
        const active = new Set<string>();
        const begun = new Map<string, number>();
        const lastAdded = new Map<string, number>();
        const left = [...results];
        let clock = 0;
        const work = async (key: string): Promise<Outcome> => {
          assert.ok(!active.has(key), `${key} twice at once`);
          active.add(key);
          assert.ok(active.size <= concurrency, "too many at once");
          begun.set(key, ++clock);
          await world.sleep(20);
          active.delete(key);
          return left.pop() ?? done;
        };
        const { queue, stop } = start({ work, concurrency, groupOf, backoff: { base: 10, cap: 100, gap: 50 } }, world);
        for (const one of steps) {
          if (one.do === "advance") await world.advance(one.ms);
          else {
            lastAdded.set(one.key, ++clock);
            if (one.do === "add") queue.add(one.key);
            else queue.addAfter(one.key, one.ms);
          }
        }
        await world.advance(20_000);
        assert.deepEqual([queue.waiting, queue.working, queue.delayed], [0, 0, 0]);
        for (const [key, when] of lastAdded) assert.ok((begun.get(key) ?? 0) > when, `${key} was lost`);
        await stop();
      },
    ),
    { numRuns: 60 },
  );
});

test("between two turns of a group with keys waiting, every other group gets at most its share", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 5 }), async (sizes) => {
      const order: string[] = [];
      const world = fakeWorld();
      const { queue, stop } = start(
        {
          concurrency: 1,
          groupOf,
          work: async (key) => {
            order.push(groupOf(key));
            return done;
          },
        },
        world,
      );
      sizes.forEach((size, group) => {
        for (let index = 0; index < size; index += 1) queue.add(`${group}/${index}`);
      });
      await queue.idle();
      for (const [at, group] of order.entries()) {
        const next = order.indexOf(group, at + 1);
        assert.ok(next - at <= sizes.length, `group ${group} waited ${next - at} turns of ${sizes.length} groups`);
      }
      await stop();
    }),
  );
});

test("delays give keys in the order of their times, each once, at the earliest time it was given", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.nat(50), fc.boolean())), (entries) => {
      const heap = delays();
      const model = new Map<string, number>();
      for (const [key, due, remove] of entries) {
        if (remove) {
          heap.remove(key);
          model.delete(key);
        } else {
          heap.add(key, due);
          model.set(key, Math.min(due, model.get(key) ?? due));
        }
      }
      assert.equal(heap.size, model.size);
      const taken: string[] = [];
      for (let now = 0; now <= 50; now += 5) {
        const keysNow = heap.take(now);
        for (const key of keysNow) assert.ok((model.get(key) ?? 99) <= now);
        taken.push(...keysNow);
        assert.ok((heap.earliest ?? 99) > now);
      }
      assert.deepEqual([...taken].sort(), [...model.keys()].sort());
      const times = taken.map((key) => model.get(key) ?? 0);
      assert.deepEqual(
        times,
        [...times].sort((a, b) => a - b),
      );
    }),
  );
});

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

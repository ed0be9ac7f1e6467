import assert from "node:assert/strict";
import { test } from "node:test";
import { RefusalMemory } from "./demands.ts";
import { conditionsWith } from "./quota-conditions.ts";
import { Refusals } from "./refusal-source.ts";

const message =
  'persistentvolumeclaims "data" is forbidden: exceeded quota: tenant-quota-allocated, requested: requests.storage=10Gi, used: requests.storage=0, limited: requests.storage=1Gi';

test("a refusal is wanted for five minutes, and what was provided is kept for one", () => {
  let now = 0;
  const memory = new RefusalMemory({ monotonic: () => now });
  memory.refused("tenant-a", new Map([["pods", 3n]]));
  assert.deepEqual([memory.of("tenant-a", "pods"), memory.isFresh("tenant-a", "pods")], [3n, false]);
  memory.served("tenant-a", "pods");
  assert.deepEqual([memory.of("tenant-a", "pods"), memory.isFresh("tenant-a", "pods")], [undefined, true]);
  now = 60_000;
  assert.equal(memory.isFresh("tenant-a", "pods"), false);
  memory.refused("tenant-a", new Map([["pods", 3n]]));
  now += 300_000;
  assert.equal(memory.of("tenant-a", "pods"), undefined);
});

test("what a controller of ours was refused reaches whoever listens, in billionths", () => {
  const refusals = new Refusals();
  const told: unknown[] = [];
  const stop = refusals.onRefusal((namespace, amounts) => told.push([namespace, ...amounts]));
  refusals.tell("tenant-a", message);
  refusals.tell("tenant-a", "something else went wrong");
  stop();
  refusals.tell("tenant-a", message);
  assert.deepEqual(told, [["tenant-a", ["requests.storage", 10n * 2n ** 30n * 1_000_000_000n]]]);
});

const finding = (is: boolean, text: string) =>
  ({ type: "QuotaOvercommitted", is, message: text, otherwise: "fits" }) as const;

test("conditions of others stay, and what never was the matter is not mentioned", () => {
  const others = [
    { type: "Ready", status: "True", reason: "Ready", message: "", lastTransitionTime: "t0", observedGeneration: 1 },
  ];
  assert.equal(conditionsWith(others, [finding(false, "")], 1, "t1"), undefined);
  const over = conditionsWith(others, [finding(true, "too much")], 2, "t1");
  assert.deepEqual(
    over?.map(({ type, status }) => [type, status]),
    [
      ["Ready", "True"],
      ["QuotaOvercommitted", "True"],
    ],
  );
  assert.equal(conditionsWith(over, [finding(true, "too much")], 2, "t2"), undefined);
  const worse = conditionsWith(over, [finding(true, "even more")], 2, "t2")?.at(-1);
  assert.deepEqual([worse?.message, worse?.lastTransitionTime], ["even more", "t1"]);
  const better = conditionsWith(over, [finding(false, "")], 2, "t3")?.at(-1);
  assert.deepEqual([better?.status, better?.message, better?.lastTransitionTime], ["False", "fits", "t3"]);
});

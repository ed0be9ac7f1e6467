import assert from "node:assert/strict";
import { test } from "node:test";
import { slots } from "./slots.ts";

test("no more than the limit are under way; a failure gives its place back; the order is kept", async () => {
  const inTurn = slots(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  let under = 0;
  let most = 0;
  const work = (index: number) =>
    inTurn(async () => {
      begun.push(index);
      under += 1;
      most = Math.max(most, under);
      await new Promise<void>((end) => ends.push(end));
      under -= 1;
      if (index % 3 === 0) throw new Error(String(index));
    });
  const all = Promise.allSettled(Array.from({ length: 7 }, (_, index) => work(index)));
  while (begun.length < 7 || ends.length > 0) {
    ends.shift()?.();
    await new Promise((go) => setImmediate(go));
  }
  const ended = await all;
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(most, 2);
  assert.equal(ended.filter(({ status }) => status === "rejected").length, 3);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeWorld } from "../../test/support/fake-world.ts";
import type { Shortage } from "./quota-shortage.ts";
import { ShortageWatch } from "./shortage-watch.ts";

const short = (resource: string, left = "0"): Shortage => ({
  quota: { group: "", kind: "ResourceQuota", namespace: "a", name: "q" },
  of: "pod",
  lacks: [{ resource, needs: "1", left, hard: "4" }],
});

function watch() {
  const world = fakeWorld();
  const woken: (readonly [string, number])[] = [];
  return { world, woken, watch: new ShortageWatch(world, (key, after) => woken.push([key, after])) };
}

test("a shortage is said once it has lasted, whatever else is left meanwhile", async () => {
  const { world, watch: shortages } = watch();
  const judge = shortages.of("db", "a");
  assert.deepEqual(judge([short("pods")]), { lasting: [], after: 5_000 });
  await world.advance(4_000);
  assert.deepEqual(judge([short("pods", "3")]), { lasting: [], after: 1_000 });
  await world.advance(1_000);
  assert.deepEqual(judge([short("pods")]), { lasting: [short("pods")] });
  assert.deepEqual(judge([short("cpu")]), { lasting: [], after: 5_000 }, "another one is another matter");
  assert.deepEqual(judge([]), { lasting: [] });
  assert.deepEqual(judge([short("cpu")]), { lasting: [], after: 5_000 }, "one that was over begins anew");
});

test("a quota that changes has those looked at again that lack something, the rarer the more they are", () => {
  const { woken, watch: shortages } = watch();
  shortages.of("db", "a")([short("pods")]);
  shortages.of("cache", "a")([]);
  shortages.of("other", "b")([short("pods")]);
  shortages.changed("a");
  assert.deepEqual(woken.splice(0), [
    ["db", 1_000],
    ["cache", 1_000],
  ]);
  shortages.of("cache", "a")(undefined);
  shortages.forget("db", "a");
  shortages.changed("a");
  assert.deepEqual(woken.splice(0), []);
  for (let at = 0; at < 100; at += 1) shortages.of(`db-${at}`, "a")([]);
  shortages.changed("a");
  assert.deepEqual([woken.length, woken[0]?.[1]], [100, 2_000]);
});

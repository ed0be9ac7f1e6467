import assert from "node:assert/strict";
import { test } from "node:test";
import { randomTenants } from "./tenants-at-random.ts";

/** Spread over seeds. `npm run budget` sets ten times as many. */
const OPERATIONS = Number(process.env["COZYSTACK_BUDGET_OPERATIONS"] ?? 1_000);

for (const seed of [1, 2, 3, 4]) {
  test(`budgets hold at every revision with two gates, kills and writes lost on their way, and nothing leaks (seed ${seed})`, async () => {
    const run = await randomTenants(seed, OPERATIONS / 4);
    assert.deepEqual(run.exceeded, []);
    assert.deepEqual(run.leaked, []);
    assert.deepEqual(run.left, []);
    assert.ok(run.admitted > 20 && run.refused > 10, "something was decided");
  });
}

test("the watcher sees a budget that is exceeded", async () => {
  const run = await randomTenants(1, 250, { ungated: true });
  assert.notDeepEqual(run.exceeded, []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeWorld } from "../../test/support/fake-world.ts";
import { ApiError } from "../kube/errors.ts";
import { failureLog } from "./failure-log.ts";

const passing = new ApiError("TooManyRequests", "storage is initializing");

test("a failure that passes is not said, one that lasts is said once a minute", async () => {
  const world = fakeWorld();
  const lines: string[] = [];
  const log = failureLog(world, (line) => lines.push(line));
  log("store of Redis", passing);
  await world.advance(5_000);
  log("store of Redis", passing);
  assert.deepEqual(lines, []);
  await world.advance(6_000);
  log("store of Redis", passing);
  log("store of Redis", passing);
  assert.deepEqual(lines, ["store of Redis: storage is initializing (TooManyRequests)"]);
  await world.advance(59_000);
  log("store of Redis", passing);
  assert.equal(lines.length, 1);
  await world.advance(2_000);
  log("store of Redis", passing);
  assert.equal(lines.length, 2);
});

test("a failure that was over begins anew, and one that will not pass is said at once", async () => {
  const world = fakeWorld();
  const lines: string[] = [];
  const log = failureLog(world, (line) => lines.push(line));
  log("a", passing);
  await world.advance(120_000);
  log("a", passing);
  assert.deepEqual(lines, []);
  log("b", new ApiError("Forbidden", "no"));
  log("b", new Error("broken"));
  assert.deepEqual(lines, ["b: no (Forbidden)", "b: broken (unexpected)"]);
});

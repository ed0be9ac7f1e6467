import assert from "node:assert/strict";
import { test } from "node:test";
import { FIGHT_MEMORY, Fights } from "./fights.ts";

test("after two corrections of the same body we stop, and try again when they are long past", () => {
  const fights = new Fights();
  for (const now of [0, 1000]) {
    assert.ok(fights.mayCorrect("x", "body", now));
    fights.corrected("x", "body", now);
  }
  assert.ok(!fights.mayCorrect("x", "body", 2000));
  assert.equal(fights.wait("x", 2000), FIGHT_MEMORY - 2000);
  assert.ok(fights.mayCorrect("x", "body", FIGHT_MEMORY));
});

test("another body, and another object, are another matter", () => {
  const fights = new Fights();
  for (const now of [0, 1, 2]) fights.corrected("x", "body", now);
  assert.ok(fights.mayCorrect("x", "other", 3));
  assert.ok(fights.mayCorrect("y", "body", 3));
});

test("a person who changes something now and then is no fight", () => {
  const fights = new Fights();
  for (let time = 0; time < 10; time += 1) {
    assert.ok(fights.mayCorrect("x", "body", time * FIGHT_MEMORY));
    fights.corrected("x", "body", time * FIGHT_MEMORY);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Journal } from "./journal.ts";

function journal(capacity = 8192) {
  let now = 0;
  const made = new Journal<string>({ world: { monotonic: () => now }, capacity, overlap: 5000 });
  return {
    made,
    at(time: number, version: string, change: string) {
      now = time;
      made.append(version, change);
    },
    since: (version: string) => made.since(version)?.map(({ change }) => change),
  };
}

test("nothing is known before the start, and what is older than it is not known", () => {
  const { made, at, since } = journal();
  at(0, "5", "early");
  assert.equal(since("5"), undefined);
  made.start("10");
  assert.equal(made.version, "10");
  assert.deepEqual(since("10"), []);
  assert.equal(since("9"), undefined);
});

test("changes after a version, and those close before it again", () => {
  const { made, at, since } = journal();
  made.start("10");
  at(0, "11", "a");
  at(60_000, "20", "b");
  at(120_000, "30", "c");
  assert.deepEqual(since("10"), ["a", "b", "c"]);
  assert.deepEqual(since("11"), ["a", "b", "c"], "the change itself is within the overlap");
  assert.deepEqual(since("25"), ["b", "c"]);
  assert.deepEqual(since("30"), ["c"]);
  assert.equal(made.version, "30");
});

test("a change of another kind that arrived late is told again, though its version is older", () => {
  const { made, at, since } = journal();
  made.start("10");
  at(0, "20", "pod");
  at(1000, "19", "late binding");
  assert.equal(made.version, "20");
  assert.deepEqual(since("20"), ["pod", "late binding"]);
});

test("what is dropped moves the floor: a version before it is refused", () => {
  const { made, at, since } = journal(4);
  made.start("0");
  for (let index = 1; index <= 8; index += 1) at(index * 100_000, String(index), `c${index}`);
  assert.equal(since("3"), undefined);
  assert.deepEqual(since("6"), ["c6", "c7", "c8"]);
  assert.deepEqual(since("4"), ["c5", "c6", "c7", "c8"]);
});

test("versions are compared as numbers of any length", () => {
  const { made, at } = journal();
  made.start("9");
  at(0, "10", "a");
  at(0, "90071992547409931", "b");
  at(0, "90071992547409930", "c");
  assert.equal(made.version, "90071992547409931");
});
